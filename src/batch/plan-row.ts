import type { Action } from '../../generated/definition-types.ts';
import { inSlices, mapInSlices } from '../async/in-slices.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { checkInput } from '../input/check-input.ts';
import { isMissing } from '../input/check-values.ts';
import { TelephonyError } from '../telephony-error.ts';
import { oneLine, truncate } from '../text/format.ts';
import { sentence } from '../text/sentence.ts';
import { type RowItem, recipientIn, recipientOf, recipientText } from './row-item.ts';

/** The highest possible “Maximum rows” of a batch. */
export const maxBatchRows = 100_000;

/**
 * Reads the setting “Maximum rows” of a batch.
 *
 * @param usual its value if it is empty
 * @throws {TelephonyError} if it is invalid, which never means all rows
 */
export function readMaxRows(typed: unknown, usual: number): number {
  const limit = isMissing(typed) ? usual : Number(typed);
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxBatchRows) return limit;
  const values = { label: { text: 'Maximum rows' }, most: maxBatchRows };
  const problem = sentence('“{label}” must be a whole number from 1 to {most}.', values);
  throw new TelephonyError('input', problem);
}

type InputValues = Record<string, unknown>;

/** A row of a batch before its check. */
export interface PlannedRow {
  /** Its table and key. Without a key, its recipient identifies it. */
  row?: unknown[];
  /** Its name for people; empty if it has none. Then its number or its key names it. */
  name: string;
  /** Its phone number as it is stored, shown if its values can't be read. */
  number?: string | undefined;
  /** The keys of the fields that get values of the row. */
  filled: string[];
  /** Returns its input of the action. Throws a `TelephonyError` if the row lacks a value. */
  input(): InputValues;
}

const isGiven = (part: unknown) => part !== undefined && part !== null;

/** How many characters of a name or number are shown. */
const maxLength = 80;

/** A text of a row in one line, so that it can't pretend to be the next line of a preview. */
const shown = (text: string) => truncate(oneLine(text), maxLength);

const whoOf = (name: string, numbers: string) =>
  name && numbers && name !== numbers ? `${name} (${numbers})` : name || numbers;

/** Returns the numbers and identifiers that come from the row. */
function numbersOf({ fields }: Action, filled: string[], input: InputValues): string {
  const own = fields.filter(({ key, type }) => fieldTypes[type].identifies && filled.includes(key));
  return shown(own.map(({ key }) => String(input[key] ?? '')).join(', '));
}

/** Returns the item of a row. It has failed if its values can't be sent. */
export function planRow(action: Action, planned: PlannedRow): RowItem {
  const { row, number = '', filled, input } = planned;
  const name = shown(planned.name);
  const known = row && { row: JSON.stringify(row) };
  const hasKey = row?.every(isGiven);
  const unnamed = hasKey ? shown(`#${row?.at(-1)}`) : 'A row';
  let who = name || shown(number);
  let to = '';
  try {
    const entered = input();
    who = whoOf(name, numbersOf(action, filled, entered));
    to = shown(recipientText(action, entered));
    const values: InputValues = { ...checkInput(action, entered) };
    who = whoOf(name, numbersOf(action, filled, values));
    to = recipientText(action, values);
    // Rows with neither would be confused with each other.
    const isKnown = known && (hasKey || recipientIn(action, values));
    const identity = isKnown && { ...known, recipient: recipientOf(action, values) };
    return { who: who || unnamed, ...(to && { to }), ...identity, outcome: 'waiting', values };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return {
      who: who || unnamed,
      ...(to && { to }),
      ...(hasKey && known),
      outcome: 'failed',
      message: error.said,
    };
  }
}

/** Ranks rows that would send the same: the one that was sent or started before comes first. */
const rankOf = ({ outcome, isPending }: RowItem) =>
  [outcome === 'already-done', isPending, true].findIndex(Boolean);

const isDone = ({ outcome }: RowItem) => outcome === 'already-done';

/** Drops the values of rows that are not sent. */
const withoutUnneededValues = ({ values, ...item }: RowItem): RowItem =>
  values && item.outcome === 'waiting' ? { ...item, values } : item;

/** Marks rows as duplicates that would send the same as another one, once their values are cleaned. */
async function markDuplicates(items: RowItem[]): Promise<RowItem[]> {
  const keys = await mapInSlices(items, ({ values }) => values && JSON.stringify(values));
  const firsts = new Map<string | undefined, RowItem>();
  await inSlices(items.entries(), ([index, item]) => {
    const first = firsts.get(keys[index]);
    if (!first || rankOf(item) < rankOf(first)) firsts.set(keys[index], item);
  });
  const marked = await mapInSlices(items.entries(), ([index, item]): RowItem => {
    const first = firsts.get(keys[index]);
    if (!item.values || !first || first === item || isDone(item)) return item;
    // The account's log is checked for the row, even though another row was sent the same.
    if (item.isPending && isDone(first)) return item;
    if (item.key !== undefined) {
      first.same ??= [];
      first.same.push(item.key);
    }
    return {
      who: item.who,
      ...{ ...(item.to && { to: item.to }), ...(item.row && { row: item.row }) },
      outcome: 'duplicate',
    };
  });
  return mapInSlices(marked, withoutUnneededValues);
}

/**
 * Plans a batch: leaves out rows with invalid values, rows that are done, and duplicates. Rows are duplicates if they would send the same,
 * however it was typed.
 *
 * @param plan returns the item of a row
 * @param planned gets the number of rows that have one
 */
export async function planRows<Row>(
  rows: Iterable<Row>,
  plan: (row: Row) => RowItem | Promise<RowItem>,
  planned: (count: number) => void = () => {},
): Promise<RowItem[]> {
  let count = 0;
  const items = await mapInSlices(rows, async (row) => {
    const item = await plan(row);
    count += 1;
    planned(count);
    return item;
  });
  return markDuplicates(items);
}
