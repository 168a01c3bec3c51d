import type { Field } from '../../generated/definition-types.ts';

/** Which end of a range an input is, as its wire name says; undefined for one that is no range's. */
export function rangeEnd({ name }: Pick<Field, 'name'>): 'start' | 'end' | undefined {
  if (name.endsWith('>')) return 'start';
  return name.endsWith('<') ? 'end' : undefined;
}
