import type { Readable } from 'node:stream';
import type { AxiosResponse } from 'axios';
import { noAnswerError } from '../answer/no-answer-error.ts';
import { withoutSecrets } from '../answer/without-secrets.ts';
import { recordShape } from '../definition/record-shape.ts';
import { sidOf } from '../definition/sid-of.ts';
import { type About, observed } from '../observed.ts';
import { type ErrorCode, type ErrorDetails, stopped, TelephonyError } from '../telephony-error.ts';
import type { Connection, Place } from '../wire/connection.ts';
import { exchange } from '../wire/exchange.ts';
import { headerNames, mediaHeaderNames } from '../wire/header-names.ts';
import { NoAnswer } from '../wire/no-answer.ts';
import { readRetryAfter } from '../wire/retry-after.ts';
import { withRetries } from '../with-retries.ts';
import { mediaKeys, recordOfMediaKey } from './media-key.ts';
import { mediaKinds } from './media-kinds.ts';
import { storedElsewhere } from './stored-elsewhere.ts';
import { unplayableReason } from './unplayable-reason.ts';

/** The audio or the picture of a record, as the service sends it. Its type is one of `audio/…`, or JPEG, PNG, GIF or WebP. */
export interface Media {
  /** 206 for a part, 416 for a part that doesn't exist. */
  status: 200 | 206 | 416;
  /** The headers for type, length and range. */
  headers: Record<string, string>;
  stream: AsyncIterable<Uint8Array>;
}

export interface MediaOptions {
  /** Stops it, also while you read the stream. */
  signal?: AbortSignal | undefined;
  /** Requests a part, like the header `Range`: `bytes=0-1023`. */
  range?: string | undefined;
}

type MediaKind = (typeof mediaKinds)[keyof typeof mediaKinds];

function mediaOf(shapeId: string, given: string | object) {
  const { media } = recordShape(shapeId);
  if (!media) throw new TelephonyError('input', `A record "${shapeId}" has no media.`);
  const record = typeof given === 'string' ? recordOfMediaKey(media, given) : given;
  const isRecord = typeof record === 'object' && record !== null;
  const reason = isRecord ? unplayableReason(shapeId, record) : undefined;
  if (reason) throw new TelephonyError('not-found', reason);
  const path = mediaKeys(media).reduce(
    (text, key) => text.replace(`{${key}}`, () => sidOf(shapeId, record, key)),
    media.path,
  );
  return { request: `GET ${media.path}`, path, kind: mediaKinds[media.kind] };
}

const refusals: Record<number, [ErrorCode, (kind: MediaKind) => string]> = {
  200: ['bad-answer', ({ content }) => `The service did not return ${content}.`],
  401: ['unauthorised', ({ name }) => `The service does not allow access to this ${name}.`],
  404: ['not-found', ({ missing }) => missing],
  429: ['rate-limited', () => 'Rate limit reached for this account. Try again later.'],
};
const sameAs: Record<number, number> = { 206: 200, 403: 401 };

function refusal(kind: MediaKind, status: number | undefined, details: ErrorDetails = {}) {
  const [code, sentence] = refusals[sameAs[status ?? 0] ?? status ?? 0] ?? [
    'unavailable',
    ({ name }) => `The ${name} is currently unavailable.`,
  ];
  return new TelephonyError(code, sentence(kind), { ...details, status });
}

function tooLarge({ name, mostBytes = 0 }: MediaKind) {
  const megabytes = mostBytes / 1024 / 1024;
  return new TelephonyError('bad-answer', `This ${name} is larger than ${megabytes} MB.`);
}

// Whoever reads the sound may take breaks, and the service while it is waited for may not. What broke it off goes no further.
async function* chunksOf(
  kind: MediaKind,
  data: Readable,
  idleTimeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const { mostBytes = Number.POSITIVE_INFINITY } = kind;
  let bytes = 0;
  const wait = () => setTimeout(() => data.destroy(new Error('idle')), idleTimeoutMs);
  let waiting = wait();
  try {
    for await (const chunk of data) {
      clearTimeout(waiting);
      bytes += chunk.length;
      if (bytes > mostBytes) break;
      yield chunk;
      waiting = wait();
    }
  } catch {
    throw signal?.aborted
      ? stopped()
      : new TelephonyError('unavailable', `The download of the ${kind.name} was interrupted.`);
  } finally {
    clearTimeout(waiting);
  }
  if (bytes > mostBytes) throw tooLarge(kind);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function ask(
  { accept }: MediaKind,
  place: Place,
  url: string,
  { signal, range }: MediaOptions,
): Promise<AxiosResponse<Readable> | NoAnswer> {
  // What was compressed on its way could not be asked for in parts.
  const asIs = { Accept: accept, 'Accept-Encoding': 'identity' };
  const headers = { ...asIs, ...(range && { Range: range }) };
  return exchange<Readable>(place, { url, headers, responseType: 'stream', signal });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const isMomentary = (status: number) => status === 429 || status >= 500;

/** What a response holds, or why it holds no such media. */
function read(
  kind: MediaKind,
  connection: Connection,
  { status, headers, data }: AxiosResponse<Readable>,
  signal: AbortSignal | undefined,
): Media | TelephonyError {
  const given = (names: readonly string[]) =>
    Object.fromEntries(
      names
        .filter((name) => typeof headers[name] === 'string')
        .map((name) => [name, String(headers[name])]),
    );
  const isSafe = kind.isSafe(textOf(headers['content-type']) ?? '');
  const isTooLarge = Number(headers['content-length']) > (kind.mostBytes ?? Infinity);
  if ((status === 200 || status === 206) && isSafe && !isTooLarge)
    return {
      status,
      headers: given(mediaHeaderNames),
      stream: chunksOf(kind, data, connection.limits.idleTimeoutMs, signal),
    };
  data.destroy();
  if (isSafe && isTooLarge) return tooLarge(kind);
  if (status === 416) return { status, headers: given(['content-range']), stream: nothing() };
  const requestId = withoutSecrets(connection, textOf(headers[headerNames.requestId]));
  const retryAfter = readRetryAfter(headers[headerNames.retryAfter]);
  return refusal(kind, status, { requestId, retryAfter });
}

/** Opens media in a storage that the service named. It gets no credentials, and its failures say nothing about the service. */
async function openStored(
  kind: MediaKind,
  connection: Connection,
  url: URL,
  options: MediaOptions,
) {
  const { origin, pathname, search } = url;
  const { limits } = connection;
  const response = await ask(kind, { origin, limits }, origin + pathname + search, options);
  if (!(response instanceof NoAnswer)) return read(kind, connection, response, options.signal);
  return options.signal?.aborted ? stopped() : refusal(kind, undefined);
}

/**
 * Opens media where it is: at the service, or in a storage that the service names.
 *
 * @returns an error if trying again can't help
 * @throws {TelephonyError} if it can
 */
async function open(
  kind: MediaKind,
  connection: Connection,
  url: string,
  options: MediaOptions,
  about: About,
) {
  const response = await observed(connection, about, () => ask(kind, connection, url, options));
  if (response instanceof NoAnswer)
    throw noAnswerError(connection, undefined, response, options.signal);
  const elsewhere = storedElsewhere(connection, url, response.status, response.headers.location);
  if (elsewhere) {
    response.data.destroy();
    return openStored(kind, connection, elsewhere, options);
  }
  const opened = read(kind, connection, response, options.signal);
  if (opened instanceof TelephonyError && isMomentary(response.status)) throw opened;
  return opened;
}

/**
 * Opens the sound or the picture of a record, to be passed on while it arrives. The credentials go to the service's own
 * origin only: what a record names as its media's address is not followed, and a redirect once, without them.
 *
 * @param connection to the account whose record it is
 * @param shapeId the id of the record's shape
 * @param record the record, or its media key; of a record it is known whether a browser can show it at all
 * @throws {TelephonyError} when there is none
 */
export async function openMedia(
  connection: Connection,
  shapeId: string,
  record: string | object,
  options: MediaOptions,
): Promise<Media> {
  const { path, request, kind } = mediaOf(shapeId, record);
  const lane = { ...connection, ...connection.media };
  const { signal } = options;
  try {
    const opened = await withRetries(lane, { signal }, (_, attempt) =>
      open(kind, connection, connection.root + path, options, {
        ...{ operation: shapeId, request, attempt },
      }),
    );
    if (opened instanceof TelephonyError) throw opened;
    return opened;
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    throw new TelephonyError(error.code, error.message, { ...error, request });
  }
}
