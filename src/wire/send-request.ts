import type { AxiosError, AxiosResponse } from 'axios';
import { withoutSecrets } from '../answer/without-secrets.ts';
import type { Request } from '../request/build-request.ts';
import type { Account } from '../settings/check-settings.ts';
import { clientOf } from './client-of.ts';
import { networkError } from './network-error.ts';

/** An answer of the service, whatever its status. */
export interface Answer {
  status: number;
  text: string;
  requestId: string | undefined;
  /** In seconds. */
  retryAfter: number | undefined;
}

/** Seconds to wait, from a header that gives them or a date. */
function readRetryAfter(text: unknown): number | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

const toAnswer = (account: Account, { status, data, headers }: AxiosResponse<string>): Answer => ({
  status,
  text: data,
  requestId: withoutSecrets(account, headers['twilio-request-id']),
  retryAfter: readRetryAfter(headers['retry-after']),
});

/**
 * Sends a request once and resolves to whatever the service answers, also a refusal. Follows no redirect,
 * so that the credentials reach no other place.
 *
 * @param account whose credentials sign the request
 * @param request the request
 * @param signal stops it
 * @throws {TelephonyError} when there is no answer. For a POST that may have arrived the code is
 *   `unknown-outcome`.
 */
export async function sendRequest(
  account: Account,
  request: Request,
  signal?: AbortSignal,
): Promise<Answer> {
  const { method, url, body } = request;
  const client = await clientOf(account);
  const response = await client
    .request<string>({
      method,
      url,
      ...(body !== undefined && { data: body }),
      ...(signal && { signal }),
    })
    .catch((error: AxiosError) => {
      throw networkError(error, request, account.limits, signal);
    });
  return toAnswer(account, response);
}
