import { follow, whenAborted } from '../async/follow.ts';
import { oncePer } from '../async/once.ts';
import { startTimer } from '../async/timers.ts';
import { eachPage } from '../list/list-pages.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import type { Context } from '../send/perform.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { Connection } from '../wire/connection.ts';
import { pause } from '../wire/retry.ts';
import { type Claimant, type Ledger, memoryMs } from './ledger.ts';
import type { LogQuery } from './log-query.ts';
import { type StoredWrites, storeClaim, storedWrites } from './stored-writes.ts';

/** The wait before the first check, in milliseconds. It doubles from check to check, with full jitter. */
const firstWaitMs = 500;
const maxChecks = 5;
const maxPages = 10;

/** Statuses that mean that the service has no such list, or not for this account. */
const missingStatuses = new Set<number | undefined>([401, 403, 404, 405, 410, 501]);

/** The result of a check: the record, or what is known without it. */
export interface LogCheck {
  record?: TelephonyRecord;
  /** Whether the log has entries that can't be read. */
  hasUnreadable?: boolean;
  /** Whether the log was read at least once. */
  wasRead?: boolean;
  /** Whether the log has matching records that may belong to other writes. */
  isAmbiguous?: boolean;
  /** Whether the store, which knows the writes of other processes, could not be read. */
  isStoreAway?: boolean;
  /** Whether the service has no such log. */
  isMissing?: boolean;
}

// A failed check isn't retried, because another check follows it. Checks don't wait behind the actions that follow.
const connectionForChecks = oncePer(
  (connection: Connection): Connection => ({
    ...connection,
    limits: { ...connection.limits, maxAttempts: 1 },
    queue: connection.confirmations,
  }),
);

/** The earliest time at which an action was sent, by the service's clock, in milliseconds; undefined while it is unknown. */
type Since = () => number | undefined;

export interface Search {
  since: Since;
  /** Who claims the record. */
  claimant: Claimant;
  /** Whether an equal write, or the claimant of a record, may be the action that is being confirmed. */
  mayBeOurs(claimant: Claimant): boolean;
}

/** Whether the service created a record after an action was sent, by the service's clock. */
function isCreatedSince({ clock }: Connection, since: Since, created: Date | undefined): boolean {
  const [earliest, now] = [since(), clock.at(performance.now())];
  if (!created || earliest === undefined || !now) return false;
  const time = created.getTime();
  const isInSeconds = time % 1_000 === 0;
  const first = isInSeconds ? Math.floor(earliest / 1_000) * 1_000 : earliest;
  return time >= first && time <= now.latest;
}

/** Reads the matching records that were created since, newest first. */
async function readMatches(
  context: Context,
  { source, values, matches, createdAt }: LogQuery,
  since: Since,
): Promise<TelephonyRecord[]> {
  const found: TelephonyRecord[] = [];
  let pages = 0;
  for await (const { records } of eachPage(context, source, values())) {
    const recent = records.filter((record) =>
      isCreatedSince(context.connection, since, createdAt(record)),
    );
    found.push(...recent.filter(matches));
    pages += 1;
    if (recent.length < records.length || pages === maxPages) break;
  }
  return found;
}

/** Waits until the equal writes of this process are no longer in progress. Resolves to false if the signal aborts before. */
async function equalWritesEnded(
  records: TelephonyRecord[],
  ledger: Ledger,
  signal: AbortSignal,
): Promise<boolean> {
  const others = ledger.inProgress(records);
  await Promise.race([Promise.all(others.map(({ ended }) => ended)), whenAborted(signal)]);
  return others.every(({ state }) => state !== 'in progress');
}

/** Reads the equal writes that the store knows and the ledger doesn't: of other processes, and from before a restart. */
async function readStored(
  { connection }: Context,
  query: LogQuery,
  { since }: Search,
  ledger: Ledger,
): Promise<StoredWrites> {
  const earliest = (since() ?? 0) - memoryMs;
  const isRecent = ({ sentAt = 0 }: Claimant) =>
    (connection.clock.at(sentAt)?.latest ?? earliest) >= earliest;
  const { open, claims } = await storedWrites(connection, query);
  return { open: open.filter((one) => !ledger.remembers(one.id) && isRecent(one)), claims };
}

/**
 * Claims one of the records that no write has claimed. An equal write with an unknown outcome may own one of the records too, so it needs
 * more unclaimed records than such writes. One of another process may still get a response with any of them, so then it claims none.
 */
async function claimOne(
  { connection }: Context,
  records: TelephonyRecord[],
  stored: StoredWrites,
  query: LogQuery,
  { claimant, mayBeOurs: mayBe }: Search,
  ledger: Ledger,
): Promise<LogCheck> {
  const mayBeOurs = (owner: Claimant) =>
    mayBe(owner) && (!query.isVague || owner.identity === query.identity);
  const ownerOf = (record: TelephonyRecord) => {
    const key = query.keyOf(record);
    return ledger.claimantOf(key) ?? stored.claims.get(key);
  };
  const unclaimed = records.filter((record) => !ownerOf(record));
  const open: Claimant[] = [...ledger.unknown(records), ...stored.open];
  const own = open.find(mayBeOurs);
  const others = open.filter((write) => write !== own);
  const isIdentified = !query.isVague || unclaimed.length === 1;
  const isFree =
    isIdentified && unclaimed.length > others.length && !stored.open.some((write) => write !== own);
  const free = isFree ? unclaimed.at(-1) : undefined;
  const claimed = records.findLast((record) => {
    const owner = ownerOf(record);
    // A record that an equal write has claimed isn't ours if ours may be one whose record is unknown.
    return owner && mayBeOurs(owner) && (owner.since !== undefined || !own);
  });
  const one = free ?? claimed;
  // A record that another later confirmation claimed may be the one of this action.
  const isAmbiguous = records.some((record) => {
    const owner = ownerOf(record);
    return !owner || owner.since !== undefined || mayBeOurs(owner);
  });
  if (!one) return { wasRead: true, isAmbiguous };
  const key = query.keyOf(one);
  const { sentAt, since } = claimant;
  const claim = { id: own?.id ?? claimant.id, sentAt, since, identity: query.identity };
  const isStored = !free || (await storeClaim(connection, query, key, claim));
  // Meanwhile, another confirmation may have claimed it.
  if (!isStored || (free && ledger.isClaimed(key))) return { wasRead: true, isAmbiguous };
  ledger.claim(key, claim);
  return { wasRead: true, record: one };
}

async function checkOnce(
  context: Context,
  query: LogQuery,
  search: Search,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<LogCheck> {
  let records: TelephonyRecord[];
  try {
    records = await readMatches(context, query, search.since);
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { isMissing: missingStatuses.has(error.status) };
  }
  if (records.length === 0) return { wasRead: true };
  if (!(await equalWritesEnded(records, ledger, signal)))
    return { wasRead: true, isAmbiguous: true };
  // Read after the log: what made one of the records was stored before.
  const claiming = readStored(context, query, search, ledger).then((stored) =>
    claimOne(context, records, stored, query, search, ledger),
  );
  const storeAway: LogCheck = { wasRead: true, isStoreAway: true };
  const stopped = whenAborted(signal).then(() => storeAway);
  return Promise.race([claiming, stopped]).catch(() => storeAway);
}

async function checkUntilFound(
  context: Context,
  query: LogQuery,
  search: Search,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<LogCheck> {
  let last: LogCheck = {};
  for (let checks = 0; checks < maxChecks && !last.record && !last.isMissing; checks += 1) {
    await pause(Math.random() * firstWaitMs * 2 ** checks, signal).catch(() => {});
    if (signal.aborted) break;
    const found = await checkOnce(context, query, search, ledger, signal);
    last = { ...found, wasRead: found.wasRead || last.wasRead || false };
  }
  return last;
}

/**
 * Checks the log up to five times, within `confirmTimeoutMs`, for the record of an action whose response was lost. Only reads.
 *
 * @param query how to find the record
 * @param search when the action was sent, and who claims the record
 * @param ledger which records belong to other writes
 */
export async function findInLog(
  { connection, signal: stop }: Context,
  query: LogQuery,
  search: Search,
  ledger: Ledger,
): Promise<LogCheck> {
  const timeout = new AbortController();
  const stopTimer = startTimer(connection.limits.confirmTimeoutMs, () => timeout.abort());
  const running = follow(stop, timeout.signal);
  const signal = running.signal ?? timeout.signal;
  try {
    const unreadable = { count: 0 };
    const checks = { connection: connectionForChecks(connection), signal, waitSignal: undefined };
    const check = await checkUntilFound({ ...checks, unreadable }, query, search, ledger, signal);
    return { ...check, hasUnreadable: unreadable.count > 0 };
  } finally {
    stopTimer();
    running.release();
  }
}
