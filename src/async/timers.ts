import { setImmediate, setTimeout as wait } from 'node:timers/promises';

/**
 * Waits.
 *
 * @param ms how long, in milliseconds
 * @param signal ends the wait early: it rejects
 */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  wait(ms, undefined, signal ? { signal } : {});

/**
 * Calls a function after a time. Doesn't keep the process alive.
 *
 * @returns a function that stops it
 */
export function startTimer(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms).unref();
  return () => clearTimeout(timer);
}

/** Waits until what else is waiting had its turn. */
export const nextTurn = (): Promise<void> => setImmediate();
