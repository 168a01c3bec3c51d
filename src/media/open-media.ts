import { startTimer } from '../async/timers.ts';
import { recordShape, sidOf } from '../definition/operation.ts';
import { noResponseError } from '../response/no-response-error.ts';
import { withoutSecrets } from '../response/without-secrets.ts';
import { type Attempt, observed } from '../send/perform.ts';
import { withRetries } from '../send/with-retries.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import {
  abortedError,
  type ErrorCode,
  type ErrorDetails,
  TelephonyError,
} from '../telephony-error.ts';
import { parseUrl } from '../text/parse-url.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import type { Connection, Endpoint } from '../wire/connection.ts';
import { type Exchanged, type MediaBody, NoResponse } from '../wire/exchanged.ts';
import { headerNames, mediaHeaderNames } from '../wire/headers.ts';
import { readRetryAfter } from '../wire/retry.ts';
import { exchange } from '../wire/send-request.ts';
import { mediaKeys, recordOfMediaKey } from './media-key.ts';
import { mediaKinds, unplayableReason } from './media-kinds.ts';

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the URL to which the service redirects a request for audio.
 *
 * @param settings the account, whose credentials must not be in the URL
 * @param url the requested URL
 * @param status the status of the response
 * @param location the `Location` header of the response
 * @returns undefined if it isn't a redirect, or leads neither to https nor to the service's own origin
 */
export function storedElsewhere(
  settings: CheckedSettings,
  url: string,
  status: number,
  location: string | undefined,
): URL | undefined {
  if (!redirects.has(status) || !location) return undefined;
  const target = parseUrl(location, url);
  if (!target || withoutSecrets(settings, location) !== location) return undefined;
  return target.protocol === 'https:' || target.origin === settings.origin ? target : undefined;
}

/** The audio or the picture of a record, as the service sends it. Its type is one of `audio/…`, or JPEG, PNG, GIF or WebP. */
export interface Media {
  /** 206 for a part, 416 if that part doesn't exist. */
  status: 200 | 206 | 416;
  /** The headers for type, length and range. */
  headers: Record<string, string>;
  stream: AsyncIterable<Uint8Array>;
}

export interface MediaOptions {
  /** Aborts the request, and the stream while you read it. */
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
  if (reason) throw new TelephonyError('not-found', { text: reason });
  const path = mediaKeys(media).reduce(
    (text, key) => text.replace(`{${key}}`, () => sidOf(shapeId, record, key)),
    media.path,
  );
  return { request: `GET ${media.path}`, path, kind: mediaKinds[media.kind] };
}

const rateLimited = sentence('Rate limit reached for this account. Try again later.');

const refusals: Record<number, [ErrorCode, (kind: MediaKind) => Sentence]> = {
  200: ['bad-answer', ({ otherContent }) => otherContent],
  401: ['unauthorised', ({ notAllowed }) => notAllowed],
  404: ['not-found', ({ missing }) => missing],
  429: ['rate-limited', () => rateLimited],
};
const equivalentStatuses: Record<number, number> = { 206: 200, 403: 401 };

function refusal(kind: MediaKind, status: number | undefined, details: ErrorDetails = {}) {
  const [code, sentenceFor] = refusals[equivalentStatuses[status ?? 0] ?? status ?? 0] ?? [
    'unavailable',
    ({ unavailable }: MediaKind) => unavailable,
  ];
  return new TelephonyError(code, sentenceFor(kind), { ...details, status });
}

const tooLarge = (said: Sentence) => new TelephonyError('bad-answer', said);

// The idle timeout applies only while the next chunk is awaited, so the caller may pause. The caller doesn't see the original error, which
// could contain a secret.
async function* readChunks(
  kind: MediaKind,
  data: MediaBody,
  idleTimeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const { most } = kind;
  let bytes = 0;
  const startIdle = () => startTimer(idleTimeoutMs, () => data.destroy());
  let stopIdle = startIdle();
  try {
    for await (const chunk of data) {
      stopIdle();
      bytes += chunk.length;
      if (most && bytes > most.bytes) break;
      yield chunk;
      stopIdle = startIdle();
    }
  } catch {
    throw signal?.aborted
      ? abortedError()
      : new TelephonyError('unavailable', sentence('The download was interrupted.'));
  } finally {
    stopIdle();
  }
  if (most && bytes > most.bytes) throw tooLarge(most.said);
}

async function* emptyStream(): AsyncGenerator<Uint8Array> {}

async function requestMedia(
  { accept }: MediaKind,
  endpoint: Endpoint,
  url: string,
  { signal, range }: MediaOptions,
): Promise<Exchanged<MediaBody> | NoResponse> {
  // Ranges don't work with a compressed body.
  const uncompressed = { Accept: accept, 'Accept-Encoding': 'identity' };
  const headers = { ...uncompressed, ...(range && { Range: range }) };
  return exchange<MediaBody>(endpoint, {
    url,
    headers,
    responseType: 'stream',
    abortSignal: signal,
  });
}

const isTemporary = (status: number) => status === 429 || status >= 500;

/** Returns the media of a response, or the error that says why it has none. */
function toMedia(
  kind: MediaKind,
  connection: Connection,
  { status, headers, data }: Exchanged<MediaBody>,
  signal: AbortSignal | undefined,
): Media | TelephonyError {
  const pickHeaders = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    );
  const isSafe = kind.isSafe(headers['content-type'] ?? '');
  const { most } = kind;
  const isTooLarge = most && Number(headers['content-length']) > most.bytes;
  if ((status === 200 || status === 206) && isSafe && !isTooLarge)
    return {
      status,
      headers: pickHeaders(mediaHeaderNames),
      stream: readChunks(kind, data, connection.limits.idleTimeoutMs, signal),
    };
  data.destroy();
  if (isSafe && isTooLarge) return tooLarge(most.said);
  if (status === 416)
    return { status, headers: pickHeaders(['content-range']), stream: emptyStream() };
  const requestId = withoutSecrets(connection, headers[headerNames.requestId]);
  const retryAfter = readRetryAfter(headers[headerNames.retryAfter]);
  return refusal(kind, status, { requestId, retryAfter });
}

/** Opens media in a storage that the service redirects to, without credentials. The rate limiter ignores its failures. */
async function openStored(
  kind: MediaKind,
  connection: Connection,
  url: URL,
  options: MediaOptions,
) {
  const { origin, pathname, search } = url;
  const { limits, http } = connection;
  const response = await requestMedia(
    kind,
    { origin, limits, http },
    origin + pathname + search,
    options,
  );
  if (!(response instanceof NoResponse)) return toMedia(kind, connection, response, options.signal);
  return options.signal?.aborted ? abortedError() : refusal(kind, undefined);
}

/**
 * Opens media at the service, or in a storage that it redirects to.
 *
 * @returns the audio, or an error that must not be retried
 * @throws {TelephonyError} that can be retried
 */
async function open(
  kind: MediaKind,
  connection: Connection,
  url: string,
  options: MediaOptions,
  attempt: Attempt,
) {
  const response = await observed(connection, attempt, () =>
    requestMedia(kind, connection, url, options),
  );
  if (response instanceof NoResponse)
    throw noResponseError(connection, undefined, response, options.signal);
  const elsewhere = storedElsewhere(connection, url, response.status, response.headers.location);
  if (elsewhere) {
    response.data.destroy();
    return openStored(kind, connection, elsewhere, options);
  }
  const opened = toMedia(kind, connection, response, options.signal);
  if (opened instanceof TelephonyError && isTemporary(response.status)) throw opened;
  return opened;
}

/**
 * Opens the audio or the picture of a record as a stream. Sends the credentials only to the service's own origin: follows no media URL of a
 * record, and one redirect without credentials.
 *
 * @param connection the account
 * @param shapeId the id of the record's shape
 * @param record the record, or its media key. A record that can't be played or shown is an error without a request
 * @throws {TelephonyError} if there is no media
 */
export async function openMedia(
  connection: Connection,
  shapeId: string,
  record: string | object,
  options: MediaOptions,
): Promise<Media> {
  const { path, request, kind } = mediaOf(shapeId, record);
  const queued = { ...connection, ...connection.media };
  const { signal } = options;
  try {
    const opened = await withRetries(queued, { signal }, (_, attempt) =>
      open(kind, connection, connection.root + path, options, {
        ...{ operation: shapeId, request, attempt },
      }),
    );
    if (opened instanceof TelephonyError) throw opened;
    return opened;
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    throw new TelephonyError(error.code, error.said, { ...error, request });
  }
}
