import { TelephonyError } from '../../telephony-error.ts';
import { isObject } from '../../text/json.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { WebhookResponse } from '../deliver/webhook-response.ts';
import { largestBody, type WebhookRequest } from './webhook-request.ts';

/** The part of a web server's request that the handler needs. Node's and Express's have it. */
export interface ServerRequest extends AsyncIterable<Uint8Array | string> {
  method?: string | undefined;
  url?: string | undefined;
  /** In Express, the original URL, also below a router. */
  originalUrl?: string | undefined;
  headers: WebhookRequest['headers'];
  /** The raw body, if the server keeps it. */
  rawBody?: unknown;
  /** The body as the server has parsed it. */
  body?: unknown;
  /** Whether the body was read already. */
  readonly readableEnded?: boolean;
}

/** The part of a web server's response that the handler needs. Node's and Express's have it. */
export interface ServerResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
}

type Receive = (request: WebhookRequest) => Promise<WebhookResponse>;

const isBody = (value: unknown): value is WebhookRequest['body'] =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);

/** Reads to the end, but keeps only enough of a large body to reject it. */
async function readBody(stream: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    if (size <= largestBody) chunks.push(bytes);
    size += bytes.length;
  }
  return Buffer.concat(chunks);
}

const isTooLarge = (length: unknown) => Number(length) > largestBody;

function bodyOf(request: ServerRequest) {
  const { rawBody, body, readableEnded, headers } = request;
  const known = [rawBody, body].find(isBody);
  if (known !== undefined && (rawBody !== undefined || readableEnded !== false)) return known;
  // `receive` refuses the request by its `Content-Length`, so its body needs no reading.
  return isTooLarge(headers['content-length']) ? '' : readBody(request);
}

const isFunction = (value: unknown) => typeof value === 'function';

function assertReceive(receive: unknown): void {
  if (!isFunction(receive))
    throw new TelephonyError('input', 'Pass the function that receiveEvents() returns.');
}

function assertServed(request: ServerRequest, response: ServerResponse): void {
  if (!isObject(request?.headers) || ![response?.writeHead, response?.end].every(isFunction))
    throw new TelephonyError('input', 'Pass a request and a response of node:http.');
}

function assertRequest(request: Request): void {
  if (!isFunction(request?.headers?.[Symbol.iterator]) || !parseUrl(request.url))
    throw new TelephonyError('input', "Pass Fetch's Request.");
}

/**
 * A request handler for node:http, Express and servers with the same requests and responses. The body may have been read: as text
 * or bytes in `rawBody`, or as an object in `body`.
 *
 * @param receive the function that `receiveEvents` returned
 * @throws {TelephonyError} with code `input` if it isn't a function
 * @returns a handler that resolves when it has responded; it rejects only for wrong arguments, or if the response can't be written
 */
export function nodeHandler(receive: Receive) {
  assertReceive(receive);
  return async (request: ServerRequest, response: ServerResponse): Promise<void> => {
    assertServed(request, response);
    const { method, url, originalUrl = url, headers } = request;
    let body: WebhookRequest['body'];
    try {
      body = await bodyOf(request);
    } catch {
      // The client disconnected.
      return;
    }
    const result = await receive({ method, url: originalUrl, headers, body });
    response.writeHead(result.status, result.headers);
    response.end(result.body);
  };
}

/**
 * A request handler for servers with Fetch's `Request` and `Response`, such as Hono, Next.js, Deno and Bun.
 *
 * @param receive the function that `receiveEvents` returned
 * @throws {TelephonyError} with code `input` if it isn't a function
 * @returns a handler that resolves to the response; it rejects only if its argument is no `Request`
 */
export function fetchHandler(receive: Receive) {
  assertReceive(receive);
  return async (request: Request): Promise<Response> => {
    assertRequest(request);
    const { method, url } = request;
    const headers = Object.fromEntries(request.headers);
    const { pathname, search } = new URL(url);
    const isUnread = !request.body || isTooLarge(headers['content-length']);
    let body: WebhookRequest['body'] = '';
    try {
      if (!isUnread) body = await readBody(request.body as AsyncIterable<Uint8Array>);
    } catch {
      // The client disconnected, or the body was read before. Without the body, the signature doesn't match.
    }
    const result = await receive({ method, url: pathname + search, headers, body });
    return new Response(result.body, result);
  };
}
