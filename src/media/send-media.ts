import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { TelephonyError } from '../telephony-error.ts';
import { isObject } from '../text/json.ts';
import { inEnglish, type Said, type Say, sentence } from '../text/sentence.ts';
import type { Media, MediaOptions } from './open-media.ts';

/** The parts of a browser's request that are used; Node's and Express's have them. */
export interface MediaRequest {
  method?: string | undefined;
  headers: { range?: string | undefined };
}

/** The parts of the response that are used; Node's and Express's have them. */
export interface MediaResponse {
  readonly headersSent: boolean;
  once(event: 'close', listener: () => void): unknown;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text?: string): unknown;
  destroy(): unknown;
}

/** The user who requested the media. */
export interface Listener {
  /** Whether they may read what is wrong with the settings or the service; false if not given. */
  mayKnowWhy?: boolean;
  /** Writes the sentence about a failure in their language; in English if not given. */
  say?: Say;
}

// Keeps the browser from running anything in the response, and from showing a cached one to the next user who logs in.
const securityHeaders = {
  'content-security-policy': 'sandbox',
  vary: 'Cookie',
  'x-content-type-options': 'nosniff',
};

const cached = { ...securityHeaders, 'cache-control': 'private, max-age=3600' };
const notCached = { ...securityHeaders, 'cache-control': 'no-store' };

const sentenceFor = ({ code, said }: TelephonyError, mayKnowWhy: boolean): Said =>
  code === 'not-found' || mayKnowWhy ? said : sentence('It is currently unavailable.');

/** A mistake in the program, which no response to a browser would show. */
class NoMedia extends TelephonyError {
  constructor() {
    super('input', 'The function that opens the media must return what telephony.media() returns.');
  }
}

/**
 * Responds to a browser with audio or a picture while it arrives from the service, so that the browser needs no credentials. Supports ranges. Responds to
 * a failure with a sentence. Stops the download if the browser disconnects.
 *
 * @param request the browser's request
 * @param response the response to it
 * @param open opens the media: calls `telephony.media` with the given options
 * @param listener the person who listens
 * @throws {TelephonyError} with code `input` for wrong arguments
 */
export async function sendMedia(
  request: MediaRequest,
  response: MediaResponse,
  open: (options: MediaOptions) => Promise<Media>,
  listener?: Listener | null,
): Promise<void> {
  const functions = [response?.writeHead, response?.end, response?.once, open];
  if (!isObject(request?.headers) || !functions.every((one) => typeof one === 'function'))
    throw new TelephonyError(
      'input',
      'Pass a request and a response of node:http, and a function that opens the media.',
    );
  const mayKnowWhy = listener?.mayKnowWhy === true;
  const { method, headers } = request;
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  try {
    const media = await open({ range: headers.range, signal: disconnected.signal });
    if (!isObject(media?.headers)) throw new NoMedia();
    const { status, headers: given, stream } = media;
    response.writeHead(status, { ...given, ...(status === 416 ? notCached : cached) });
    // `end` closes the response, which aborts the download.
    if (method === 'HEAD') response.end();
    else await pipeline(stream, response as ServerResponse);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    if (!(error instanceof TelephonyError) || error instanceof NoMedia) throw error;
    response.writeHead(['not-found', 'input'].includes(error.code) ? 404 : 502, {
      ...notCached,
      'content-type': 'text/plain; charset=utf-8',
    });
    const { say = inEnglish } = listener ?? {};
    response.end(say(sentenceFor(error, mayKnowWhy)));
  }
}
