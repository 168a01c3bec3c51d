import { startTimer } from '../async/timers.ts';
import type { Endpoint } from './connection.ts';
import type { ExchangeRequest } from './exchanged.ts';

/** What may end a request. */
export interface Watch {
  /** Something arrived. */
  restartIdle(): void;
  release(): void;
}

/**
 * Watches the limits of a request, and the caller's signal.
 *
 * @param end called with the code of the first of them that ends it
 */
export function watch(
  { limits }: Pick<Endpoint, 'limits'>,
  { abortSignal, responseType }: ExchangeRequest,
  end: (code: string) => void,
): Watch {
  const cancel = () => end('ERR_CANCELED');
  const startIdle = () => startTimer(limits.idleTimeoutMs, () => end('ETIMEDOUT'));
  // A stream may be paused by its reader.
  const isStream = responseType === 'stream';
  let stopIdle = startIdle();
  const stopTimer = isStream ? () => {} : startTimer(limits.timeoutMs, () => end('ERR_DEADLINE'));
  abortSignal?.addEventListener('abort', cancel);
  return {
    restartIdle() {
      stopIdle();
      if (!isStream) stopIdle = startIdle();
    },
    release() {
      stopIdle();
      stopTimer();
      abortSignal?.removeEventListener('abort', cancel);
    },
  };
}
