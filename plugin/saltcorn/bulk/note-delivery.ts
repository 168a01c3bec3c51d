import db from '@saltcorn/data/db';
import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import {
  deliveryOutcome,
  eventDefinition,
  isDoneNote,
  recordShape,
  type TelephonyEvent,
  undeliveredSid,
} from '../../../src/builder.ts';
import { store } from '../tenant-store.ts';
import type { SaltcornBatch } from './batch-context.ts';
import { columnsFor, type NoteColumns, noteFields, noteOf, notesIn } from './row-notes.ts';

const kind = 'outcome columns';
const all = 'all';

/** The columns of a table that record outcomes. */
interface Place {
  table: string;
  columns: NoteColumns;
}

const keyOf = ({ table, columns }: Place) =>
  JSON.stringify([table, ...noteFields.map(({ key }) => columns[key])]);

/** The places that this process knows, by tenant and key. */
const known = new Map<string, Map<string, Place>>();

async function read(): Promise<Map<string, Place>> {
  const tenant = db.getTenantSchema();
  const stored = (await store.find(kind, all)).map(
    ({ key, value }) => [key, value as Place] as const,
  );
  const places = new Map([...(known.get(tenant) ?? []), ...stored]);
  known.set(tenant, places);
  return places;
}

/** The places as they were last read. */
const places = async () => known.get(db.getTenantSchema()) ?? (await read());

/** Remembers the columns that record outcomes, so that events can find the row of a message. */
export async function rememberColumns({ name }: SaltcornTable, columns: NoteColumns) {
  const place = { table: name, columns };
  const key = keyOf(place);
  const remembered = await places();
  if (remembered.has(key)) return;
  await store.insert(kind, { key, index: all, value: place });
  remembered.set(key, place);
}

const hasNoteColumns = (table: SaltcornTable, columns: NoteColumns) =>
  noteFields.every(({ key, type }) => columnsFor(table, type).includes(columns[key]));

/** Whether any table records outcomes. */
export const hasColumns = async (): Promise<boolean> => (await places()).size > 0;

/** Records in its row that what was sent was delivered, or why not. */
export async function noteDelivery({ id, record }: TelephonyEvent): Promise<void> {
  const { of } = eventDefinition(id).result;
  const outcome = deliveryOutcome(of, { ...record });
  if (!outcome) return;
  const sid = Object(record)[recordShape(of).key];
  for (const { table: name, columns } of (await read()).values()) {
    const table = Table.findOne({ name });
    if (!table || !hasNoteColumns(table, columns)) continue;
    for (const row of await table.getRows({ [columns.sid]: sid })) {
      const note = noteOf(row, columns);
      if (note && isDoneNote(note))
        await notesIn(table, columns)(row[table.pk_name]).replace(note, { ...note, outcome });
    }
  }
}

/** How many messages of a batch that has ended weren't delivered, as its rows record it. */
export async function undeliveredCount({ state, items, context }: SaltcornBatch): Promise<number> {
  const { tableName, columns } = context;
  const table = tableName ? Table.findOne({ name: tableName }) : undefined;
  if (state !== 'ended' || !table || !columns || !hasNoteColumns(table, columns)) return 0;
  const sids = new Set(items.map(({ sid }) => sid));
  const rows = await table.getRows({ [columns.outcome]: { ilike: 'undelivered' } });
  return rows.filter((row) => {
    const sid = undeliveredSid(noteOf(row, columns));
    return sid !== undefined && sids.has(sid);
  }).length;
}
