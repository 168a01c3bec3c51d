import { isOtherLimit } from './answer/other-limit.ts';
import { follow } from './follow.ts';
import type { Limits } from './settings/limits.ts';
import { TelephonyError } from './telephony-error.ts';
import type { Connection } from './wire/connection.ts';
import { inTurn } from './wire/in-turn.ts';
import type { Turn } from './wire/rate-limiter.ts';
import { pause, waitBeforeRetry } from './wire/retry.ts';

/** Whether the service refused it since there were too many requests, and not too much of something else. */
const isTooFast = (error: unknown): error is TelephonyError =>
  error instanceof TelephonyError && error.status === 429 && !isOtherLimit(error);

/** Tells the account's pace what came of a request that failed; it may hold all of them, or give them up. */
function failed(turn: Turn, error: unknown, wait: number | undefined) {
  if (isTooFast(error))
    return turn.refused(wait ?? (error.retryAfter ?? 0) * 1_000) ? 'is held' : 'is given up';
  if (error instanceof TelephonyError && error.status !== undefined) turn.accepted();
  else turn.ended();
  return 'goes on';
}

interface Tries {
  count: number;
  /** Until when another one may begin, on the clock of `performance.now()`. */
  end: number;
}

/** The answer; or, where it can be tried again, how long that has to wait besides its turn. */
type Tried<Answer> = { answer: Answer } | { wait: number };

async function tryOnce<Answer>(
  limits: Limits,
  turn: Turn,
  tries: Tries,
  work: () => Promise<Answer>,
): Promise<Tried<Answer>> {
  try {
    const answer = await work();
    turn.accepted();
    return { answer };
  } catch (error) {
    const wait = waitBeforeRetry(error, tries.count, limits, tries.end);
    const verdict = failed(turn, error, wait);
    if (wait === undefined || verdict === 'is given up') throw error;
    return { wait: verdict === 'is held' ? 0 : wait };
  }
}

/** What ends the work. */
export interface Stops {
  /** Ends it at any time. */
  signal: AbortSignal | undefined;
  /** Ends only the wait for an attempt. */
  waitSignal?: AbortSignal | undefined;
}

/**
 * Does work that sends a request, in its turn and at the account's pace, and again after a failure that changed nothing. The time it
 * waits for its turn doesn't count against the retry budget.
 *
 * @param connection the account, with the queue to wait in
 * @param stops what ends it early
 * @param work one attempt, counted from 1; a failure that must not be repeated is a result, not an error
 * @throws {TelephonyError} of the last attempt; `aborted` if stopped; `rate-limited` if the service refuses everything for too long
 */
export async function withRetries<Answer>(
  connection: Connection,
  stops: Stops,
  work: (signal: AbortSignal | undefined, attempt: number) => Promise<Answer>,
): Promise<Answer> {
  const { limits } = connection;
  const running = follow(stops.signal);
  const waiting = follow(stops.signal, stops.waitSignal);
  const tries: Tries = { count: 0, end: performance.now() + limits.retryBudgetMs };
  try {
    for (;;) {
      const queued = performance.now();
      const tried = await inTurn(connection, waiting.signal, (turn) => {
        tries.count += 1;
        tries.end += performance.now() - queued;
        return tryOnce(limits, turn, tries, () => work(running.signal, tries.count));
      });
      if ('answer' in tried) return tried.answer;
      if (tried.wait > 0) await pause(tried.wait, waiting.signal);
    }
  } finally {
    running.release();
    waiting.release();
  }
}
