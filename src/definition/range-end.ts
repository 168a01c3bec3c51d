import type { Field } from '../../generated/definition-types.ts';

/** Returns which end of a range a field is, by its wire name; undefined if it isn't part of a range. */
export function rangeEnd({ name }: Pick<Field, 'name'>): 'start' | 'end' | undefined {
  if (name.endsWith('>')) return 'start';
  return name.endsWith('<') ? 'end' : undefined;
}
