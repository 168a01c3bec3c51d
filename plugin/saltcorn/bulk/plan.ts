import type { SaltcornTable } from '@saltcorn/data/models/table';
import {
  type Action,
  isDoneNote,
  isPendingNote,
  planRow,
  planRows,
  type RowItem,
  undeliveredSid,
} from '../../../src/builder.ts';
import type { Configuration } from '../account/account.ts';
import { inputOf } from '../action/action-input.ts';
import { joinedRows } from '../action/joined-rows.ts';
import type { RunArguments } from '../action/run-arguments.ts';
import type { Row } from '../where/where.ts';
import { rememberColumns } from './note-delivery.ts';
import { rowName } from './row-name.ts';
import { type NoteColumns, noteOf } from './row-notes.ts';

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
    ...rowName(run.row, table, notes),
    filled: Object.keys(configuration).filter((key) => /\{\{/.test(String(configuration[key]))),
    input: () => inputOf(action, settings, { ...run, table }),
  });
}

/** Plans a row by its recorded outcome. */
function planNoted(
  item: RowItem,
  row: Row,
  { pk_name }: SaltcornTable,
  notes: NoteColumns,
): RowItem {
  const note = noteOf(row, notes);
  const noted = { ...item, key: row[pk_name] };
  if (isDoneNote(note)) return { ...noted, outcome: 'already-done' };
  const undelivered = undeliveredSid(note);
  if (undelivered) return { ...noted, undelivered };
  if (!isPendingNote(note)) return noted;
  return item.values ? { ...noted, isPending: true } : { ...noted, outcome: 'unknown' };
}

/**
 * Plans a batch.
 *
 * @param notes the columns that record outcomes
 * @param planned gets the number of rows that are planned
 */
export async function plan(
  action: Action,
  settings: Configuration,
  table: SaltcornTable,
  rows: Row[],
  run: RunArguments,
  notes?: NoteColumns,
  planned?: (count: number) => void,
): Promise<RowItem[]> {
  if (notes) await rememberColumns();
  const joined = await joinedRows(action.fields, table, rows, run);
  const joinedOf = new Map(rows.map((row, index) => [row, joined[index]]));
  return planRows(
    rows,
    (row) => {
      const item = itemOf(
        action,
        settings,
        table,
        { ...run, row, joined: joinedOf.get(row) },
        notes,
      );
      return notes ? planNoted(item, row, table, notes) : item;
    },
    planned,
  );
}
