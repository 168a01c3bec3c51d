import type { Readable } from 'node:stream';
import type { AxiosResponse } from 'axios';
import { noAnswerError } from '../answer/no-answer-error.ts';
import { recordShape } from '../definition/record-shape.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { type ErrorCode, stopped, TelephonyError } from '../telephony-error.ts';
import type { Connection, Place } from '../wire/connection.ts';
import { exchange } from '../wire/exchange.ts';
import { headerNames, mediaHeaderNames } from '../wire/header-names.ts';
import { NoAnswer } from '../wire/no-answer.ts';
import { pause, waitBeforeRetry } from '../wire/retry.ts';
import { readRetryAfter } from '../wire/retry-after.ts';
import { storedElsewhere } from './stored-elsewhere.ts';
import { whySilent } from './why-silent.ts';

/** The sound of a record, as it comes from the service. It is one of the types `audio/…`. */
export interface Media {
  /** 206 for a part, 416 for a part that is not there, which has no sound. */
  status: 200 | 206 | 416;
  /** Those that say what it is: type, length and range. */
  headers: Record<string, string>;
  stream: AsyncIterable<Uint8Array>;
}

export interface MediaOptions {
  /** Stops it, also while it is read. */
  signal?: AbortSignal | undefined;
  /** Asks for a part, as the header `Range` does: `bytes=0-1023`. */
  range?: string | undefined;
}

const { demand, schema } = fieldTypes.sid;
const form = new RegExp(schema.pattern ?? '');
const isSid = (value: unknown): value is string =>
  typeof value === 'string' && form.test(value) && value.length <= (schema.maxLength ?? 0);

function mediaOf(shapeId: string, record: string | object) {
  const { media, key } = recordShape(shapeId);
  if (!media) throw new TelephonyError('input', `A record "${shapeId}" has no media.`);
  const silence = typeof record === 'string' ? undefined : whySilent(shapeId, record);
  if (silence) throw new TelephonyError('not-found', silence);
  const value: unknown = typeof record === 'string' ? record : Reflect.get(record, key);
  if (!isSid(value)) throw new TelephonyError('input', `The SID of a record ${demand({})}.`);
  return { request: `GET ${media.path}`, path: media.path.replace(`{${key}}`, () => value) };
}

const isSound = (type: unknown) => /^\s*audio\/[^,]+$/i.test(String(type));

const refusals: Record<number, [ErrorCode, string]> = {
  200: ['bad-answer', 'The service did not return audio.'],
  401: ['unauthorised', 'The service does not allow access to this recording.'],
  404: ['not-found', 'This recording has no audio (yet).'],
  429: ['rate-limited', 'Rate limit reached for this account. Try again later.'],
};
const sameAs: Record<number, number> = { 206: 200, 403: 401 };

function refusal(status: number | undefined, retryAfter?: number) {
  const [code, sentence] = refusals[sameAs[status ?? 0] ?? status ?? 0] ?? [
    'unavailable',
    'The recording is currently unavailable.',
  ];
  return new TelephonyError(code, sentence, { status, retryAfter });
}

// Whoever reads the sound may take breaks, and the service while it is waited for may not. What broke it off goes no further.
async function* chunksOf(
  data: Readable,
  silence: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const wait = () => setTimeout(() => data.destroy(new Error('Silence')), silence);
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
  place: Place,
  url: string,
  { signal, range }: MediaOptions,
): Promise<AxiosResponse<Readable> | NoAnswer> {
  // What was compressed on its way could not be asked for in parts.
  const asIs = { Accept: 'audio/*', 'Accept-Encoding': 'identity' };
  const headers = { ...asIs, ...(range && { Range: range }) };
  return exchange<Readable>(place, { url, headers, responseType: 'stream', signal });
}

/** Where a sound was asked for. */
interface Way {
  /** In a storage that the service named, for this one time. */
  isStored?: boolean;
}

/** Asks for a sound where it is: at the service, or in a storage that the service names, which hears of no credentials. */
async function find(connection: Connection, url: string, options: MediaOptions, way: Way) {
  const first = await ask(connection, url, options);
  if (first instanceof NoAnswer) throw noAnswerError(connection, undefined, first, options.signal);
  const elsewhere = storedElsewhere(connection, url, first.status, first.headers.location);
  if (!elsewhere) return first;
  way.isStored = true;
  first.data.destroy();
  const { origin, pathname, search } = elsewhere;
  const { limits } = connection;
  const second = await ask({ origin, limits }, origin + pathname + search, options);
  if (!(second instanceof NoAnswer)) return second;
  throw options.signal?.aborted ? stopped() : refusal(undefined);
}

async function open(
  connection: Connection,
  url: string,
  options: MediaOptions,
  way: Way,
): Promise<Media> {
  const { status, headers, data } = await find(connection, url, options, way);
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
      stream: chunksOf(data, connection.limits.silence, options.signal),
    };
  data.destroy();
  if (status !== 416) throw refusal(status, readRetryAfter(headers[headerNames.retryAfter]));
  return { status, headers: given(['content-range']), stream: nothing() };
}

/** Whether another try may get it: the service was too busy, failed, or did not answer. */
const isWorthAnotherTry = ({ status = 500 }: TelephonyError) => status === 429 || status >= 500;

/** Opens a sound as all that is read is: what fails for a moment is tried again. */
async function openPatiently(connection: Connection, url: string, options: MediaOptions) {
  const { limits } = connection;
  const end = performance.now() + limits.patience;
  for (let tries = 1; ; tries += 1) {
    const way: Way = {};
    try {
      return await open(connection, url, options, way);
    } catch (error) {
      const isOfService = error instanceof TelephonyError && !way.isStored;
      const isMomentary = isOfService && isWorthAnotherTry(error);
      const wait = isMomentary ? waitBeforeRetry(error, tries, limits, end) : undefined;
      if (wait === undefined) throw error;
      await pause(wait, options.signal);
    }
  }
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
  try {
    return await connection.sounds(() => {
      if (options.signal?.aborted) throw stopped();
      return openPatiently(connection, connection.root + path, options);
    });
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    throw new TelephonyError(error.code, error.message, { ...error, request });
  }
}
