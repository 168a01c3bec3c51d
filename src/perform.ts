import type { Json } from './answer/json.ts';
import { noAnswerError } from './answer/no-answer-error.ts';
import { isOtherLimit } from './answer/other-limit.ts';
import { readAnswer } from './answer/read-answer.ts';
import { isAction, type Operation, requestOf } from './definition/operation.ts';
import { follow } from './follow.ts';
import type { Request } from './request/build-request.ts';
import type { Limits } from './settings/limits.ts';
import { TelephonyError } from './telephony-error.ts';
import type { Connection } from './wire/connection.ts';
import { inTurn } from './wire/in-turn.ts';
import { NoAnswer } from './wire/no-answer.ts';
import type { Turn } from './wire/pace.ts';
import { pause, waitBeforeRetry } from './wire/retry.ts';
import { sendRequest } from './wire/send-request.ts';

/** What every step of an operation needs. */
export interface Context {
  connection: Connection;
  signal: AbortSignal | undefined;
  waiting: AbortSignal | undefined;
  /** Where the service is to report what becomes of actions. */
  reportTo?: string | undefined;
}

async function attempt(
  connection: Connection,
  signal: AbortSignal | undefined,
  operation: Operation,
  request: Request,
): Promise<Json> {
  const reply = await sendRequest(connection, request, signal);
  if (reply instanceof NoAnswer) throw noAnswerError(connection, operation, reply, signal);
  return readAnswer(connection, operation, reply);
}

const complete = (error: TelephonyError, operation: Operation) =>
  new TelephonyError(error.code, error.message, { ...error, request: requestOf(operation) });

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
type Tried = { answer: Json } | { wait: number };

async function tryOnce(
  limits: Limits,
  turn: Turn,
  tries: Tries,
  work: () => Promise<Json>,
): Promise<Tried> {
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

const ignore = async () => {};

/**
 * Sends a request of an operation and reads the answer, and does so again where that can do no harm. Waiting for its turn is not
 * taken from its patience.
 *
 * @param begin awaited whenever a try begins; where it fails, nothing is sent
 * @throws {TelephonyError} whose message says what to do, and whose `request` is what was asked
 */
export async function perform(
  context: Context,
  operation: Operation,
  request: Request,
  begin: () => Promise<void> = ignore,
): Promise<Json> {
  const { connection } = context;
  const { limits, actions } = connection;
  const lane = isAction(operation) ? { ...connection, queue: actions } : connection;
  const running = follow(context.signal);
  const waiting = follow(context.signal, context.waiting);
  const tries: Tries = { count: 0, end: performance.now() + limits.patience };
  try {
    for (;;) {
      const queued = performance.now();
      const tried = await inTurn(lane, waiting.signal, (turn) => {
        tries.count += 1;
        tries.end += performance.now() - queued;
        const work = async () => {
          await begin();
          return attempt(connection, running.signal, operation, request);
        };
        return tryOnce(limits, turn, tries, work);
      });
      if ('answer' in tried) return tried.answer;
      if (tried.wait > 0) await pause(tried.wait, waiting.signal);
    }
  } catch (error) {
    throw error instanceof TelephonyError ? complete(error, operation) : error;
  } finally {
    running.release();
    waiting.release();
  }
}
