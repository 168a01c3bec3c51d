import { isMissing } from '../../../../src/builder.ts';

/** A condition, or a group of conditions, in the form that NocoBase stores. */
export interface Condition {
  path?: string;
  value?: unknown;
  items?: Condition[];
}

const variables = /\{\{.*?\}\}/gs;

/** Whether NocoBase drops conditions with this value. It keeps `false`, the value of a checkbox. */
export function isDropped(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return value !== false && isMissing(value);
  return Object.values(value).every(isDropped);
}

/** Whether a variable in a value has no value. */
function isUnbound(typed: unknown, filled: unknown): boolean {
  if (typeof typed === 'object' && typed !== null)
    return Object.entries(typed).some(([key, part]) => isUnbound(part, Object(filled)[key]));
  if (typeof typed !== 'string') return false;
  const text = typed.replace(variables, '');
  if (text === typed) return false;
  // Without a value, NocoBase leaves a variable as it is, or leaves it out.
  return isDropped(filled) || filled === text || String(filled).includes('{{');
}

/**
 * Returns the column of the first condition without a value; `?` if it has no column, either.
 *
 * @param filled the same conditions, with the values of their variables
 */
export function columnWithoutValue(typed: Condition, filled: Condition): string | undefined {
  const { path, value, items } = typed;
  if (items)
    return items
      .map((item, index) => columnWithoutValue(item, Object(filled.items?.[index])))
      .find((column) => column !== undefined);
  if (path === undefined) return undefined;
  return isDropped(filled.value) || isUnbound(value, filled.value) ? path || '?' : undefined;
}
