import type { Readable } from 'node:stream';
import { defaultLimits, longestTimerMs } from '../settings/limits.ts';
import type { Http } from './http.ts';

/** The limits of the account end the request. */
const limits = {
  ...defaultLimits,
  idleTimeoutMs: longestTimerMs,
  timeoutMs: longestTimerMs,
  maxResponseBytes: Number.POSITIVE_INFINITY,
};

/** Sends as without an HTTP function, but without axios, for builders in which axios can't be loaded. */
export const nodeHttp: Http = async ({ body: data, signal: abortSignal, ...request }) => {
  const { nodeSender } = await import('./node-sender.ts');
  const send = nodeSender({ origin: new URL(request.url).origin, limits, headers: {} });
  const sent = await send<Readable>({ ...request, data, abortSignal, responseType: 'stream' });
  return { ...sent, body: sent.data };
};
