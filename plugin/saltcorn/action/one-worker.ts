import cluster from 'node:cluster';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import db from '@saltcorn/data/db';
import { TelephonyError } from '../../../src/index.ts';
import { change, databaseTime, findStored, forget, store } from '../metadata.ts';
import type { Answer } from './answer.ts';

const type = 'Telephony click';

/** How long work that was begun is believed to go on, in milliseconds: far longer than a request can take. */
const longest = 600_000;

/** How often it is looked for an answer of another worker, in milliseconds. */
const interval = 50;

interface Body {
  /** Who does it. */
  by: string;
  answer?: Answer;
  /** It ended without one. */
  isLost?: boolean;
}

/** Whether no other process serves this Saltcorn. The one that started its workers does what is done by itself, too. */
export const isAlone = () =>
  !cluster.isWorker && Object.keys(cluster.workers ?? {}).length === 0 && !db.connectObj.multi_node;

const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds);

/** Those who said that they do the work. The first one does. `written_at` is when that is over. */
const claims = (name: string) =>
  findStored<Body>({ type, name, written_at: { gt: databaseTime(Date.now()) } });

async function claim(name: string) {
  // SQLite's Saltcorn may confuse the ids of rows that are added at the same time.
  const by = randomUUID();
  await store<Body>({ type, name, body: { by }, written_at: fromNow(longest) });
  const all = await claims(name);
  const own = all.find(({ body }) => body.by === by);
  if (own === all[0]) return own;
  if (own) await forget({ id: own.id });
  return undefined;
}

/** Deletes what is over by then, as no part of the request. What is left when it fails is deleted after another click. */
function forgetIn(milliseconds: number) {
  const past = () => forget({ type, written_at: { lt: databaseTime(Date.now()) } });
  const tenant = db.getTenantSchema();
  const later = () => db.runWithTenant(tenant, () => past().catch(() => {}));
  globalThis.setTimeout(later, milliseconds).unref();
}

async function answerOfOther(name: string): Promise<Answer> {
  for (;;) {
    const [first] = await claims(name);
    if (first?.body.answer) return first.body.answer;
    if (!first || first.body.isLost)
      throw new TelephonyError(
        'unknown-outcome',
        'This was clicked twice, and the outcome of the first click is unknown. It was not sent again: check the message log.',
      );
    await setTimeout(interval);
  }
}

async function claimed(name: string, window: number, work: () => Promise<Answer>) {
  const own = await claim(name);
  if (!own) return answerOfOther(name);
  let answer: Answer | undefined;
  try {
    answer = await work();
    return answer;
  } finally {
    // It was done, also where that cannot be noted. Without an answer the others say that its outcome is unknown.
    const end = answer ? { answer } : { isLost: true };
    await change(own, { body: { ...own.body, ...end }, written_at: fromNow(window) }).catch(
      () => {},
    );
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
