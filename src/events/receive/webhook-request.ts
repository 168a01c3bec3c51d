import { type Sentence, sentence } from '../../text/sentence.ts';
import type { RefusalReason } from '../deliver/event-options.ts';

/** A request to the webhook URL, as a server received it. */
export interface WebhookRequest {
  method: string | undefined;
  /** The path and the query as they arrived. Only the query counts: a proxy may have changed the path. */
  url: string | undefined;
  /** The names in any case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrived, or the parameters of a form that the server has parsed; null or absent without one. */
  body?: string | Uint8Array | object | null | undefined;
}

/** A request whose headers can also be Fetch's `Headers`. */
export type GivenRequest = Omit<WebhookRequest, 'headers'> & {
  headers: WebhookRequest['headers'] | Iterable<readonly [name: string, value: string]>;
};

/** Returns the names and values of an object, or of one that iterates over them, such as Fetch's `Headers` and `FormData`. */
export const pairsOf = (given: object): [name: string, value: unknown][] =>
  Symbol.iterator in given
    ? [...(given as Iterable<[name: string, value: unknown]>)]
    : Object.entries(given);

/** Converts the header names to lower case, which not every server does. */
export function withLowerCaseHeaders(request: GivenRequest): WebhookRequest {
  const headers = pairsOf(request?.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  return { ...request, headers: Object.fromEntries(headers) };
}

/** The sentences of refusals, for the owner of the app. */
export const refusalSentences: Readonly<Record<RefusalReason, Sentence>> = {
  method: sentence(
    'Refused a request that was not a POST. Choose HTTP POST where you enter the webhook URL at the service.',
  ),
  size: sentence("Refused a request that was larger than the service's webhooks."),
  form: sentence('Refused a request that was not a form of the service.'),
  query: sentence(
    'Refused a request whose query differs from the webhook URL. Enter the webhook URL at the service exactly as shown.',
  ),
  signature: sentence(
    'Refused a request without a valid signature. If the service sent it, check the Auth Token, and that you entered the webhook URL at the service exactly as shown.',
  ),
  account: sentence('Refused a request for another account.'),
};

/** The largest accepted body, in bytes. The service's requests have a few thousand. */
export const largestBody = 100_000;

/** The most parameters of a request. The service's have fewer than a hundred. */
export const maxParameters = 500;

/** Whether a value is the memory of a program, which `instanceof` doesn't know if another realm made it. */
const isBuffer = (value: object): value is ArrayBuffer =>
  ['[object ArrayBuffer]', '[object SharedArrayBuffer]'].includes(
    Object.prototype.toString.call(value),
  );

/** Returns the body as text; undefined if the server has already parsed the form. */
export function textOf(body: WebhookRequest['body'] = ''): string | undefined {
  if (body === null) return '';
  if (typeof body === 'string') return body;
  if (isBuffer(body)) return Buffer.from(body).toString('utf8');
  return body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : undefined;
}

/** Returns the size of a request's body in bytes: its actual size, or its `Content-Length` if that is more. */
export function sizeOf({ body, headers }: WebhookRequest): number {
  // A form with a value that isn't text is refused anyway, and the value may not be convertible.
  const isText = (one: unknown) => typeof one === 'string';
  const text = textOf(body) ?? pairsOf(Object(body)).flat(2).filter(isText).join('');
  return Math.max(Buffer.byteLength(text), Number(headers['content-length']) || 0);
}
