import { TelephonyError } from '../../telephony-error.ts';
import type { ReceiveEvent } from './receive-events.ts';
import { largestBody, type WebhookRequest } from './webhook-request.ts';

/** What is needed of a web server's request; Node's and Express's have it. */
export interface ServerRequest extends AsyncIterable<Uint8Array | string> {
  method?: string | undefined;
  url?: string | undefined;
  /** Express: the URL as it came, also below a router. */
  originalUrl?: string | undefined;
  headers: WebhookRequest['headers'];
  /** The body as it came, where a server keeps it. */
  rawBody?: unknown;
  /** What a server has read of the body. */
  body?: unknown;
  /** Whether the body was read already. */
  readonly readableEnded?: boolean;
}

/** What is needed of the response to it; Node's and Express's have it. */
export interface ServerResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
}

const isBody = (value: unknown): value is WebhookRequest['body'] =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);

/** Keeps no more than it takes to know that it is too much. */
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
  // The handler refuses it unread, by what the request says of itself.
  return isTooLarge(headers['content-length']) ? '' : readBody(request);
}

function assertReceive(receive: unknown): void {
  if (typeof receive !== 'function')
    throw new TelephonyError('input', 'Pass the function that receiveEvents() returns.');
}

/**
 * A request handler for node:http, Express and servers with the same requests and responses. The body may have been read: as text
 * or bytes in `rawBody`, or as an object in `body`.
 *
 * @param receive what `receiveEvents` returned
 * @throws {TelephonyError} with code `input` if it is no function
 * @returns a handler that resolves when it has responded; it rejects only if the response can't be written
 */
export function nodeHandler(receive: ReceiveEvent) {
  assertReceive(receive);
  return async (request: ServerRequest, response: ServerResponse): Promise<void> => {
    const { method, url, originalUrl = url, headers } = request;
    let body: WebhookRequest['body'];
    try {
      body = await bodyOf(request);
    } catch {
      // The sender is gone.
      return;
    }
    const answer = await receive({ method, url: originalUrl, headers, body });
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  };
}

/**
 * A request handler for servers with Fetch's `Request` and `Response`, such as Hono, Next.js, Deno and Bun.
 *
 * @param receive what `receiveEvents` returned
 * @throws {TelephonyError} with code `input` if it is no function
 * @returns a handler that resolves to the response; it never rejects
 */
export function fetchHandler(receive: ReceiveEvent) {
  assertReceive(receive);
  return async (request: Request): Promise<Response> => {
    const { method, url } = request;
    const headers = Object.fromEntries(request.headers);
    const { pathname, search } = new URL(url);
    const isUnread = !request.body || isTooLarge(headers['content-length']);
    let body: WebhookRequest['body'] = '';
    try {
      if (!isUnread) body = await readBody(request.body as AsyncIterable<Uint8Array>);
    } catch {
      // The sender is gone, or someone has read the body: it can't be checked.
    }
    const answer = await receive({ method, url: pathname + search, headers, body });
    return new Response(answer.body, answer);
  };
}
