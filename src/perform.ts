import type { Json } from './answer/json.ts';
import { noAnswerError } from './answer/no-answer-error.ts';
import { readAnswer } from './answer/read-answer.ts';
import { isAction, type Operation, requestOf } from './definition/operation.ts';
import { observed } from './observed.ts';
import type { Request } from './request/build-request.ts';
import { TelephonyError } from './telephony-error.ts';
import type { Connection } from './wire/connection.ts';
import { NoAnswer } from './wire/no-answer.ts';
import { sendRequest } from './wire/send-request.ts';
import { withRetries } from './with-retries.ts';

/** What every step of an operation needs. */
export interface Context {
  connection: Connection;
  signal: AbortSignal | undefined;
  waitSignal: AbortSignal | undefined;
  /** The webhook URL at which the service reports the status of actions. */
  statusCallback?: string | null | undefined;
}

async function attempt(
  connection: Connection,
  signal: AbortSignal | undefined,
  operation: Operation,
  request: Request,
  count: number,
): Promise<Json> {
  const reply = await observed(
    connection,
    { operation: operation.id, request: requestOf(operation), attempt: count },
    () => sendRequest(connection, request, signal),
  );
  if (reply instanceof NoAnswer) throw noAnswerError(connection, operation, reply, signal);
  return readAnswer(connection, operation, reply);
}

const complete = (error: TelephonyError, operation: Operation) =>
  new TelephonyError(error.code, error.message, { ...error, request: requestOf(operation) });

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
  const { connection, signal, waitSignal } = context;
  const lane = isAction(operation) ? { ...connection, queue: connection.actions } : connection;
  try {
    return await withRetries(lane, { signal, waitSignal }, async (running, count) => {
      await begin();
      return attempt(connection, running, operation, request, count);
    });
  } catch (error) {
    throw error instanceof TelephonyError ? complete(error, operation) : error;
  }
}
