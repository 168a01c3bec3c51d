import { whenAborted } from '../async/follow.ts';
import type { Endpoint } from './connection.ts';
import { type Exchanged, type ExchangeRequest, type MediaBody, NoResponse } from './exchanged.ts';
import { bodyHeaders, pickHeaders, requestHeaders } from './headers.ts';
import type { Http, HttpResponse } from './http.ts';
import { watch } from './watch.ts';

/** The code of an error or of its cause, such as `ECONNREFUSED`. The rest of the error could contain the credentials. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = Object(error);
  return [code, Object(cause).code].find(
    (one) => typeof one === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(one),
  );
}

/**
 * Returns why there is no response, or not all of it.
 *
 * @param endedBy the code of the limit or of the caller's signal, if one of these ended the request
 */
function noResponse(error: unknown, endedBy: string | undefined, hasResponse: boolean): NoResponse {
  const isKnown = error instanceof NoResponse;
  if (endedBy !== undefined) return new NoResponse(endedBy, !isKnown || error.mayHaveArrived);
  if (isKnown) return error;
  const code = codeOf(error);
  if (!hasResponse) return new NoResponse(code ?? 'ERR_HTTP', Object(error).notSent !== true);
  const brokeOff = code === undefined || code === 'ECONNRESET';
  return new NoResponse(brokeOff ? 'ERR_BAD_RESPONSE' : code, true);
}

/** @param endTooLarge called once the body is too large */
async function readText(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  endTooLarge: () => void,
): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) endTooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Sends a request once with a program's own HTTP function. The limits and the signal hold even if the function ignores its signal.
 *
 * @returns the response, whatever its status, or the reason why there is none
 */
export async function exchangeWith(
  http: Http,
  endpoint: Endpoint,
  request: ExchangeRequest,
): Promise<Exchanged<string | MediaBody> | NoResponse> {
  const { method = 'GET', url, data: body, headers, responseType, abortSignal } = request;
  if (!url.startsWith(`${endpoint.origin}/`)) throw new RangeError('A request to another origin');
  if (abortSignal?.aborted) return new NoResponse('ERR_CANCELED', false);
  const stop = new AbortController();
  let endedBy: string | undefined;
  let hasResponse = false;
  const end = (code: string) => {
    endedBy ??= code;
    stop.abort();
  };
  const { restartIdle, release } = watch(endpoint, request, end);
  const destroy = () => {
    release();
    stop.abort();
  };
  const ended = whenAborted(stop.signal).then(() => Promise.reject(stop.signal.reason));
  ended.catch(() => {});

  async function* chunksOf({ body: chunks }: HttpResponse) {
    if (!chunks) return release();
    const iterator = chunks[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await Promise.race([iterator.next(), ended]);
        if (done) return;
        restartIdle();
        yield value as Uint8Array;
      }
    } finally {
      destroy();
      // A function that ignores its signal may never return.
      iterator.return?.().catch(() => {});
    }
  }

  try {
    const sent = http({
      ...{ method, url, body, signal: stop.signal },
      headers: { ...requestHeaders(endpoint), ...(body !== undefined && bodyHeaders), ...headers },
    });
    // If the function rejects at once when it is aborted, its reason comes first: it can prove that nothing was sent.
    const response = await Promise.race([sent, ended]);
    hasResponse = true;
    restartIdle();
    const chunks = chunksOf(response);
    const { maxResponseBytes } = endpoint.limits;
    const data =
      responseType === 'stream'
        ? Object.assign(chunks, { destroy })
        : await readText(chunks, maxResponseBytes, () => end('ERR_TOO_LARGE'));
    return { status: response.status, headers: pickHeaders(response.headers), data };
  } catch (error) {
    destroy();
    return noResponse(error, endedBy, hasResponse);
  }
}
