import type { Operation } from '../definition/operation.ts';
import { fieldTypes } from '../field-types/field-types.ts';

// Other things are not understood, and may have no text at all.
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/**
 * The recipient and subject of an operation in words: the numbers and identifiers among its values, and never the
 * text of a message.
 *
 * @param operation the definition
 * @param values the values by key
 */
export const aboutValues = ({ fields }: Operation, values: Record<string, unknown>): string =>
  fields
    .filter(({ type }) => fieldTypes[type].identifies)
    .map(({ key, label }) => ({ label, value: textOf(values[key]) }))
    .filter(({ value }) => value !== '')
    .map(({ label, value }) => `${label} ${value}`)
    .join(', ');
