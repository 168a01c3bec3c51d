import db from '@saltcorn/data/db';
import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import {
  deliveredNote,
  deliveryOutcome,
  eventDefinition,
  recordShape,
  type TelephonyEvent,
  undeliveredSid,
} from '../../../src/builder.ts';
import { store } from '../tenant-store.ts';
import type { SaltcornBatch } from './batch-context.ts';
import {
  columnsFor,
  type NoteColumns,
  noteFields,
  noteOf,
  notesIn,
  sentRows,
} from './row-notes.ts';

const kind = 'outcome columns';
const key = 'all';

/** The tenants that are known to record outcomes. */
const known = new Set<string>();

/** Whether this process knows that a table records outcomes. */
export const isKnownToRecord = (): boolean => known.has(db.getTenantSchema());

/** When a tenant was read that recorded none. */
const readAt = new Map<string, number>();

/**
 * Whether any table records outcomes.
 *
 * @param maxAgeMs how old an answer may be that none does, in milliseconds: another worker can have remembered one since
 */
export async function hasColumns(maxAgeMs = 0): Promise<boolean> {
  if (isKnownToRecord()) return true;
  const [tenant, now] = [db.getTenantSchema(), Date.now()];
  if (now - (readAt.get(tenant) ?? Number.NEGATIVE_INFINITY) < maxAgeMs) return false;
  readAt.set(tenant, now);
  if (await store.get(kind, key)) known.add(tenant);
  return known.has(tenant);
}

/** Remembers that a table records outcomes, so that the events of its messages are polled. */
export async function rememberColumns(): Promise<void> {
  if (!(await hasColumns())) await store.insert(kind, { key, value: true });
}

const hasNoteColumns = (table: SaltcornTable, columns: NoteColumns) =>
  noteFields.every(({ key, type }) => columnsFor(table, type).includes(columns[key]));

/** Records in its row that what was sent was delivered, or why not. */
export async function noteDelivery({ id, record }: TelephonyEvent): Promise<void> {
  const { of } = eventDefinition(id).result;
  const outcome = deliveryOutcome(of, { ...record });
  if (!outcome || !(await hasColumns())) return;
  const sid = String(Object(record)[recordShape(of).key]);
  for (const { table: name, columns, key } of await sentRows.find(sid, outcome)) {
    const table = Table.findOne({ name });
    if (!table || !hasNoteColumns(table, columns)) continue;
    const [row] = await table.getRows({ [table.pk_name]: key });
    const note = row && noteOf(row, columns);
    const delivered = deliveredNote(note, sid, outcome);
    if (delivered) await notesIn(table, columns)(key).replace(note, delivered);
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
