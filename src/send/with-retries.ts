import { follow, type Stops } from '../async/follow.ts';
import { isOtherLimit } from '../response/service-fault.ts';
import type { Limits } from '../settings/limits.ts';
import { abortedError, TelephonyError } from '../telephony-error.ts';
import type { Connection } from '../wire/connection.ts';
import type { Permit } from '../wire/rate-limiter.ts';
import { pause, waitBeforeRetry } from '../wire/retry.ts';

/**
 * Does work once the queue has a free slot and the rate limiter permits a request.
 *
 * @param connection the account, whose requests share a queue and a rate limiter
 * @param signal ends the wait
 * @param work the request; it reports its outcome to the permit
 * @throws {TelephonyError} with code `aborted` if the signal aborts before the work begins, `rate-limited` if the service has refused
 *   all requests for too long
 */
function withPermit<Result>(
  { queue, rateLimiter, limits, lane }: Connection,
  signal: AbortSignal | undefined,
  work: (permit: Permit) => Promise<Result>,
): Promise<Result> {
  const begin = async () => {
    if (signal?.aborted) throw abortedError();
    return work(await rateLimiter().acquire(signal, limits.retryBudgetMs, lane));
  };
  if (!signal) return queue(begin);
  return new Promise((resolve, reject) => {
    const stopWaiting = () => reject(abortedError());
    signal.addEventListener('abort', stopWaiting);
    if (signal.aborted) stopWaiting();
    const beginOnce = () => {
      signal.removeEventListener('abort', stopWaiting);
      return begin();
    };
    queue(beginOnce).then(resolve, reject);
  });
}

/** Whether the service refused a request because there were too many requests, not too many of something else. */
const isRateLimited = (error: unknown): error is TelephonyError =>
  error instanceof TelephonyError && error.status === 429 && !isOtherLimit(error);

/** Reports a failure to the rate limiter. It then pauses all requests, has given this one up, or doesn't change. */
function reportFailure(permit: Permit, error: unknown, waitMs: number | undefined) {
  if (isRateLimited(error))
    return permit.recordRefused(waitMs ?? (error.retryAfter ?? 0) * 1_000) ? 'paused' : 'given up';
  if (error instanceof TelephonyError && error.status !== undefined) permit.recordAccepted();
  else permit.release();
  return 'unchanged';
}

interface Attempts {
  count: number;
  /** The latest start of an attempt, on the clock of `performance.now()`. */
  endAt: number;
}

/** The result of an attempt, or the time to wait before the next one, besides the wait for a permit. */
type Attempted<Result> = { result: Result } | { waitMs: number };

async function attempt<Result>(
  limits: Limits,
  permit: Permit,
  attempts: Attempts,
  work: () => Promise<Result>,
): Promise<Attempted<Result>> {
  try {
    const result = await work();
    permit.recordAccepted();
    return { result };
  } catch (error) {
    const waitMs = waitBeforeRetry(error, attempts.count, limits, attempts.endAt);
    const limiter = reportFailure(permit, error, waitMs);
    if (waitMs === undefined || limiter === 'given up') throw error;
    // While all requests are paused, the wait for the next permit is long enough.
    return { waitMs: limiter === 'paused' ? 0 : waitMs };
  }
}

/**
 * Does work that sends a request, within the account's queue and rate limit, and retries it after a failure that changed nothing. The
 * wait for a slot and a permit doesn't count against the retry budget.
 *
 * @param connection the account, with the queue to wait in
 * @param stops the signals that end it early
 * @param work one attempt, counted from 1; a failure that must not be retried is a result, not an error
 * @throws {TelephonyError} of the last attempt; `aborted` if stopped; `rate-limited` if the service refuses everything for too long
 */
export async function withRetries<Result>(
  connection: Connection,
  stops: Stops,
  work: (signal: AbortSignal | undefined, attempt: number) => Promise<Result>,
): Promise<Result> {
  const { limits } = connection;
  const running = follow(stops.signal);
  const waiting = follow(stops.signal, stops.waitSignal);
  const attempts: Attempts = { count: 0, endAt: performance.now() + limits.retryBudgetMs };
  try {
    for (;;) {
      const queuedAt = performance.now();
      const attempted = await withPermit(connection, waiting.signal, (permit) => {
        attempts.count += 1;
        attempts.endAt += performance.now() - queuedAt;
        return attempt(limits, permit, attempts, () => work(running.signal, attempts.count));
      });
      if ('result' in attempted) return attempted.result;
      if (attempted.waitMs > 0) await pause(attempted.waitMs, waiting.signal);
    }
  } finally {
    running.release();
    waiting.release();
  }
}
