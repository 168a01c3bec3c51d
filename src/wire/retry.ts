import { setTimeout } from 'node:timers/promises';
import type { Limits } from '../settings/limits.ts';
import { stopped, TelephonyError } from '../telephony-error.ts';

/** The service's own advice: 100 ms, doubled, with jitter, at most 30 s. In milliseconds. */
const firstWait = 100;
const longestBackOff = 30_000;

// For a write these three mean that it changed nothing; all else is `unknown-outcome`.
const worthAnotherTry = new Set(['rate-limited', 'unavailable', 'timeout']);

/**
 * How long to wait before a request is tried again, in milliseconds: what failed in a way that changed nothing at the
 * service is, after a wait that doubles from try to try, with full jitter, or at least as long as the service asks for.
 *
 * @param error what the last try ended in
 * @param tries how often it was tried until now
 * @param limits how often it may be tried
 * @param end until when a try may begin, on the clock of `performance.now()`
 * @returns undefined when it is not to be tried again
 */
export function waitBeforeRetry(
  error: unknown,
  tries: number,
  limits: Limits,
  end: number,
): number | undefined {
  if (!(error instanceof TelephonyError) || !worthAnotherTry.has(error.code)) return undefined;
  const backOff = Math.min(firstWait * 2 ** (tries - 1), longestBackOff);
  const asked = (error.retryAfter ?? 0) * 1000;
  const wait = Math.max(Math.random() * backOff, asked);
  return tries < limits.maxAttempts && performance.now() + wait <= end ? wait : undefined;
}

/**
 * Waits.
 *
 * @param milliseconds how long
 * @param signal ends it early
 * @throws {TelephonyError} with code `aborted` when it was ended early
 */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, signal ? { signal } : {});
  } catch {
    throw stopped();
  }
}
