import { follow, whenAborted } from '../follow.ts';
import { eachPage } from '../list/list-pages.ts';
import { oncePer } from '../once-per.ts';
import type { Context } from '../perform.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import { TelephonyError } from '../telephony-error.ts';
import { startTimer } from '../timers.ts';
import type { Connection } from '../wire/connection.ts';
import { pause } from '../wire/retry.ts';
import type { Claimant, Ledger } from './ledger.ts';
import type { LogQuery } from './log-query.ts';

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
  /** Whether another claimant of a record may be the action that is being confirmed. */
  mayBeOurs?(claimant: Claimant): boolean;
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

/**
 * Claims one of the records that no write has claimed. Waits for equal writes in progress first. An equal write with an unknown outcome
 * may own one of the records too, so it needs more unclaimed records than such writes.
 */
async function claimOne(
  records: TelephonyRecord[],
  { keyOf }: LogQuery,
  { claimant, mayBeOurs = () => false }: Search,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<TelephonyRecord | undefined> {
  const others = new Set(records.flatMap((record) => ledger.inProgress(record)));
  await Promise.race([Promise.all([...others].map(({ ended }) => ended)), whenAborted(signal)]);
  if ([...others].some(({ state }) => state === 'in progress')) return undefined;
  const unclaimed = records.filter((record) => !ledger.isClaimed(keyOf(record)));
  const [oldest] = unclaimed.slice(-1);
  const unknown = oldest ? ledger.countUnknown(oldest, mayBeOurs) : 0;
  const isOurs = (record: TelephonyRecord) => {
    const other = ledger.claimantOf(keyOf(record));
    return other !== undefined && mayBeOurs(other);
  };
  const one = unclaimed.length > unknown ? oldest : records.findLast(isOurs);
  if (one) ledger.claim(keyOf(one), claimant);
  return one;
}

async function checkOnce(
  context: Context,
  query: LogQuery,
  search: Search,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<LogCheck> {
  try {
    const records = await readMatches(context, query, search.since);
    const record = await claimOne(records, query, search, ledger, signal);
    // A record that another later confirmation claimed may be the one of this action.
    const isAmbiguous = records.some((one) => {
      const key = query.keyOf(one);
      return !ledger.isClaimed(key) || ledger.claimantOf(key)?.since !== undefined;
    });
    return { wasRead: true, isAmbiguous, ...(record && { record }) };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { isMissing: missingStatuses.has(error.status) };
  }
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
