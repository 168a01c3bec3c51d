import { setTimeout } from 'node:timers/promises';
import type { Limits } from '../settings/limits.ts';
import { stopped, TelephonyError } from '../telephony-error.ts';

/** The service's own advice: 100 ms, doubled, with jitter, at most 30 s. In milliseconds. */
const firstWait = 100;
const longestWait = 30_000;

// For a write these three mean that it never reached the service; all else is `unknown-outcome`.
const worthAnotherTry = new Set(['rate-limited', 'unavailable', 'timeout']);

/** How long to wait before the next try; undefined when another try makes no sense. */
function waitAfter(error: unknown, tries: number): number | undefined {
  if (!(error instanceof TelephonyError) || !worthAnotherTry.has(error.code)) return undefined;
  const backOff = Math.min(firstWait * 2 ** (tries - 1), longestWait);
  const asked = Math.min((error.retryAfter ?? 0) * 1000, longestWait);
  return Math.max(Math.random() * backOff, asked);
}

async function pause(milliseconds: number, signal: AbortSignal | undefined) {
  try {
    await setTimeout(milliseconds, undefined, signal ? { signal } : {});
  } catch {
    throw stopped();
  }
}

/**
 * Tries again what failed in a way that changed nothing at the service: after a wait that doubles from try to try, with
 * full jitter, or as long as the service asks for.
 *
 * @param attempt one try
 * @param limits how often and for how long
 * @param signal stops it, also while it waits
 * @throws {TelephonyError} the last try's error, or `aborted`
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  { tries, patience }: Limits,
  signal: AbortSignal | undefined,
): Promise<T> {
  const end = Date.now() + patience;
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const wait = waitAfter(error, count);
      if (wait === undefined || count >= tries || Date.now() + wait > end) throw error;
      await pause(wait, signal);
    }
  }
}
