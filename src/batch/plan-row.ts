import type { Action } from '../../generated/definition-types.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { checkInput } from '../input/check-input.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { RowItem } from './row-item.ts';

type InputValues = Record<string, unknown>;

/** A row for which something is to be done. */
export interface PlannedRow {
  /** Which row it is, by its table and key. */
  row?: unknown[];
  /** What a person would call it; empty when that is not known. */
  name: string;
  /** The keys of the fields that its values are filled in in. */
  filled: string[];
  /** The input of the action for it. Throws a `TelephonyError` where it lacks a value. */
  input(): InputValues;
}

const isGiven = (part: unknown) => part !== undefined && part !== null;

const whoOf = (name: string, numbers: string) =>
  name && numbers && name !== numbers ? `${name} (${numbers})` : name || numbers || 'A row';

/** The numbers and identifiers that differ from row to row. */
function numbersOf({ fields }: Action, filled: string[], input: InputValues): string {
  const own = fields.filter(({ key, type }) => fieldTypes[type].identifies && filled.includes(key));
  return own.map(({ key }) => String(input[key] ?? '')).join(', ');
}

/** What is to be done for a row: nothing where its values cannot be sent. */
export function planRow(action: Action, { row, name, filled, input }: PlannedRow): RowItem {
  // A row without a key would be taken for another one.
  const known = row?.every(isGiven) && { row: JSON.stringify(row) };
  let who = whoOf(name, '');
  try {
    const typed = input();
    who = whoOf(name, numbersOf(action, filled, typed));
    const values: InputValues = { ...checkInput(action, typed) };
    who = whoOf(name, numbersOf(action, filled, values));
    return { who, ...known, outcome: 'waiting', values };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { who, ...known, outcome: 'failed', message: error.message };
  }
}

/** Of rows that would send the same, the one that is sent: the one that was sent or started before, or else the first. */
const rankOf = ({ outcome, isPending }: RowItem) =>
  [outcome === 'already-done', isPending, true].findIndex(Boolean);

const isDone = ({ outcome }: RowItem) => outcome === 'already-done';

/** The values of what is not sent are no longer needed. */
const withoutNeedless = ({ values, ...item }: RowItem): RowItem =>
  values && item.outcome === 'waiting' ? { ...item, values } : item;

/** Leaves out those that would send the same as another one, however it was typed. */
export function withoutSame(items: RowItem[]): RowItem[] {
  const keyOf = ({ values }: RowItem) => JSON.stringify(values);
  const firsts = new Map<string, RowItem>();
  for (const item of items.toSorted((one, other) => rankOf(one) - rankOf(other)))
    if (!firsts.has(keyOf(item))) firsts.set(keyOf(item), item);
  return items
    .map((item): RowItem => {
      const first = firsts.get(keyOf(item));
      if (!item.values || !first || first === item || isDone(item)) return item;
      // The message log is checked for it, even though another row was sent the same.
      if (item.isPending && isDone(first)) return item;
      if (item.key !== undefined) first.same = [...(first.same ?? []), item.key];
      return { who: item.who, outcome: 'duplicate' };
    })
    .map(withoutNeedless);
}
