import http from 'node:http';
import https from 'node:https';
import axios, { type AxiosError, type AxiosResponse } from 'axios';
import { definitions } from '../generated/definitions.ts';
import type { Request } from './build-request.ts';
import type { Account } from './check-settings.ts';
import { TelephonyError } from './telephony-error.ts';

/** An answer of the service, whatever its status. */
export interface Answer {
  status: number;
  text: string;
  requestId: string | undefined;
  /** In seconds. */
  retryAfter: number | undefined;
}

/** From the first byte sent to the last one received, in milliseconds. */
const timeLimit = 30_000;
/** A page of 1,000 calls is about one million bytes. */
const answerLimit = 20_000_000;

// Idle sockets are closed before servers commonly close them, so that a write seldom meets a dead one.
const agentOptions = { keepAlive: true, timeout: 4_000, maxSockets: 20 };
const httpAgent = new http.Agent(agentOptions);
const httpsAgent = new https.Agent(agentOptions);

const headers = {
  Accept: 'application/json',
  'User-Agent': `${definitions.manifest.id}-plugin/${definitions.manifest.version}`,
};
const formHeaders = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };

const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|CERT_.*|ERR_TLS_.*|.*_CERT.*|UNABLE_TO_.*)$/;

function networkError(error: AxiosError, request: Request, signal?: AbortSignal): TelephonyError {
  const { code = '', status } = error;
  const { host } = new URL(request.url);
  if (neverConnected.test(code))
    return new TelephonyError(
      'unavailable',
      `The service at ${host} cannot be reached (${code}). Check the base URL in the plugin's settings and this server's network.`,
    );
  if (request.method === 'POST')
    return new TelephonyError(
      'unknown-outcome',
      'The connection broke before the service answered.',
      { status },
    );
  if (signal?.aborted) return new TelephonyError('aborted', 'The request was stopped.');
  if (/^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED)$/.test(code))
    return new TelephonyError(
      'timeout',
      `The service at ${host} did not answer within ${timeLimit / 1000} seconds. Try again later.`,
    );
  if (/maxContentLength/.test(error.message))
    return new TelephonyError(
      'bad-answer',
      `The service at ${host} answered more than can be read. Ask for a smaller page.`,
    );
  return new TelephonyError(
    'unavailable',
    `The connection to the service at ${host} broke (${code}). Try again later.`,
  );
}

function toAnswer({ status, data, headers }: AxiosResponse<string>): Answer {
  const retryAfter = Number(headers['retry-after'] ?? Number.NaN);
  return {
    status,
    text: data,
    requestId: headers['twilio-request-id'],
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  };
}

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
  if (signal?.aborted) throw new TelephonyError('aborted', 'The request was stopped.');
  const deadline = AbortSignal.timeout(timeLimit);
  const response = await axios
    .request<string>({
      method: request.method,
      url: request.url,
      data: request.body,
      auth: { username: account.username, password: account.password },
      headers: request.body === undefined ? headers : formHeaders,
      httpAgent,
      httpsAgent,
      proxy: false,
      maxRedirects: 0,
      maxContentLength: answerLimit,
      responseType: 'text',
      transformResponse: (text) => text,
      validateStatus: () => true,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
    .catch((error: AxiosError) => {
      throw networkError(error, request, signal);
    });
  return toAnswer(response);
}
