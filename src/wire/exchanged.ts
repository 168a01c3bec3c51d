/** A request to an endpoint. */
export interface ExchangeRequest {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  /** The body. */
  data?: string | undefined;
  /** Whether the body of the response is a stream instead of text. */
  responseType?: 'stream';
  /** Aborts the request. */
  abortSignal: AbortSignal | undefined;
}

/** A body while it arrives. */
export type MediaBody = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** A response. */
export interface Exchanged<Data> {
  status: number;
  headers: Readonly<Partial<Record<string, string>>>;
  data: Data;
}

/**
 * Why a request got no response. It isn't an error of axios, which would hold the request with its credentials.
 *
 * The code is one of Node's, such as `ECONNREFUSED` or `HPE_…`, one of a proxy (see `proxyError`), or one of these:
 * `ETIMEDOUT` (the idle timeout), `ERR_DEADLINE` (the timeout), `ERR_TOO_LARGE`, `ERR_CANCELED` (the signal aborted),
 * `ERR_BAD_RESPONSE` (the body broke off) and `ERR_HTTP` (an HTTP function failed without a code).
 */
export class NoResponse {
  /** @param mayHaveArrived whether a connection was open, so that the request may have reached the service */
  constructor(
    readonly code: string,
    readonly mayHaveArrived: boolean,
  ) {}
}

const prefix = 'ERR_PROXY ';

/**
 * Creates the error of a proxy that doesn't connect to the service. It doesn't contain the proxy's address, which can hold a
 * password.
 *
 * @param reason the reason in words, or the error of the connection
 */
export function proxyError(reason: string | (Error & { code?: string })): Error & { code: string } {
  const words =
    typeof reason === 'string'
      ? reason
      : (reason.code ?? reason.message.replace(/^Bad response: /, 'it answers '));
  return Object.assign(new Error(words), { code: prefix + words });
}

/**
 * Returns why a proxy didn't connect.
 *
 * @param code the code of an error
 * @returns undefined if it isn't the code of a `proxyError`
 */
export const proxyErrorReason = (code: string): string | undefined =>
  code.startsWith(prefix) ? code.slice(prefix.length) : undefined;
