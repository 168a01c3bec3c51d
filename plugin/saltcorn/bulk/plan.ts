import type { SaltcornTable } from '@saltcorn/data/models/table';
import {
  type Action,
  isDoneNote,
  isPendingNote,
  planRow,
  type RowItem,
  withoutSame,
} from '../../../src/builder.ts';
import type { Configuration } from '../account/account.ts';
import { inputOf } from '../action/action-input.ts';
import type { RunArguments } from '../action/run-arguments.ts';
import type { Row } from '../where/where.ts';
import { type NoteColumns, noteOf } from './row-notes.ts';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Columns that say what a person would call a row. Saltcorn sorts all columns by their names. */
const nameColumn = /^(full_?)?(name|title)$/i;

/** What a person would call a row: its name, or else the first text in it that is not there for an outcome. */
function nameOf(
  row: Row,
  { fields, provider_name, pk_name }: SaltcornTable,
  notes: NoteColumns | undefined,
): string {
  // The first text of a record is an identifier.
  if (provider_name) return '';
  const others = [pk_name, notes?.outcome, notes?.sid];
  const texts = fields
    .filter(({ name, type }) => !others.includes(name) && typeof type !== 'string')
    .sort((one, other) => Number(nameColumn.test(other.name)) - Number(nameColumn.test(one.name)));
  const [name] = texts.map((field) => row[field.name]).filter(isText);
  return name ?? '';
}

function itemOf(
  action: Action,
  settings: Configuration,
  table: SaltcornTable,
  run: RunArguments & { row: Row },
  notes: NoteColumns | undefined,
): RowItem {
  const { configuration = {} } = run;
  return planRow(action, {
    row: [table.name, run.row[table.pk_name]],
    name: nameOf(run.row, table, notes),
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
  if (isDoneNote(note)) return { ...noted, outcome: 'already-done' };
  if (!isPendingNote(note)) return noted;
  return item.values ? { ...noted, isPending: true } : { ...noted, outcome: 'unknown' };
}

/**
 * The rows of a batch: none whose values can't be sent, none that are done, and none twice. Two rows that
 * would send the same are the same, however it was typed.
 *
 * @param notes the columns that record their outcomes
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
    const item = itemOf(action, settings, table, { ...run, row }, notes);
    return notes ? planNoted(item, row, table, notes) : item;
  });
  return withoutSame(items);
}
