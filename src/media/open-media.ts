import type { Readable } from 'node:stream';
import { noAnswerError } from '../answer/no-answer-error.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { Connection } from '../wire/connection.ts';
import { exchange } from '../wire/exchange.ts';
import { mediaHeaderNames } from '../wire/header-names.ts';
import { NoAnswer } from '../wire/no-answer.ts';

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

const sid = /^[A-Za-z0-9_-]{1,64}$/;

function mediaUrl({ root }: CheckedSettings, shapeId: string, value: string) {
  const { media, key } = recordShape(shapeId);
  if (!media) throw new TelephonyError('input', `A record "${shapeId}" has no media.`);
  if (!sid.test(value))
    throw new TelephonyError('input', 'The SID of a record is letters, digits, "-" and "_" only.');
  return root + media.path.replace(`{${key}}`, () => value);
}

const isSound = (type: unknown) => /^\s*audio\//i.test(String(type));

function refusal(status: number) {
  if (status === 200 || status === 206)
    return new TelephonyError('bad-answer', 'What the service gave out is no sound.', { status });
  if (status === 404)
    return new TelephonyError('not-found', 'There is no sound for this recording (yet).', {
      status,
    });
  if (status === 401 || status === 403)
    return new TelephonyError('unauthorised', 'The service does not give out this recording.', {
      status,
    });
  return new TelephonyError('unavailable', 'The recording cannot be played at the moment.', {
    status,
  });
}

// Whoever reads the sound may take breaks, and the service while it is waited for may not. What broke it off goes no further.
async function* chunksOf(data: Readable, silence: number): AsyncGenerator<Uint8Array> {
  const wait = () => setTimeout(() => data.destroy(new Error('Silence')), silence);
  let waiting = wait();
  try {
    for await (const chunk of data) {
      clearTimeout(waiting);
      yield chunk;
      waiting = wait();
    }
  } catch {
    throw new TelephonyError('unavailable', 'The recording broke off.');
  } finally {
    clearTimeout(waiting);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/**
 * Opens the sound of a record, to be passed on while it arrives. The credentials go to the service's own
 * origin only: what a record names as its media's address is not followed, and neither is a redirect.
 *
 * @param connection to the account whose record it is
 * @param shapeId the id of the record's shape
 * @param key the value of the record's key
 * @throws {TelephonyError} when there is none
 */
export async function openMedia(
  connection: Connection,
  shapeId: string,
  key: string,
  { signal, range }: MediaOptions,
): Promise<Media> {
  // What was compressed on its way could not be asked for in parts.
  const asIs = { Accept: 'audio/*', 'Accept-Encoding': 'identity' };
  const response = await exchange<Readable>(connection, {
    url: mediaUrl(connection, shapeId, key),
    headers: { ...asIs, ...(range && { Range: range }) },
    responseType: 'stream',
    signal,
  });
  if (response instanceof NoAnswer) throw noAnswerError(connection, undefined, response, signal);
  const { status, headers, data } = response;
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
      stream: chunksOf(data, connection.limits.silence),
    };
  data.destroy();
  if (status !== 416) throw refusal(status);
  return { status, headers: given(['content-range']), stream: nothing() };
}
