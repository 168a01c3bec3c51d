import {
  type Action,
  planRow,
  type RowItem,
  TelephonyError,
  withoutSame,
} from '../../../../src/builder.ts';
import { isMissing } from '../../is-missing.ts';
import type { Part, RowsRequest } from '../../run-view.ts';
import type { Account } from '../account/account.ts';
import { withSender } from '../action/with-sender.ts';
import type { Collection } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import type { Row, SelectedRows } from './selected-rows.ts';

/** What a column is called. A title that NocoBase translates where it is shown is a call around the text. */
function titleOf(collection: Collection, column: string): string {
  const title = collection.getField(column)?.options.uiSchema?.title ?? column;
  const [, , text] = /^\{\{\s*t\(\s*(["'])(.+?)\1\s*[,)]/.exec(title) ?? [];
  return text ?? title;
}

/** A value of a row as a text. */
function textIn(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type Field = Action['fields'][number];

/** More than all fields of an action take. It is filled in for each of up to a thousand rows. */
const mostCharacters = 20_000;

/** What a field is filled in with for a row. What the row does not have is missing, and never nothing. */
function filledIn({ key, label }: Field, parts: Part[], row: Row, collection: Collection): string {
  const wrong = (sentence: string) =>
    new TelephonyError('input', `"${label}" ${sentence}`, { field: key });
  let text = '';
  for (const part of parts) {
    const value = typeof part === 'string' ? part : row[part.column];
    if (typeof part !== 'string' && isMissing(value))
      throw wrong(`is missing: the row has no “${titleOf(collection, part.column)}”.`);
    text += textIn(value);
    if (text.length > mostCharacters) throw wrong('is too long.');
  }
  return text;
}

/** What a person would call a row: its title, or the first text in it, which in tables of people is their name. */
function nameOf(row: Row, { collection, isOfService }: SelectedRows): string {
  // The first text of a record of the service is an identifier.
  if (isOfService) return '';
  const { titleField = '' } = collection.options;
  const { primaryKeyAttribute } = collection.model;
  const texts = collection
    .getFields()
    .filter(({ type, name }) => type === 'string' && name !== primaryKeyAttribute);
  const values = [titleField, ...texts.map(({ name }) => name)].map((name) => row[name]);
  return values.map(textOf).find((text) => text !== '') ?? '';
}

const isPart = (part: unknown): part is Part =>
  typeof part === 'string' || typeof Object(part).column === 'string';

const refused = (sentence: string) => new TelephonyError('input', `${sentence} Nothing was done.`);

function partsOfField({ label }: Field, given: unknown, collection: Collection): Part[] {
  if (!Array.isArray(given) || !given.every(isPart))
    throw refused(`What “${label}” is filled in with is not understood.`);
  for (const part of given)
    if (typeof part !== 'string' && !collection.getField(part.column))
      throw refused(`“${label}” asks for a column “${part.column}”, which the rows do not have.`);
  return given;
}

/** What the fields of an action are filled in with. */
export type FieldParts = [field: Field, parts: Part[]][];

/**
 * What the fields of an action are filled in with, as a browser says it.
 *
 * @throws {TelephonyError} where that is not understood
 */
export function partsOf(action: Action, input: unknown, collection: Collection): FieldParts {
  const given = new Map(Object.entries(Object(input)));
  if (JSON.stringify([...given]).length > mostCharacters)
    throw refused('The texts to fill in are too long.');
  return action.fields
    .filter(({ key }) => given.has(key))
    .map((field) => [field, partsOfField(field, given.get(field.key), collection)]);
}

/**
 * The input of an action for a row.
 *
 * @throws {TelephonyError} where the row lacks a value
 */
export function rowInput(
  action: Action,
  account: Account,
  parts: FieldParts,
  row: Row,
  collection: Collection,
): Record<string, unknown> {
  const values = parts.map(([field, all]) => [field.key, filledIn(field, all, row, collection)]);
  return withSender(action, account, Object.fromEntries(values));
}

/** What is to be done for rows: nothing for those whose values cannot be sent, and nothing twice. */
export function plan(
  action: Action,
  account: Account,
  selected: SelectedRows,
  { input }: RowsRequest,
): RowItem[] {
  const { collection, rows } = selected;
  const parts = partsOf(action, input, collection);
  const isOfRow = (part: Part) => typeof part !== 'string';
  const filled = parts.filter(([, all]) => all.some(isOfRow)).map(([{ key }]) => key);
  const items = rows.map((row) =>
    planRow(action, {
      row: [collection.name, row[String(collection.filterTargetKey)]],
      name: nameOf(row, selected),
      filled,
      input: () => rowInput(action, account, parts, row, collection),
    }),
  );
  return withoutSame(items);
}
