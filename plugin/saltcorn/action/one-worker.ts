import cluster from 'node:cluster';
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import db from '@saltcorn/data/db';
import MetaData from '@saltcorn/data/models/metadata';
import { TelephonyError } from '../../../src/index.ts';
import type { Answer } from './answer.ts';
import { databaseTime } from './database-time.ts';

const type = 'Telephony click';

/** How long work that was begun is believed to go on, in milliseconds: far longer than a request can take. */
const longest = 600_000;

/** How often it is looked for an answer of another worker, in milliseconds. */
const interval = 50;

const isAlone = () => !cluster.isWorker && !db.connectObj.multi_node;

const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds);

/** Who does the work: the first of those who said that they do. `written_at` is when that is over. */
async function whoever(name: string) {
  const notOver = { written_at: { gt: databaseTime(Date.now()) } };
  const [first] = await MetaData.find({ type, name, ...notOver }, { orderBy: 'id' });
  return first;
}

async function claim(name: string) {
  const own = await MetaData.create({ type, name, body: {}, written_at: fromNow(longest) });
  const first = await whoever(name);
  if (first?.id === own.id) return own;
  await own.delete();
  return undefined;
}

/** Deletes what is over by then. */
function forgetIn(milliseconds: number) {
  const forget = () =>
    db.deleteWhere('_sc_metadata', { type, written_at: { lt: databaseTime(Date.now()) } });
  // Is no part of the request any more. What is left when it fails is deleted after another click.
  const tenant = db.getTenantSchema();
  const later = () => db.runWithTenant(tenant, () => forget().catch(() => {}));
  globalThis.setTimeout(later, milliseconds).unref();
}

async function answerOfOther(name: string): Promise<Answer> {
  for (;;) {
    const first = await whoever(name);
    if (first?.body.answer) return first.body.answer as Answer;
    if (!first)
      throw new TelephonyError(
        'unknown-outcome',
        'It was clicked twice, and what became of the first click is not known. It was not done again: look whether it was done.',
      );
    await setTimeout(interval);
  }
}

async function claimed(name: string, window: number, work: () => Promise<Answer>) {
  const own = await claim(name);
  if (!own) return answerOfOther(name);
  try {
    const answer = await work();
    await own.update({ body: { answer }, written_at: fromNow(window) });
    return answer;
  } catch (error) {
    await own.delete();
    throw error;
  } finally {
    forgetIn(2 * window);
  }
}

/**
 * Does work in one of the worker processes of a Saltcorn, however many of them are asked to, and gives its answer in all.
 *
 * On SQLite each statement is seen by all at once. On PostgreSQL what a request writes is seen when it ends, so that
 * others wait for that.
 *
 * @param key what the work is
 * @param window how long after its end it is still the same work, in milliseconds
 */
export async function inOneWorker(
  key: string,
  window: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (isAlone()) return work();
  const name = createHash('sha256').update(key).digest('hex');
  if (db.isSQLite) return claimed(name, window, work);
  return db.openOrUseTransaction(async () => {
    await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${type} ${name}`]);
    return claimed(name, window, work);
  });
}
