import type { Field } from '../../generated/definition-types.ts';
import type { Operation } from '../definition/operation.ts';
import { TelephonyError } from '../telephony-error.ts';
import { isMissing } from './is-missing.ts';

/** A part of what a field is filled in with: a text, or the value that a row has in a column. */
export type Part = string | { column: string };

const isPart = (part: unknown): part is Part =>
  typeof part === 'string' || typeof Object(part).column === 'string';

/** A value of a row as a text. */
function textIn(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** More than all fields of an action take. A template is filled in for each of up to a thousand rows. */
const maxCharacters = 20_000;

/** What a field is filled in with for a row. What the row does not have is missing, and never nothing. */
function fillIn(
  { key, label }: Pick<Field, 'key' | 'label'>,
  parts: Part[],
  row: object,
  titleOf = (column: string) => column,
): string {
  const values = new Map(Object.entries(row));
  const wrong = (sentence: string) =>
    new TelephonyError('input', `"${label}" ${sentence}`, { field: key });
  let text = '';
  for (const part of parts) {
    const value = typeof part === 'string' ? part : values.get(part.column);
    if (typeof part !== 'string' && isMissing(value))
      throw wrong(`is missing: the row has no “${titleOf(part.column)}”.`);
    text += textIn(value);
    if (text.length > maxCharacters) throw wrong('is too long.');
  }
  return text;
}

/** What the fields of an operation are filled in with. */
export type FieldParts = [field: Field, parts: Part[]][];

const refused = (sentence: string) => new TelephonyError('input', `${sentence} Nothing was done.`);

function partsOf({ label }: Field, given: unknown, hasColumn: (column: string) => boolean): Part[] {
  if (!Array.isArray(given) || !given.every(isPart))
    throw refused(`What “${label}” is filled in with is not understood.`);
  for (const part of given)
    if (typeof part !== 'string' && !hasColumn(part.column))
      throw refused(`“${label}” asks for a column “${part.column}”, which the rows do not have.`);
  return given;
}

/**
 * What the fields of an operation are filled in with, as a form says it.
 *
 * @param given lists of parts, by the keys of fields
 * @param hasColumn whether the rows have a column, if that is known before they are read
 * @throws {TelephonyError} where that is not understood
 */
export function fieldParts(
  { fields }: Pick<Operation, 'fields'>,
  given: unknown,
  hasColumn: (column: string) => boolean = () => true,
): FieldParts {
  const values = new Map(Object.entries(Object(given)));
  if (JSON.stringify([...values]).length > maxCharacters)
    throw refused('The texts to fill in are too long.');
  return fields
    .filter(({ key }) => values.has(key))
    .map((field) => [field, partsOf(field, values.get(field.key), hasColumn)]);
}

/** The keys of the fields whose values differ from row to row. */
export const filledKeys = (parts: FieldParts): string[] =>
  parts.filter(([, all]) => all.some((part) => typeof part !== 'string')).map(([{ key }]) => key);

/**
 * What the fields of an operation are filled in with for a row.
 *
 * @param titleOf what people call a column
 * @throws {TelephonyError} with the `field` whose value the row lacks
 */
export const filledIn = (
  parts: FieldParts,
  row: object,
  titleOf?: (column: string) => string,
): Record<string, unknown> =>
  Object.fromEntries(parts.map(([field, all]) => [field.key, fillIn(field, all, row, titleOf)]));
