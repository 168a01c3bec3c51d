import type { TelephonyRecord } from '../answer/read-record.ts';
import { follow, whenAborted } from '../follow.ts';
import { eachPage } from '../list/list-pages.ts';
import { oncePer } from '../once-per.ts';
import type { Context } from '../perform.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { Connection } from '../wire/connection.ts';
import { pause } from '../wire/retry.ts';
import type { Ledger, Taker } from './ledger.ts';
import type { Proof } from './proof.ts';

/** The wait before the first look, in milliseconds; it doubles from look to look, with full jitter. */
const firstWait = 500;
const mostLooks = 5;
const mostPages = 10;

/** Statuses by which a service says that it has no such list, or not for this account. */
const lacks = new Set<number | undefined>([401, 403, 404, 405, 410, 501]);

/** The result of a check: the record, or what is known without it. */
export interface Found {
  record?: TelephonyRecord;
  /** Whether the list was read at least once. */
  wasRead?: boolean;
  /** Whether there are records that say the same, of which none is known to be the one. */
  isAmbiguous?: boolean;
  /** Whether the service shows no such list. */
  isMissing?: boolean;
}

// A look that fails is followed by another one: none of them is tried again by itself, or waits behind what is to be sent.
const forLooks = oncePer(
  (connection: Connection): Connection => ({
    ...connection,
    limits: { ...connection.limits, maxAttempts: 1 },
    queue: connection.confirmations,
  }),
);

/** When something was sent at the earliest, by the clock of the service, in milliseconds; undefined while that is not known. */
type Began = () => number | undefined;

/** What to look for. */
export interface Search {
  began: Began;
  /** Who takes the record that is found. */
  taker: Taker;
  /** Whether the one who took a record may be the one that is confirmed. */
  mayBeOurs?(taker: Taker): boolean;
}

/** Whether the service made a record since something was sent, by its own clock. */
function isSince({ clock }: Connection, began: Began, made: Date | undefined): boolean {
  const [earliest, now] = [began(), clock.at(performance.now())];
  if (!made || earliest === undefined || !now) return false;
  const time = made.getTime();
  const isWhole = time % 1_000 === 0;
  const first = isWhole ? Math.floor(earliest / 1_000) * 1_000 : earliest;
  return time >= first && time <= now.latest;
}

/** The records that may be of what was sent, the newest first. */
async function readSince(
  context: Context,
  { source, values, fits, madeAt }: Proof,
  began: Began,
): Promise<TelephonyRecord[]> {
  const found: TelephonyRecord[] = [];
  let pages = 0;
  for await (const { records } of eachPage(context, source, values)) {
    const since = records.filter((record) => isSince(context.connection, began, madeAt(record)));
    found.push(...since.filter(fits));
    pages += 1;
    if (since.length < records.length || pages === mostPages) break;
  }
  return found;
}

/**
 * Takes one of the records that no one took. An equal message in progress may turn out to be its owner, and so may one
 * of which nothing was ever heard: there must be more records than those.
 */
async function takeOne(
  records: TelephonyRecord[],
  { keyOf }: Proof,
  { taker, mayBeOurs = () => false }: Search,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<TelephonyRecord | undefined> {
  const others = new Set(records.flatMap((record) => ledger.underWay(record)));
  await Promise.race([Promise.all([...others].map(({ ended }) => ended)), whenAborted(signal)]);
  if ([...others].some(({ state }) => state === 'in progress')) return undefined;
  const free = records.filter((record) => !ledger.isTaken(keyOf(record)));
  const [oldest] = free.slice(-1);
  const unknown = oldest ? ledger.unknown(oldest, mayBeOurs) : 0;
  const isOurs = (record: TelephonyRecord) => {
    const by = ledger.takerOf(keyOf(record));
    return by !== undefined && mayBeOurs(by);
  };
  const one = free.length > unknown ? oldest : records.findLast(isOurs);
  if (one) ledger.take(keyOf(one), taker);
  return one;
}

async function look(
  context: Context,
  proof: Proof,
  search: Search,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<Found> {
  try {
    const records = await readSince(context, proof, search.began);
    const record = await takeOne(records, proof, search, ledger, signal);
    // A record that another confirmation found may be of this one.
    const isAmbiguous = records.some((one) => {
      const key = proof.keyOf(one);
      return !ledger.isTaken(key) || ledger.takerOf(key)?.since !== undefined;
    });
    return { wasRead: true, isAmbiguous, ...(record && { record }) };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { isMissing: lacks.has(error.status) };
  }
}

async function lookUntil(
  context: Context,
  proof: Proof,
  search: Search,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<Found> {
  let last: Found = {};
  for (let looks = 0; looks < mostLooks && !last.record && !last.isMissing; looks += 1) {
    await pause(Math.random() * firstWait * 2 ** looks, signal).catch(() => {});
    if (signal.aborted) break;
    const found = await look(context, proof, search, ledger, signal);
    last = { ...found, wasRead: found.wasRead || last.wasRead || false };
  }
  return last;
}

/**
 * Looks, a few times and for a while, for the record of something whose answer was lost. Only reads.
 *
 * @param proof where its record is, and how it is known
 * @param search when it was sent, and who looks for it
 * @param ledger which records are somebody else's
 */
export async function findInLog(
  { connection, signal: stop }: Context,
  proof: Proof,
  search: Search,
  ledger: Ledger,
): Promise<Found> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), connection.limits.confirmTimeoutMs);
  const running = follow(stop, late.signal);
  const signal = running.signal ?? late.signal;
  try {
    const context = { connection: forLooks(connection), signal, waitSignal: undefined };
    return await lookUntil(context, proof, search, ledger, signal);
  } finally {
    clearTimeout(timer);
    running.release();
  }
}
