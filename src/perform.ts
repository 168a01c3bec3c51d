import { type Json, readAnswer } from './answer/read-answer.ts';
import type { Operation, Request } from './request/build-request.ts';
import type { Account } from './settings/check-settings.ts';
import { stopped, TelephonyError } from './telephony-error.ts';
import { retry } from './wire/retry.ts';
import { sendRequest } from './wire/send-request.ts';

/** What every step of an operation needs. */
export interface Context {
  account: Account;
  signal: AbortSignal | undefined;
}

const advice = (operation: Operation) =>
  'ifUnknown' in operation
    ? ` "${operation.name}" may have been done or not; it was not sent again. ${operation.ifUnknown}`
    : '';

function complete(error: TelephonyError, operation: Operation) {
  const { code, message } = error;
  const { method, path } = operation.request;
  const explained = code === 'unknown-outcome' ? message + advice(operation) : message;
  return new TelephonyError(code, `${explained} [${method} ${path}]`, error);
}

/** Does a piece of work when its turn has come; waiting for the turn can be stopped. */
function inTurn<T>({ account, signal }: Context, work: () => Promise<T>): Promise<T> {
  if (!signal) return account.queue(work);
  return new Promise((resolve, reject) => {
    const stopWaiting = () => reject(stopped());
    signal.addEventListener('abort', stopWaiting);
    const begin = async () => {
      signal.removeEventListener('abort', stopWaiting);
      if (signal.aborted) throw stopped();
      return work();
    };
    if (signal.aborted) stopWaiting();
    account.queue(begin).then(resolve, reject);
  });
}

/**
 * Sends a request of an operation and reads the answer, and does so again where that can do no harm.
 *
 * @throws {TelephonyError} whose message says what to do and ends in the method and path
 */
export async function perform(
  context: Context,
  operation: Operation,
  request: Request,
): Promise<Json> {
  const { account, signal } = context;
  const attempt = async () => {
    const answer = await sendRequest(account, request, signal);
    return readAnswer(account, operation, answer);
  };
  try {
    return await retry(() => inTurn(context, attempt), account.limits, signal);
  } catch (error) {
    throw error instanceof TelephonyError ? complete(error, operation) : error;
  }
}
