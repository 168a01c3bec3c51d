import type { Operation } from '../definition/operation.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { oneLine, truncate } from '../text/format.ts';

const maxLength = 80;

// Other types can't be shown, and String() of some objects throws.
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number'
    ? truncate(oneLine(String(value)), maxLength)
    : '';

/**
 * Describes what an operation is about, such as its recipient: the labelled numbers and identifiers among its values, never the text of a
 * message. In one line, because it is written into logs, and anyone may have entered it.
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
