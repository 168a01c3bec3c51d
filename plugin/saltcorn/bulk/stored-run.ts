import { createHash, randomUUID } from 'node:crypto';
import type { Stored } from '@saltcorn/data/models/metadata';
import type { RowItem } from '../../../src/index.ts';
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

async function forgetPast() {
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
  await forgetPast();
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

/** What the same button of the same visitor began last besides this. */
export async function lastBegun({ name, body }: Run): Promise<Run | undefined> {
  const { visitor, button } = body;
  const runs = await findStored<Body>(
    { type, body: { json: { visitor, button } } },
    { orderBy: 'id', orderDesc: true },
  );
  const startOf = (run: Run) => run.body.startedAt ?? '';
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

/** Says that a run is alive: not of one that was held up until others took it for ended. */
export async function noteAlive(run: Run): Promise<void> {
  if (!isInterrupted(run)) await noteRun(run, {});
}

/** Whether a run is to do nothing more: what others took for ended may have been begun again by them. */
export const isRunStopped = async (run: Run): Promise<boolean> =>
  isInterrupted(run) || (await findStored({ type: stopType, name: run.name })).length > 0;

/**
 * What became of each row; of what was waiting when the process ended, nobody knows, unless it is noted in the table: then it is found
 * out when it goes on.
 */
export function itemsOf(run: Run): RowItem[] {
  const { items, notes } = run.body;
  if (!isInterrupted(run)) return items;
  const outcome = notes ? 'untried' : 'unknown';
  return items.map((item) =>
    item.outcome === 'waiting' ? { ...item, outcome, message: '' } : item,
  );
}
