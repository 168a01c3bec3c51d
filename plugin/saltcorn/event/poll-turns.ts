import db from '@saltcorn/data/db';
import { definitions, type PolledSoFar } from '../../../src/index.ts';
import { isAlone } from '../action/one-worker.ts';
import { query, tableOf } from '../own-table.ts';

/** How long a worker that asks is believed to be alive, in milliseconds: it says so with each answer. */
const longest = 120_000;

/** Timers of one machine are not that exact: by so many milliseconds. */
const tolerance = 500;

const table = () => `${db.getTenantSchemaPrefix()}"${definitions.manifest.id}_polled_events"`;

/** One row: how far events were read, whose turn it is and until when, when the service answered last, and why it did not since. */
async function createTable() {
  await query(`create table if not exists ${table()} (
    id integer primary key, so_far text not null, worker text not null, until bigint not null,
    begun_at bigint not null, answered_at bigint not null, problem text not null)`);
}

const hasTable = tableOf(createTable);

/**
 * Whose turn it is to ask the service.
 *
 * @param worker which of Saltcorn's workers takes its turns here, and since when; no other one has this id, nor the same one before
 */
export const pollTurns = (worker: string) => ({
  /**
   * Begins a turn, unless another worker has one, or has just had one: in one statement, so that of several workers one does.
   *
   * @param interval how often the service is asked, in milliseconds
   */
  async begin(interval: number): Promise<boolean> {
    await hasTable();
    const now = Date.now();
    const begun = await query(
      `insert into ${table()} as last (id, so_far, worker, until, begun_at, answered_at, problem)
        values (1, '', cast($1 as text), cast($2 as bigint), cast($3 as bigint), 0, '')
        on conflict (id) do update
          set worker = excluded.worker, until = excluded.until, begun_at = excluded.begun_at
          where (last.until not between excluded.begun_at and $6 or (last.worker <> excluded.worker and $4 = 'alone'))
            and (last.begun_at <= $5 or last.begun_at > excluded.begun_at)
        returning id`,
      [
        ...[worker, now + longest, now, isAlone() ? 'alone' : 'one of several'],
        ...[now - interval + tolerance, now + 2 * longest],
      ],
    );
    return begun.length > 0;
  },

  /** How long it is until the next turn can begin, in milliseconds: when the one that was begun last is so long ago. */
  async left(interval: number): Promise<number> {
    const [row] = await query(`select begun_at from ${table()}`);
    const since = Date.now() - Number(row?.begun_at ?? 0);
    return Math.max(0, Math.min(interval, interval - since));
  },

  /** How far events were read. A worker that took too long writes no more. */
  soFar: {
    async read() {
      await hasTable();
      const [row] = await query(`select so_far from ${table()}`);
      return row?.so_far ? String(row.so_far) : undefined;
    },
    async write(soFar) {
      await query(`update ${table()} set so_far = $1, until = $2 where worker = $3`, [
        ...[soFar, Date.now() + longest, worker],
      ]);
    },
  } satisfies PolledSoFar,

  /** Ends the turn, and notes why the service did not answer. */
  async end(problem = ''): Promise<void> {
    const answered = problem === '' ? ', answered_at = $3' : '';
    await query(`update ${table()} set until = 0, problem = $1${answered} where worker = $2`, [
      ...[problem, worker],
      ...(answered ? [Date.now()] : []),
    ]);
  },
});

/** When the service answered last, and what was wrong since. */
export async function lastPoll(): Promise<{ at?: Date; problem: string }> {
  await hasTable();
  const [{ answered_at: at = 0, problem = '' } = {}] = await query(
    `select answered_at, problem from ${table()}`,
  );
  return { ...(Number(at) > 0 && { at: new Date(Number(at)) }), problem: String(problem) };
}

/**
 * Nobody asks any more: whoever does so again begins then, and a turn that is under way, the first one as well, notes nothing more.
 * Rejects where nobody ever did.
 */
export async function forgetPolls(): Promise<void> {
  await query(
    `update ${table()} set so_far = '', worker = '', until = 0, begun_at = 0, problem = ''
      where so_far <> '' or worker <> ''`,
  );
}
