import type { Readable } from 'node:stream';
import type { AxiosResponse } from 'axios';
import { noResponseError } from '../answer/no-response-error.ts';
import { withoutSecrets } from '../answer/without-secrets.ts';
import { recordShape } from '../definition/record-shape.ts';
import { sidOf } from '../definition/sid-of.ts';
import { type Attempt, observed } from '../observed.ts';
import { type ErrorCode, type ErrorDetails, stopped, TelephonyError } from '../telephony-error.ts';
import type { Connection, Endpoint } from '../wire/connection.ts';
import { exchange } from '../wire/exchange.ts';
import { headerNames, mediaHeaderNames } from '../wire/header-names.ts';
import { NoResponse } from '../wire/no-response.ts';
import { readRetryAfter } from '../wire/retry-after.ts';
import { withRetries } from '../with-retries.ts';
import { storedElsewhere } from './stored-elsewhere.ts';
import { unplayableReason } from './unplayable-reason.ts';

/** The audio of a record, as the service sends it. Its type is one of `audio/…`. */
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

function mediaOf(shapeId: string, record: string | object) {
  const { media, key } = recordShape(shapeId);
  if (!media) throw new TelephonyError('input', `A record "${shapeId}" has no media.`);
  const isRecord = typeof record === 'object' && record !== null;
  const reason = isRecord ? unplayableReason(shapeId, record) : undefined;
  if (reason) throw new TelephonyError('not-found', reason);
  const sid = sidOf(shapeId, record);
  return { request: `GET ${media.path}`, path: media.path.replace(`{${key}}`, () => sid) };
}

const isSound = (type: unknown) => /^\s*audio\/[^,]+$/i.test(String(type));

const refusals: Record<number, [ErrorCode, string]> = {
  200: ['bad-answer', 'The service did not return audio.'],
  401: ['unauthorised', 'The service does not allow access to this recording.'],
  404: ['not-found', 'This recording has no audio (yet).'],
  429: ['rate-limited', 'Rate limit reached for this account. Try again later.'],
};
const sameAs: Record<number, number> = { 206: 200, 403: 401 };

function refusal(status: number | undefined, details: ErrorDetails = {}) {
  const [code, sentence] = refusals[sameAs[status ?? 0] ?? status ?? 0] ?? [
    'unavailable',
    'The recording is currently unavailable.',
  ];
  return new TelephonyError(code, sentence, { ...details, status });
}

// Whoever reads the sound may take breaks, and the service while it is waited for may not. What broke it off goes no further.
async function* chunksOf(
  data: Readable,
  idleTimeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const wait = () => setTimeout(() => data.destroy(new Error('idle')), idleTimeoutMs);
  let waiting = wait();
  try {
    for await (const chunk of data) {
      clearTimeout(waiting);
      yield chunk;
      waiting = wait();
    }
  } catch {
    throw signal?.aborted
      ? stopped()
      : new TelephonyError('unavailable', 'The download of the recording was interrupted.');
  } finally {
    clearTimeout(waiting);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function ask(
  endpoint: Endpoint,
  url: string,
  { signal, range }: MediaOptions,
): Promise<AxiosResponse<Readable> | NoResponse> {
  // What was compressed on its way could not be asked for in parts.
  const asIs = { Accept: 'audio/*', 'Accept-Encoding': 'identity' };
  const headers = { ...asIs, ...(range && { Range: range }) };
  return exchange<Readable>(endpoint, { url, headers, responseType: 'stream', signal });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const isMomentary = (status: number) => status === 429 || status >= 500;

/** What a response holds, or why it holds no audio. */
function read(
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
  if ((status === 200 || status === 206) && isSound(headers['content-type']))
    return {
      status,
      headers: given(mediaHeaderNames),
      stream: chunksOf(data, connection.limits.idleTimeoutMs, signal),
    };
  data.destroy();
  if (status === 416) return { status, headers: given(['content-range']), stream: nothing() };
  const requestId = withoutSecrets(connection, textOf(headers[headerNames.requestId]));
  const retryAfter = readRetryAfter(headers[headerNames.retryAfter]);
  return refusal(status, { requestId, retryAfter });
}

/** Opens audio in a storage that the service named. It gets no credentials, and its failures say nothing about the service. */
async function openStored(connection: Connection, url: URL, options: MediaOptions) {
  const { origin, pathname, search } = url;
  const { limits } = connection;
  const response = await ask({ origin, limits }, origin + pathname + search, options);
  if (!(response instanceof NoResponse)) return read(connection, response, options.signal);
  return options.signal?.aborted ? stopped() : refusal(undefined);
}

/**
 * Opens audio where it is: at the service, or in a storage that the service names.
 *
 * @returns an error if trying again can't help
 * @throws {TelephonyError} if it can
 */
async function open(connection: Connection, url: string, options: MediaOptions, about: Attempt) {
  const response = await observed(connection, about, () => ask(connection, url, options));
  if (response instanceof NoResponse)
    throw noResponseError(connection, undefined, response, options.signal);
  const elsewhere = storedElsewhere(connection, url, response.status, response.headers.location);
  if (elsewhere) {
    response.data.destroy();
    return openStored(connection, elsewhere, options);
  }
  const opened = read(connection, response, options.signal);
  if (opened instanceof TelephonyError && isMomentary(response.status)) throw opened;
  return opened;
}

/**
 * Opens the sound of a record, to be passed on while it arrives. The credentials go to the service's own
 * origin only: what a record names as its media's address is not followed, and a redirect once, without them.
 *
 * @param connection to the account whose record it is
 * @param shapeId the id of the record's shape
 * @param record the record, or the value of its key; of a record it is known whether its sound can be played at all
 * @throws {TelephonyError} when there is none
 */
export async function openMedia(
  connection: Connection,
  shapeId: string,
  record: string | object,
  options: MediaOptions,
): Promise<Media> {
  const { path, request } = mediaOf(shapeId, record);
  const lane = { ...connection, ...connection.media };
  const { signal } = options;
  try {
    const opened = await withRetries(lane, { signal }, (_, attempt) =>
      open(connection, connection.root + path, options, { operation: shapeId, request, attempt }),
    );
    if (opened instanceof TelephonyError) throw opened;
    return opened;
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    throw new TelephonyError(error.code, error.message, { ...error, request });
  }
}
