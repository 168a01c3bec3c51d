import http from 'node:http';
import https from 'node:https';
import axios, { type AxiosError, type AxiosResponse } from 'axios';
import { definitions } from '../generated/definitions.ts';
import type { Request } from './build-request.ts';
import type { Account } from './check-settings.ts';
import type { Limits } from './limits.ts';
import { stopped, TelephonyError } from './telephony-error.ts';
import { withoutSecrets } from './without-secrets.ts';

/** An answer of the service, whatever its status. */
export interface Answer {
  status: number;
  text: string;
  requestId: string | undefined;
  /** In seconds. */
  retryAfter: number | undefined;
}

// Idle sockets are closed before servers commonly close them, so that a write seldom meets a dead one.
const agentOptions = { keepAlive: true, timeout: 4_000 };
const httpAgent = new http.Agent(agentOptions);
const httpsAgent = new https.Agent(agentOptions);

const headers = {
  Accept: 'application/json',
  'User-Agent': `${definitions.manifest.id}-plugin/${definitions.manifest.version}`,
};
const formHeaders = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };

const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|CERT_.*|ERR_TLS_.*|.*_CERT.*|UNABLE_TO_.*)$/;

// A connection that stood can lose its way too, and then the request may have arrived.
const lostItsWay = /^(read|write) E(HOST|NET)UNREACH/;

const tooLarge = /maxContentLength/;

/** What a network failure means for a read, which can be done again at no harm. */
function readError({ code = '', message }: AxiosError, { host }: URL, { silence }: Limits) {
  if (tooLarge.test(message))
    return new TelephonyError(
      'bad-answer',
      `The service at ${host} answered more than can be read. Ask for a smaller page.`,
    );
  if (code.startsWith('HPE_'))
    return new TelephonyError(
      'bad-answer',
      `What answers at ${host} is no web service. Check the base URL in the plugin's settings.`,
    );
  if (/^(ECONNABORTED|ETIMEDOUT|ERR_CANCELED)$/.test(code))
    return new TelephonyError(
      'timeout',
      `The service at ${host} did not answer within ${silence / 1000} seconds. Try again later.`,
    );
  return new TelephonyError(
    'unavailable',
    `The connection to the service at ${host} broke (${code}). Try again later.`,
  );
}

/**
 * What a request that got no answer ended in.
 *
 * @param error axios's, which holds the credentials and goes no further
 * @param signal what may have stopped it
 */
export function networkError(
  error: AxiosError,
  request: Request,
  limits: Limits,
  signal?: AbortSignal,
) {
  const url = new URL(request.url);
  if (neverConnected.test(error.code ?? '') && !lostItsWay.test(error.message))
    return new TelephonyError(
      'unavailable',
      `The service at ${url.host} cannot be reached (${error.code}). Check the base URL in the plugin's settings and this server's network.`,
    );
  if (request.method === 'POST')
    return new TelephonyError(
      'unknown-outcome',
      'The connection broke before the service answered.',
    );
  return signal?.aborted ? stopped() : readError(error, url, limits);
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

/** How axios sends a request of an account: signed, to nowhere else, and whatever the status of the answer. */
export const axiosOptions = (account: Account, { method, url, body }: Request) => ({
  method,
  url,
  data: body,
  auth: { username: account.username, password: account.password },
  headers: body === undefined ? headers : formHeaders,
  httpAgent,
  httpsAgent,
  proxy: false as const,
  maxRedirects: 0,
  timeout: account.limits.silence,
  validateStatus: () => true,
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
  const { limits } = account;
  const deadline = AbortSignal.timeout(limits.answer);
  const response = await axios
    .request<string>({
      ...axiosOptions(account, request),
      maxContentLength: limits.size,
      responseType: 'text',
      transformResponse: (text) => text,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
    .catch((error: AxiosError) => {
      // The deadline has to be held on to: Node 20 forgets one that only AbortSignal.any knows of.
      const silence = deadline.aborted ? limits.answer : limits.silence;
      throw networkError(error, request, { ...limits, silence }, signal);
    });
  return toAnswer(account, response);
}
