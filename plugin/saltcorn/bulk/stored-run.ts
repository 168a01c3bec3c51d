import { createHash, randomUUID } from 'node:crypto';
import type { Stored } from '@saltcorn/data/models/metadata';
import {
  continueBatch,
  type EarlierBatch,
  interruptedItems,
  type RowItem,
} from '../../../src/index.ts';
import { change, databaseTime, findStored, forget, store } from '../metadata.ts';
import type { Row } from '../where/where.ts';
import type { NoteColumns } from './row-notes.ts';

const type = 'Telephony run';
const stopType = 'Telephony run stop';

const hour = 3_600_000;
const day = 24 * hour;

/** How long runs can be read, in milliseconds. */
const kept = 30 * day;

/** How long it may be answered whether to begin, in milliseconds. */
const answerable = hour;

/** After how long without a sign of life a run has ended with its process, in milliseconds. */
const lifeless = 20_000;

/** How many of the newest runs count as earlier ones. */
const mostEarlier = 50;

interface Body {
  /** Who pressed the button, and may see what becomes of it. */
  visitor: string;
  actionId: string;
  /** Which button it was. */
  button: string;
  /** It asks the page what it shows, asks someone whether to begin, is under way, or has ended. */
  state: 'choosing' | 'asked' | 'running' | 'ended';
  /** The button's settings, and the row that it stands on, until the rows are chosen. */
  configuration?: Row;
  row?: Row | undefined;
  tableName?: string;
  /** Where in the table it is noted what became of the rows. */
  notes?: NoteColumns | undefined;
  items: RowItem[];
  /** When someone was told what to know before they say whether to begin. */
  askedAt?: string;
  startedAt?: string;
}

/** Something that is done for rows: the database has it, so that each worker process knows it, and it can be read later. */
export type Run = Stored<Body>;

const ago = (milliseconds: number) => databaseTime(Date.now() - milliseconds);

/** Whether nobody said in time whether to begin: what was shown then is not what is meant now. */
const isLapsed = ({ body: { state }, written_at }: Run) =>
  (state === 'choosing' || state === 'asked') && Number(written_at) < Date.now() - answerable;

/** Forgets runs that are too long ago, and those that nobody said in time whether to begin. */
export async function forgetPastRuns(): Promise<void> {
  await forget({ type, written_at: { lt: ago(kept) } });
  await forget({ type: stopType, written_at: { lt: ago(day) } });
  const old = await findStored<Body>({ type, written_at: { lt: ago(answerable) } });
  for (const run of old) if (isLapsed(run)) await forget({ id: run.id });
}

interface Press {
  visitor: string;
  userId: number | undefined;
  actionId: string;
  configuration: Row;
  row: Row | undefined;
}

/** Notes that someone pressed a button. */
export async function createRun({ userId, ...press }: Press): Promise<Run> {
  await forgetPastRuns();
  const { actionId, configuration } = press;
  const button = createHash('sha256')
    .update(JSON.stringify([actionId, configuration]))
    .digest('hex');
  const body: Body = { ...press, button, state: 'choosing', items: [] };
  return store<Body>({ type, name: randomUUID(), user_id: userId, body });
}

/** A run of somebody's; undefined when there is none, or it is not theirs. */
export async function findRun(
  token: string,
  visitor: string | undefined,
): Promise<Run | undefined> {
  const [run] = await findStored<Body>({ type, name: token });
  return run && run.body.visitor === visitor && !isLapsed(run) ? run : undefined;
}

const startOf = (run: Run) => run.body.startedAt ?? '';

/** What the same button of the same visitor began last besides this. */
export async function lastBegun({ name, body }: Run): Promise<Run | undefined> {
  const { visitor, button } = body;
  const runs = await findStored<Body>(
    { type, body: { json: { visitor, button } } },
    { orderBy: 'id', orderDesc: true },
  );
  const begun = runs.filter((run) => run.name !== name && run.body.startedAt);
  return begun.sort((one, other) => startOf(other).localeCompare(startOf(one)))[0];
}

/** Changes what is known of a run, and says that it is alive. */
export const noteRun = (run: Run, changes: Partial<Body>): Promise<void> =>
  change(run, { body: { ...run.body, ...changes }, written_at: new Date() });

export const stopRun = async ({ name }: Run): Promise<void> => {
  await store({ type: stopType, name, body: {} });
};

/** Whether a run ended with the process that it was under way in. */
export const isInterrupted = ({ body, written_at }: Run): boolean =>
  body.state === 'running' && Number(written_at) < Date.now() - lifeless;

/**
 * Stores how far a run is, and that it is alive.
 *
 * @throws for one that was held up until others took it for ended
 */
export async function saveRun(run: Run): Promise<void> {
  const [stored] = await findStored<Body>({ type, name: run.name });
  if (stored?.body.state !== 'running' || isInterrupted(stored))
    throw new Error('The batch was interrupted for too long.');
  await noteRun(run, {});
}

/** Whether a run is to do nothing more: what others took for ended may have been begun again by them. */
export const isRunStopped = async (run: Run): Promise<boolean> =>
  isInterrupted(run) || (await findStored({ type: stopType, name: run.name })).length > 0;

/** The outcome of each row, as far as the process stored it before it ended. */
export function itemsOf(run: Run): RowItem[] {
  const { items, notes } = run.body;
  return isInterrupted(run) ? interruptedItems(items, notes !== undefined) : items;
}

/** What any button of the action has begun besides a run, the newest first. */
async function earlierBatches({ name, body }: Run): Promise<EarlierBatch[]> {
  const { actionId, button } = body;
  const runs = await findStored<Body>(
    { type, body: { json: { actionId } } },
    { orderBy: 'id', orderDesc: true, limit: mostEarlier },
  );
  return runs
    .filter((run) => run.name !== name && run.body.startedAt)
    .sort((one, other) => startOf(other).localeCompare(startOf(one)))
    .map((run) => ({
      items: itemsOf(run),
      isRunning: run.body.state === 'running' && !isInterrupted(run),
      startedAt: new Date(startOf(run)),
      isSameButton: run.body.button === button,
    }));
}

/**
 * What is to be done now for what was planned: nothing for those who were sent it by a batch that ended early. Where the rows say what
 * became of them, they alone count.
 */
export const openItems = async (run: Run, { items, notes } = run.body): Promise<RowItem[]> =>
  continueBatch(items, notes ? [] : await earlierBatches(run));
