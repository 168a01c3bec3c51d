import {
  type Action,
  type FieldParts,
  fieldParts,
  filledIn,
  filledKeys,
  planRow,
  planRows,
  type RowItem,
  timeWriter,
  type WriteTime,
  withReadableTimes,
  withSender,
} from '../../../../src/builder.ts';
import type { RowsRequest } from '../../run-view.ts';
import type { Account } from '../account/account.ts';
import { textOf } from '../text-of.ts';
import type { Row, SelectedRows } from './selected-rows.ts';

type Columns = Pick<SelectedRows, 'titleOf'>;

/** The name that a user would give a row: its title or else its first text, which in tables of people is the name. */
function nameOf(row: Row, { collection, isOfService }: SelectedRows): string {
  // The first text of a service record is an identifier.
  if (isOfService) return '';
  const { titleField = '' } = collection.options;
  const { primaryKeyAttribute } = collection.model;
  const texts = collection
    .getFields()
    .filter(({ type, name }) => type === 'string' && name !== primaryKeyAttribute);
  const values = [titleField, ...texts.map(({ name }) => name)].map((name) => row[name]);
  return values.map(textOf).find((text) => text !== '') ?? '';
}

/** Parses the parts of an action's fields, as sent by the browser. */
export const partsOf = (action: Action, input: unknown, { titleOf }: Columns): FieldParts =>
  fieldParts(action, input, (column) => titleOf(column) !== undefined);

/**
 * Fills in an action's input from a row.
 *
 * @param write writes the times of the row
 * @throws {TelephonyError} if the row lacks a value
 */
export function rowInput(
  action: Action,
  account: Account,
  parts: FieldParts,
  row: Row,
  { titleOf }: Columns,
  write: WriteTime,
): Record<string, unknown> {
  const input = filledIn(parts, row, (column) => titleOf(column) ?? column);
  const typed = Object.fromEntries(
    parts.map(([{ key }, all]) => [key, all.filter((part) => typeof part === 'string')]),
  );
  return withSender(action, account, withReadableTimes(action, input, write, typed));
}

/** Plans a batch: rows with invalid values and duplicate rows send nothing. */
export function plan(
  action: Action,
  account: Account,
  selected: SelectedRows,
  { input, reader }: RowsRequest,
): Promise<RowItem[]> {
  const { collection, rows } = selected;
  const parts = partsOf(action, input, selected);
  const filled = filledKeys(parts);
  const write = timeWriter(reader);
  return planRows(rows, (row) =>
    planRow(action, {
      row: [collection.name, row[String(collection.filterTargetKey)]],
      name: nameOf(row, selected),
      filled,
      input: () => rowInput(action, account, parts, row, selected, write),
    }),
  );
}
