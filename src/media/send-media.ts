import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { TelephonyError } from '../telephony-error.ts';
import type { Media, MediaOptions } from './open-media.ts';

/** What is needed of a browser's request; Node's and Express's have it. */
export interface MediaRequest {
  headers: { range?: string | undefined };
}

/** What is needed of the answer to it; Node's and Express's have it. */
export interface MediaResponse {
  readonly headersSent: boolean;
  once(event: 'close', listener: () => void): unknown;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
  destroy(): unknown;
}

/**
 * Answers a browser's request with a sound while it arrives from the service, so that the browser needs no credentials.
 * A part that is asked for is passed on as a part, a failure is a sentence, and a browser that leaves stops it.
 *
 * @param request the browser's request
 * @param response the answer to it
 * @param open opens the sound
 */
export async function sendMedia(
  { headers: { range } }: MediaRequest,
  response: MediaResponse,
  open: (options: MediaOptions) => Promise<Media>,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  try {
    const { status, headers, stream } = await open({ range, signal: left.signal });
    response.writeHead(status, { ...headers, 'cache-control': 'private, max-age=3600' });
    await pipeline(stream, response as ServerResponse);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    if (!(error instanceof TelephonyError)) throw error;
    response.writeHead(error.code === 'not-found' ? 404 : 502, { 'content-type': 'text/plain' });
    response.end(error.message);
  }
}
