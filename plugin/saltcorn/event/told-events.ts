import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import db from '@saltcorn/data/db';
import { definitions, type EventMemory, type EventNote } from '../../../src/index.ts';
import { isAlone } from '../action/one-worker.ts';
import { query, tableOf } from '../own-table.ts';

/** How long it is remembered that an event was told, in milliseconds. */
const kept = 30 * 24 * 3_600_000;

/**
 * After how long an event that is still being told was begun by a process that has ended, in milliseconds: after ten seconds it
 * counts as told.
 */
const longest = 15_000;

/** How often it is looked whether another worker has told an event of the same record, in milliseconds. */
const interval = 50;

const teller = randomUUID();

const table = () => `${db.getTenantSchemaPrefix()}"${definitions.manifest.id}_told_events"`;

async function createTable() {
  await query(`create table if not exists ${table()} (
    key text primary key, signature text not null unique, subject text not null, step integer not null,
    is_told integer not null, teller text not null, at bigint not null)`);
  const index = `"${definitions.manifest.id}_told_events_subject"`;
  await query(`create index if not exists ${index} on ${table()} (subject)`);
}

const hasTable = tableOf(createTable);

/** Forgets what nobody tells any more, and what is too long ago. */
async function forgetPast({ subject, signature }: EventNote) {
  const now = Date.now();
  await query(
    `delete from ${table()} where (subject = $1 or signature = $2) and is_told = 0
      and (at < $3 or (teller <> $4 and $5 = 'alone'))`,
    [subject, signature, now - longest, teller, isAlone() ? 'alone' : 'one of several'],
  );
}

/** Notes an event as under way, unless it is known or something of its record is later or under way: in one statement. */
async function insert({ key, signature, subject, step, lateFrom }: EventNote): Promise<boolean> {
  const rows = await query(
    `insert into ${table()} (key, signature, subject, step, is_told, teller, at)
      select cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as integer), 0,
        cast($5 as text), cast($6 as bigint)
      where not exists (
        select 1 from ${table()}
        where subject = cast($3 as text) and (is_told = 0 or step >= cast($7 as integer)))
      on conflict do nothing returning key`,
    [key, signature, subject, step, teller, Date.now(), lateFrom],
  );
  return rows.length > 0;
}

/** Of two workers that insert for the same record, one comes after the other. */
function begin(note: EventNote): Promise<boolean> {
  const attempt = async () => {
    await forgetPast(note);
    return insert(note);
  };
  if (db.isSQLite) return attempt();
  const inTurn = async () => {
    await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [note.subject]);
    return attempt();
  };
  // In a context of its own, which is where Saltcorn keeps the connection of a transaction.
  return db.runWithTenant(db.getTenantSchema(), () => db.withTransaction(inTurn));
}

async function known({ key, signature, subject, lateFrom }: EventNote) {
  const [same] = await query(
    `select is_told from ${table()} where key = $1 or signature = $2 order by is_told desc`,
    [key, signature],
  );
  if (same) return same.is_told ? 'told' : 'under-way';
  const later = await query(
    `select 1 from ${table()} where subject = $1 and step >= cast($2 as integer)`,
    [subject, lateFrom],
  );
  return later.length > 0 ? 'late' : undefined;
}

/** Deletes log entries of events that were delivered too long ago. */
export async function forgetOldEvents(): Promise<void> {
  await hasTable();
  await query(`delete from ${table()} where at < $1`, [Date.now() - kept]);
}

/** Which events were told, in a table of the database, so that each worker process and each tenant knows its own. */
export const toldEvents = {
  async note(note: EventNote) {
    await hasTable();
    for (;;) {
      if (await begin(note)) return 'new';
      const found = await known(note);
      if (found) return found;
      await setTimeout(interval);
    }
  },
  async told({ key }: EventNote) {
    await query(`update ${table()} set is_told = 1, at = $1 where key = $2`, [Date.now(), key]);
  },
  async forget({ key }: EventNote) {
    await query(`delete from ${table()} where key = $1 and is_told = 0`, [key]);
  },
} satisfies EventMemory;

/** When the last event was told. */
export async function lastTold(): Promise<Date | undefined> {
  await hasTable();
  const [last] = await query(`select max(at) as at from ${table()} where is_told = 1`);
  return last?.at ? new Date(Number(last.at)) : undefined;
}
