import type { Field } from '../../generated/definition-types.ts';
import type { Operation } from '../definition/operation.ts';
import { TelephonyError } from '../telephony-error.ts';
import { type Said, type Sentence, sentence, sentences } from '../text/sentence.ts';
import { isMissing } from './check-values.ts';
import { fieldProblem, type Problem, problemsError } from './problem.ts';

/** A part of a field's template: a text, or the row's value in a column. */
export type Part = string | { column: string };

const isPart = (part: unknown): part is Part =>
  typeof part === 'string' || typeof Object(part).column === 'string';

/** Returns a value of a row as text. */
function textIn(value: unknown, takesSeveral: boolean): string {
  if (takesSeveral && Array.isArray(value)) {
    const given = value.filter((one) => !isMissing(one));
    return given.map((one) => textIn(one, false)).join('\n');
  }
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Returns a value of a row for the text of a map. It can neither end its line nor its text in JSON, so it adds no value of its own.
 *
 * @param before what comes before it
 */
export const mapValue = (value: string, before: string): string =>
  before.trimStart().startsWith('{')
    ? JSON.stringify(value).slice(1, -1)
    : value.replaceAll(/\s*[\r\n]\s*/g, ' ');

/** More than all fields of an action take. A template is filled in for each of up to a thousand rows. */
const maxCharacters = 20_000;

/** Fills in the template of a field for a row. A missing value makes the field missing, never empty. */
function fillIn(
  { key, label, type, maxValues }: Pick<Field, 'key' | 'label' | 'type' | 'maxValues'>,
  parts: Part[],
  row: object,
  titleOf = (column: string) => column,
): { text: string } | Problem {
  const values = new Map(Object.entries(row));
  const problem = (said: Said): Problem => ({ key, said: fieldProblem({ label }, said) });
  let text = '';
  for (const part of parts) {
    const value = typeof part === 'string' ? part : values.get(part.column);
    if (typeof part !== 'string' && isMissing(value))
      return problem(
        sentence('is missing: the row has no “{column}”', { column: titleOf(part.column) }),
      );
    const filled = textIn(value, maxValues !== undefined);
    text += type === 'map' && typeof part !== 'string' ? mapValue(filled, text) : filled;
    if (text.length > maxCharacters) return problem(sentence('is too long'));
  }
  return { text };
}

/** The templates of an operation's fields. */
export type FieldParts = [field: Field, parts: Part[]][];

const refused = (reason: Sentence) =>
  new TelephonyError('input', sentences(reason, sentence('Nothing was done.')));

function partsOf({ label }: Field, given: unknown, hasColumn: (column: string) => boolean): Part[] {
  if (!Array.isArray(given) || !given.every(isPart))
    throw refused(sentence('The template of “{label}” is invalid.', { label: { text: label } }));
  for (const part of given)
    if (typeof part !== 'string' && !hasColumn(part.column))
      throw refused(
        sentence('“{label}” uses the column “{column}”, which the rows do not have.', {
          ...{ label: { text: label }, column: part.column },
        }),
      );
  return given;
}

/**
 * Checks the templates of an operation's fields, as a form submits them.
 *
 * @param given lists of parts, by the keys of fields
 * @param hasColumn whether the rows have a column, if that is known before they are read
 * @throws {TelephonyError} if a template is invalid
 */
export function fieldParts(
  { fields }: Pick<Operation, 'fields'>,
  given: unknown,
  hasColumn: (column: string) => boolean = () => true,
): FieldParts {
  const values = new Map(Object.entries(Object(given)));
  if (JSON.stringify([...values]).length > maxCharacters)
    throw refused(sentence('The texts of the fields are too long.'));
  return fields
    .filter(({ key }) => values.has(key))
    .map((field) => [field, partsOf(field, values.get(field.key), hasColumn)]);
}

/** Returns the keys of the fields whose values differ from row to row. */
export const filledKeys = (parts: FieldParts): string[] =>
  parts.filter(([, all]) => all.some((part) => typeof part !== 'string')).map(([{ key }]) => key);

/**
 * Fills in the templates of an operation's fields for a row.
 *
 * @param titleOf returns the title of a column
 * @throws {TelephonyError} that names every field whose value the row lacks; its `field` is the first one
 */
export function filledIn(
  parts: FieldParts,
  row: object,
  titleOf?: (column: string) => string,
): Record<string, unknown> {
  const filled = parts.map(([field, all]) => ({ field, ...fillIn(field, all, row, titleOf) }));
  const problems = filled.filter((one) => 'said' in one);
  if (problems.length > 0) throw problemsError('input', problems, problems[0]?.key);
  return Object.fromEntries(filled.map((one) => [one.field.key, 'text' in one ? one.text : '']));
}
