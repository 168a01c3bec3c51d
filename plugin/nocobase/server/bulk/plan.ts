import {
  type Action,
  type FieldParts,
  fieldParts,
  filledIn,
  filledKeys,
  planRow,
  type RowItem,
  withoutSame,
  withSender,
} from '../../../../src/builder.ts';
import type { RowsRequest } from '../../run-view.ts';
import type { Account } from '../account/account.ts';
import type { Collection } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import type { Row, SelectedRows } from './selected-rows.ts';

/** What a column is called. A title that NocoBase translates where it is shown is a call around the text. */
function titleOf(collection: Collection, column: string): string {
  const title = collection.getField(column)?.options.uiSchema?.title ?? column;
  const [, , text] = /^\{\{\s*t\(\s*(["'])(.+?)\1\s*[,)]/.exec(title) ?? [];
  return text ?? title;
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

/** What the fields of an action are filled in with, as a browser says it. */
export const partsOf = (action: Action, input: unknown, collection: Collection): FieldParts =>
  fieldParts(action, input, (column) => collection.getField(column) !== undefined);

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
  const input = filledIn(parts, row, (column) => titleOf(collection, column));
  return withSender(action, account, input);
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
  const filled = filledKeys(parts);
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
