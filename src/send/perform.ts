import type { Stops } from '../async/follow.ts';
import { inOrder } from '../async/in-order.ts';
import { notify } from '../async/notify.ts';
import { isAction, isDeletion, type Operation, requestOf } from '../definition/operation.ts';
import { noResponseError } from '../response/no-response-error.ts';
import { hasUnknownOutcome } from '../response/outcome.ts';
import { readResponse } from '../response/read-response.ts';
import { addressOf } from '../settings/check-settings.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { Json } from '../text/json.ts';
import { type Connection, connectionTo, type RequestReport } from '../wire/connection.ts';
import { NoResponse } from '../wire/exchanged.ts';
import { type Request, sendRequest } from '../wire/send-request.ts';
import { withRetries } from './with-retries.ts';

/** The lane of single actions, unless their caller names another. */
const singleLane = 'single';

/** The lane of batches, whose rows have a queue of their own. */
export const batchLane = 'batches';

/** Counts the records of a list that the service sent without their key. They are left out. */
export interface UnreadableRecords {
  count: number;
}

/** What every step of an operation needs. */
export interface Context {
  connection: Connection;
  signal: AbortSignal | undefined;
  waitSignal: AbortSignal | undefined;
  /** The lane of an action. */
  lane?: string | undefined;
  /** Identifies the recipient of an action, or the record that it is about. Its actions are sent in order. */
  recipient?: string | undefined;
  /** The webhook URL at which the service reports the status of actions. */
  statusCallback?: string | null | undefined;
  /** Whether a person has confirmed it, so that only limits that someone set refuse it. */
  isConfirmed?: boolean | undefined;
  /** Counts the records of its lists that can't be read. */
  unreadable?: UnreadableRecords | undefined;
}

async function attempt(
  connection: Connection,
  signal: AbortSignal | undefined,
  operation: Operation,
  request: Request,
  count: number,
): Promise<Json> {
  const response = await observed(
    connection,
    { operation: operation.id, request: requestOf(operation), attempt: count },
    () => sendRequest(connection, request, signal),
  );
  if (response instanceof NoResponse)
    throw noResponseError(connection, operation, response, signal);
  return readResponse(connection, operation, response);
}

/**
 * Returns a function that does the attempts of a deletion. It retries one whose outcome is unknown, because what is deleted stays deleted.
 * If the record is then not found, the earlier attempt has deleted it.
 */
function deletionAttempts() {
  let lost: TelephonyError | undefined;
  return {
    async attempt(work: () => Promise<Json>): Promise<Json> {
      try {
        return await work();
      } catch (error) {
        if (hasUnknownOutcome(error)) {
          lost = error;
          throw new TelephonyError('unavailable', error.said, error);
        }
        if (lost && error instanceof TelephonyError && error.code === 'not-found') return {};
        throw error;
      }
    },
    /** The error after the last attempt. */
    errorOf: (error: unknown) => (lost && error instanceof TelephonyError ? lost : error),
  };
}

const withRequest = (error: TelephonyError, operation: Operation) =>
  new TelephonyError(error.code, error.said, { ...error, request: requestOf(operation) });

/**
 * Sends the request of an operation and parses the response. Retries it if the failure changed nothing at the service. The wait for
 * earlier actions to the same recipient, a slot and a permit doesn't count against the retry budget.
 *
 * @param requestFor returns the request; awaited before each attempt. If it fails, nothing is sent
 * @throws {TelephonyError} with the `request`, and a message that says what to do
 */
export async function perform(
  context: Context,
  operation: Operation,
  requestFor: () => Request | Promise<Request>,
): Promise<Json> {
  const { signal, waitSignal, lane = singleLane, recipient } = context;
  const connection = connectionTo(context.connection, addressOf(context.connection, operation));
  const queued = isAction(operation)
    ? {
        ...connection,
        queue: lane === batchLane ? connection.batches : connection.actions(lane),
        lane: `actions ${lane}`,
      }
    : connection;
  const deletion = isDeletion(operation) ? deletionAttempts() : undefined;
  const send = (stops: Stops) =>
    withRetries(queued, stops, async (running, count) => {
      const request = await requestFor();
      const work = () => attempt(connection, running, operation, request, count);
      return deletion ? deletion.attempt(work) : work();
    });
  try {
    return recipient === undefined
      ? await send({ signal, waitSignal })
      : await inOrder(`${context.connection.root} ${recipient}`, { signal, waitSignal }, send);
  } catch (caught) {
    const error = deletion ? deletion.errorOf(caught) : caught;
    throw error instanceof TelephonyError ? withRequest(error, operation) : error;
  }
}

/** The operation, request and number of an attempt. */
export type Attempt = Pick<RequestReport, 'operation' | 'request' | 'attempt'>;

/** Sends a request and reports the attempt to `onRequest`. */
export async function observed<Response extends object>(
  { onRequest }: Connection,
  attempt: Attempt,
  send: () => Promise<Response>,
): Promise<Response> {
  if (!onRequest) return send();
  const startedAt = performance.now();
  const response = await send();
  const status =
    'status' in response && typeof response.status === 'number' ? response.status : undefined;
  notify(onRequest, { ...attempt, status, durationMs: performance.now() - startedAt });
  return response;
}
