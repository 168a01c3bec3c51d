import type { Operation } from '../definition/operation.ts';
import { fieldTypes } from '../field-types/field-types.ts';

/**
 * Whom and what something is about, in words: the numbers and identifiers among the values of an operation, and never the
 * text of a message.
 *
 * @param operation the definition
 * @param values the values by key
 */
export const aboutValues = ({ fields }: Operation, values: Record<string, unknown>): string =>
  fields
    .filter(({ type }) => fieldTypes[type].identifies)
    .map(({ key, label }) => ({ label, value: String(values[key] ?? '').trim() }))
    .filter(({ value }) => value !== '')
    .map(({ label, value }) => `${label} ${value}`)
    .join(', ');
