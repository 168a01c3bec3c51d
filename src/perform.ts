import type { Json } from './answer/json.ts';
import { noAnswerError } from './answer/no-answer-error.ts';
import { readAnswer } from './answer/read-answer.ts';
import { type Operation, requestOf } from './definition/operation.ts';
import { follow } from './follow.ts';
import type { Request } from './request/build-request.ts';
import { TelephonyError } from './telephony-error.ts';
import type { Connection } from './wire/connection.ts';
import { inTurn } from './wire/in-turn.ts';
import { NoAnswer } from './wire/no-answer.ts';
import { pause, waitBeforeRetry } from './wire/retry.ts';
import { sendRequest } from './wire/send-request.ts';

/** What every step of an operation needs. */
export interface Context {
  connection: Connection;
  signal: AbortSignal | undefined;
  waiting: AbortSignal | undefined;
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

const ignore = () => {};

/**
 * Sends a request of an operation and reads the answer, and does so again where that can do no harm.
 *
 * @param begin called whenever a try begins
 * @throws {TelephonyError} whose message says what to do, and whose `request` is what was asked
 */
export async function perform(
  context: Context,
  operation: Operation,
  request: Request,
  begin: () => void = ignore,
): Promise<Json> {
  const { connection } = context;
  const running = follow(context.signal);
  const waiting = follow(context.signal, context.waiting);
  const end = performance.now() + connection.limits.patience;
  try {
    for (let tries = 1; ; tries += 1)
      try {
        return await inTurn(connection, waiting.signal, () => {
          begin();
          return attempt(connection, running.signal, operation, request);
        });
      } catch (error) {
        const milliseconds = waitBeforeRetry(error, tries, connection.limits, end);
        if (milliseconds === undefined) throw error;
        await pause(milliseconds, waiting.signal);
      }
  } catch (error) {
    throw error instanceof TelephonyError ? complete(error, operation) : error;
  } finally {
    running.release();
    waiting.release();
  }
}
