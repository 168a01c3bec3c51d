import type { SaltcornTable } from '@saltcorn/data/models/table';
import {
  type Action,
  isPendingNote,
  planRow,
  type RowItem,
  withoutSame,
} from '../../../src/index.ts';
import type { Configuration } from '../account/account.ts';
import { inputOf, type RunArguments } from '../action/action-input.ts';
import type { Row } from '../where/where.ts';
import { type NoteColumns, noteOf } from './row-notes.ts';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What a person would call a row: the first text in it, which in tables of people is their name. */
function nameOf(row: Row, { fields, provider_name, pk_name }: SaltcornTable): string {
  // The first text of a record is an identifier.
  if (provider_name) return '';
  const texts = fields.filter(({ name, type }) => name !== pk_name && typeof type !== 'string');
  const [name] = texts.map((field) => row[field.name]).filter(isText);
  return name ?? '';
}

function itemOf(
  action: Action,
  settings: Configuration,
  table: SaltcornTable,
  run: RunArguments & { row: Row },
): RowItem {
  const { configuration = {} } = run;
  return planRow(action, {
    name: nameOf(run.row, table),
    filled: Object.keys(configuration).filter((key) => /\{\{/.test(String(configuration[key]))),
    input: () => inputOf(action, settings, run),
  });
}

/** What is to be done for a row by what is noted in it. */
function planNoted(
  item: RowItem,
  row: Row,
  { pk_name }: SaltcornTable,
  notes: NoteColumns,
): RowItem {
  const note = noteOf(row, notes);
  const noted = { ...item, key: row[pk_name] };
  if (note?.outcome === 'done') return { ...noted, outcome: 'before' };
  if (!isPendingNote(note)) return noted;
  return item.values ? { ...noted, isPending: true } : { ...noted, outcome: 'unknown' };
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
): RowItem[] {
  const items = rows.map((row) => {
    const item = itemOf(action, settings, table, { ...run, row });
    return notes ? planNoted(item, row, table, notes) : item;
  });
  return withoutSame(items);
}
