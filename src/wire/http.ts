/** A request for a program's own HTTP function. */
export interface HttpRequest {
  method: string;
  url: string;
  /** They contain the credentials. */
  headers: Record<string, string>;
  /** A form; undefined without a body. */
  body: string | undefined;
  /** Aborts if the caller stops the operation, a timeout ends, or the response is too large. */
  signal: AbortSignal;
}

/** A response, whatever its status. */
export interface HttpResponse {
  status: number;
  /** The names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The decompressed body; null without one. It throws if the connection breaks off before the end. */
  body: AsyncIterable<Uint8Array> | null;
}

/**
 * A program's own HTTP function. The promises of this package depend on it, so it must
 *
 * - send each request once: it never retries, because an SMS could be sent twice
 * - follow no redirect, because the credentials would go to another host: a 3xx is a response
 * - send the body and the headers unchanged
 * - return every status as a response
 * - stop when the signal aborts, also in the body
 *
 * It rejects if there is no response. The `code` of the error, or of its cause, is shown to the user. If the error has `notSent: true`, nothing was
 * sent, so the plugin can try again. Otherwise an action may have arrived: the plugin checks the log, and never sends it again.
 */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/** Codes of Node's errors that come before anything is sent: no connection, or no trust in the certificate. */
const notSentCodes = new Set<unknown>([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED'],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
]);

/**
 * Whether an error's code proves that nothing was sent, for an HTTP function that sends with Node.
 *
 * @param code the code of the error
 */
export const isNotSent = (code: unknown): boolean => notSentCodes.has(code);
