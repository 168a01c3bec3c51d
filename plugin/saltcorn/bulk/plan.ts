import type { SaltcornTable } from '@saltcorn/data/models/table';
import {
  type Action,
  checkInput,
  fieldTypes,
  isPendingNote,
  TelephonyError,
} from '../../../src/index.ts';
import type { Configuration } from '../account/account.ts';
import { inputOf, type RunArguments } from '../action/action-input.ts';
import type { Row } from '../where/where.ts';
import { type NoteColumns, noteOf } from './row-notes.ts';

export type Outcome = 'waiting' | 'done' | 'before' | 'failed' | 'unknown' | 'same' | 'untried';

/** What is to be done for one row, and what became of it. */
export interface Item {
  /** Whom or what the row is about. */
  who: string;
  outcome: Outcome;
  /** Which row it is, where what becomes of it is noted in it. */
  key?: unknown;
  /** The keys of those that would send the same. */
  same?: unknown[];
  /** It was begun before, and what became of that is not known. */
  isPending?: true;
  /** What is sent, as long as that is to be done. */
  values?: Row;
  /** Why it was not done, or perhaps was. */
  message?: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What a person would call a row: the first text in it, which in tables of people is their name. */
function nameOf(row: Row, { fields, provider_name, pk_name }: SaltcornTable): string {
  // The first text of a record is an identifier.
  if (provider_name) return '';
  const texts = fields.filter(({ name, type }) => name !== pk_name && typeof type !== 'string');
  const [name] = texts.map((field) => row[field.name]).filter(isText);
  return name ?? '';
}

/** The numbers and identifiers that differ from row to row. */
function numbersOf({ fields }: Action, configuration: Row, input: Row): string {
  const filled = fields.filter(
    ({ key, type }) => fieldTypes[type].identifies && /\{\{/.test(String(configuration[key])),
  );
  return filled.map(({ key }) => String(input[key] ?? '')).join(', ');
}

const whoOf = (name: string, numbers: string) =>
  name && numbers && name !== numbers ? `${name} (${numbers})` : name || numbers || 'A row';

function planRow(
  action: Action,
  settings: Configuration,
  table: SaltcornTable,
  run: RunArguments & { row: Row },
): Item {
  const name = nameOf(run.row, table);
  let who = whoOf(name, '');
  try {
    const input = inputOf(action, settings, run);
    who = whoOf(name, numbersOf(action, run.configuration ?? {}, input));
    const values = checkInput(action, input);
    who = whoOf(name, numbersOf(action, run.configuration ?? {}, values));
    return { who, outcome: 'waiting', values };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { who, outcome: 'failed', message: error.message };
  }
}

/** What is to be done for a row by what is noted in it. */
function planNoted(item: Item, row: Row, { pk_name }: SaltcornTable, notes: NoteColumns): Item {
  const note = noteOf(row, notes);
  const noted = { ...item, key: row[pk_name] };
  if (note?.outcome === 'done') return { ...noted, outcome: 'before' };
  if (!isPendingNote(note)) return noted;
  return item.values ? { ...noted, isPending: true } : { ...noted, outcome: 'unknown' };
}

/** Which of those that would send the same stands for them all: one for which it is done, or was begun, or else the first. */
const rankOf = ({ outcome, isPending }: Item) =>
  [outcome === 'before', isPending, true].findIndex(Boolean);

const isDone = ({ outcome }: Item) => outcome === 'before';

/** Leaves out those that would send the same as another one. */
function withoutSame(items: Item[]): Item[] {
  const keyOf = ({ values }: Item) => JSON.stringify(values);
  const firsts = new Map<string, Item>();
  for (const item of items.toSorted((one, other) => rankOf(one) - rankOf(other)))
    if (!firsts.has(keyOf(item))) firsts.set(keyOf(item), item);
  return items.map((item) => {
    const first = firsts.get(keyOf(item));
    if (!item.values || !first || first === item || isDone(item)) return item;
    // It is looked for what became of it, even though it is done for another one.
    if (item.isPending && isDone(first)) return item;
    if (item.key !== undefined) first.same = [...(first.same ?? []), item.key];
    return { who: item.who, outcome: 'same' };
  });
}

/**
 * What is to be done for rows: nothing for those whose values cannot be sent or for which it is done, and nothing twice. Two rows that
 * would send the same are the same, however it was typed.
 *
 * @param notes where it is noted what became of them
 */
export function plan(
  action: Action,
  settings: Configuration,
  table: SaltcornTable,
  rows: Row[],
  run: RunArguments,
  notes?: NoteColumns,
): Item[] {
  const items = rows.map((row) => {
    const item = planRow(action, settings, table, { ...run, row });
    return notes ? planNoted(item, row, table, notes) : item;
  });
  return withoutSame(items).map(withoutNeedless);
}

/** The values of what is not to be done are nobody's business any more. */
function withoutNeedless({ values, ...item }: Item): Item {
  return values && item.outcome === 'waiting' ? { ...item, values } : item;
}
