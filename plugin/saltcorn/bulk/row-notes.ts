import { setTimeout } from 'node:timers/promises';
import db from '@saltcorn/data/db';
import Crash from '@saltcorn/data/models/crash';
import type { SaltcornField, SaltcornTable } from '@saltcorn/data/models/table';
import {
  deliveredNote,
  isPendingNote,
  type RowNote,
  type RowNotes,
  type Sentence,
  SentRows,
  sentence,
  sentences,
  TelephonyError,
} from '../../../src/builder.ts';
import { databaseTime } from '../database.ts';
import { store } from '../tenant-store.ts';
import { isInTransaction, queryApart } from '../transaction.ts';
import type { Row } from '../where/where.ts';

/** The columns of a table that record outcomes. */
export interface NoteColumns {
  outcome: string;
  sid: string;
  time: string;
}

/** A row that records an outcome. */
interface NotedRow {
  table: string;
  columns: NoteColumns;
  key: unknown;
}

/** The tenant's rows with SIDs. */
export const sentRows = new SentRows<NotedRow>(store);

const types: Record<keyof NoteColumns, string> = { outcome: 'String', sid: 'String', time: 'Date' };

const labels: Record<keyof NoteColumns, string> = {
  outcome: 'Outcome column',
  sid: 'SID column',
  time: 'Time column',
};

const keys = Object.keys(types) as (keyof NoteColumns)[];

export const noteFields = keys.map((key) => ({ key, label: labels[key], type: types[key] }));

// A column of whole days can't store the time at which a row was started.
const isOf = ({ type, attributes }: SaltcornField, name: string) =>
  typeof type !== 'string' && type.name === name && !attributes?.day_only;

/** Whether a column accepts empty and repeated values. */
const isFree = ({ calculated, is_unique, primary_key, required }: SaltcornField) =>
  !(calculated || is_unique || primary_key || required);

/** The names of the columns that can record an outcome. */
export const columnsFor = ({ fields, provider_name }: SaltcornTable, type: string): string[] =>
  provider_name
    ? []
    : fields.filter((field) => isOf(field, type) && isFree(field)).map(({ name }) => name);

const refused = (said: Sentence) =>
  new TelephonyError('input', sentences(said, sentence('Nothing was done.')));

/**
 * Checks that the columns exist, and that each has its own.
 *
 * @throws {TelephonyError} if they don't
 */
export function assertNoteColumns(table: SaltcornTable, columns: NoteColumns): void {
  for (const { key, label, type } of noteFields)
    if (!columnsFor(table, type).includes(columns[key]))
      throw refused(
        sentence(
          '“{label}” needs a column of “{table}” of the type {type} that is neither required nor unique.',
          { label: { text: label }, table: table.name, type },
        ),
      );
  if (columns.outcome === columns.sid)
    throw refused(
      sentence('“{outcome}” and “{sid}” need a column each.', {
        ...{ outcome: { text: labels.outcome }, sid: { text: labels.sid } },
      }),
    );
}

/** Parses a time from either of Saltcorn's databases. */
const dateOf = (value: unknown) =>
  value === null || value === undefined ? undefined : new Date(value as string | number | Date);

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The outcome recorded in a row. */
export function noteOf(row: Row, { outcome, sid, time }: NoteColumns): RowNote | undefined {
  const recorded = row[outcome];
  if (recorded === null || recorded === undefined || recorded === '') return undefined;
  return { outcome: String(recorded), time: dateOf(row[time]), sid: textOf(row[sid]) };
}

const quoted = (name: string) => `"${db.sqlsanitize(name)}"`;

/**
 * How often to retry recording an outcome in a row that another transaction is changing, and how long to wait in
 * between, in milliseconds.
 */
const tries = 30;
const wait = 100;

const noRequest = { url: 'outcome', headers: {} };

/** Only a workflow can't wait until the row is saved. */
const goneSentence = ({ name }: SaltcornTable) =>
  isInTransaction()
    ? sentence(
        'A row of “{table}” is not saved yet, or was deleted. If the workflow starts when a row is inserted, add the step “WaitNextTick” before this one.',
        { table: name },
      )
    : sentence('A row of “{table}” was deleted.', { table: name });

/** The recorded outcome of a row, by the row's key. */
function notesOf(table: SaltcornTable, columns: NoteColumns, key: unknown): RowNotes {
  const place = `${db.getTenantSchemaPrefix()}${quoted(table.name)}`;
  const [outcome, sid, time] = [columns.outcome, columns.sid, columns.time].map(quoted);
  const own = quoted(table.pk_name);
  // Skips a locked row: the transaction that changes it may be waiting for this one.
  const unlocked = db.isSQLite
    ? ''
    : `and ${own} in (select ${own} from ${place} where ${own} = $4 for update skip locked)`;
  const find = async () => (await queryApart(`select * from ${place} where ${own} = $1`, [key]))[0];
  async function isThere(old: RowNote | undefined) {
    const row = await find();
    return row !== undefined && noteOf(row, columns)?.outcome === old?.outcome;
  }
  async function put(old: RowNote | undefined, note: RowNote) {
    const isOld = old ? `${outcome} = $5` : `coalesce(${outcome}, '') = $5`;
    const startedAt = note.time && databaseTime(note.time.getTime());
    const rows = await queryApart(
      `update ${place} set ${outcome} = $1, ${sid} = $2, ${time} = $3
        where ${own} = $4 and ${isOld} ${unlocked} returning ${own}`,
      [note.outcome, note.sid ?? null, startedAt ?? null, key, old?.outcome ?? ''],
    );
    return rows.length > 0;
  }
  /** Remembers the row of a new SID, and records a status that came before it. */
  async function remember(old: RowNote | undefined, note: RowNote) {
    const { sid } = note;
    if (sid === undefined || sid === old?.sid) return;
    const early = await sentRows.add(sid, { table: table.name, columns, key });
    const delivered = early && deliveredNote(note, sid, early);
    if (delivered) await put(note, delivered);
  }
  return {
    async read() {
      const row = await find();
      if (!row) throw refused(goneSentence(table));
      return noteOf(row, columns);
    },
    async replace(old, note) {
      // Waits only to record an outcome.
      const most = isPendingNote(old) || note.sid !== undefined ? tries : 1;
      for (let count = 1; ; count += 1) {
        if (await put(old, note)) {
          // The row says that it was sent, whatever happens to its status.
          await remember(old, note).catch(
            (error) => void Crash.create(error, noRequest).catch(() => {}),
          );
          return true;
        }
        if (count === most || !(await isThere(old))) return false;
        await setTimeout(wait);
      }
    },
  };
}

/** The recorded outcomes of a table's rows, by key. */
export const notesIn = (table: SaltcornTable, columns: NoteColumns) => (key: unknown) =>
  notesOf(table, columns, key);
