import type { AxiosError } from 'axios';
import type { Request } from '../request/build-request.ts';
import type { Limits } from '../settings/limits.ts';
import { stopped, TelephonyError } from '../telephony-error.ts';

const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|CERT_.*|ERR_TLS_.*|.*_CERT.*|UNABLE_TO_.*)$/;

// A connection that stood can lose its way too, and then the request may have arrived.
const lostItsWay = /^(read|write) E(HOST|NET)UNREACH/;

/** What a network failure means for a read, which can be done again at no harm. */
function readError({ code = '' }: AxiosError, { host }: URL, limits: Limits) {
  if (code === 'ERR_TOO_LARGE')
    return new TelephonyError(
      'bad-answer',
      `The service at ${host} answered more than can be read. Ask for a smaller page.`,
    );
  if (code.startsWith('HPE_'))
    return new TelephonyError(
      'bad-answer',
      `What answers at ${host} is no web service. Check the base URL in the plugin's settings.`,
    );
  const patience = { ETIMEDOUT: limits.silence, ERR_DEADLINE: limits.answer }[code];
  if (patience !== undefined)
    return new TelephonyError(
      'timeout',
      `The service at ${host} did not answer within ${patience / 1000} seconds. Try again later.`,
    );
  return new TelephonyError(
    'unavailable',
    `The connection to the service at ${host} broke (${code}). Try again later.`,
  );
}

/**
 * What a request that got no answer ended in.
 *
 * @param error axios's, which goes no further
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
    return new TelephonyError('unknown-outcome', 'No answer of the service could be read.');
  return signal?.aborted ? stopped() : readError(error, url, limits);
}
