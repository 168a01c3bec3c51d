import { type EventRequest, largestBody } from './event-request.ts';
import type { ReceiveEvent } from './receive-events.ts';

/** What is needed of a web server's request; Node's and Express's have it. */
export interface IncomingEvent extends AsyncIterable<Uint8Array | string> {
  method?: string | undefined;
  url?: string | undefined;
  /** Express: the address as it came, also below a router. */
  originalUrl?: string | undefined;
  headers: EventRequest['headers'];
  /** The body as it came, where a server keeps it. */
  rawBody?: unknown;
  /** What a server has read of the body. */
  body?: unknown;
  /** Whether the body was read already. */
  readonly readableEnded?: boolean;
}

/** What is needed of the answer to it; Node's and Express's have it. */
export interface EventResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
}

const isBody = (value: unknown): value is EventRequest['body'] =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);

/** Keeps no more than it takes to know that it is too much. */
async function readBody(request: IncomingEvent): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    if (size <= largestBody) chunks.push(bytes);
    size += bytes.length;
  }
  return Buffer.concat(chunks);
}

function bodyOf(request: IncomingEvent) {
  const { rawBody, body, readableEnded, headers } = request;
  const known = [rawBody, body].find(isBody);
  if (known !== undefined && (rawBody !== undefined || readableEnded !== false)) return known;
  // What says itself that it is too large is refused unread.
  return Number(headers['content-length']) > largestBody ? '' : readBody(request);
}

/**
 * Answers a request to the address of events with what `receiveEvents` says.
 *
 * @param receive what `receiveEvents` gave
 * @param request the request of a web server; its body may have been read already
 * @param response the answer to it
 */
export async function answerEvent(
  receive: ReceiveEvent,
  request: IncomingEvent,
  response: EventResponse,
): Promise<void> {
  const { method, url, originalUrl = url, headers } = request;
  let body: EventRequest['body'];
  try {
    body = await bodyOf(request);
  } catch {
    // Whoever sent it is gone.
    return;
  }
  const answer = await receive({ method, url: originalUrl, headers, body });
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}
