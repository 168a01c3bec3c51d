import { sleep } from '../async/timers.ts';
import type { Limits } from '../settings/limits.ts';
import { abortedError, TelephonyError } from '../telephony-error.ts';

/** The service's own advice: back off from 100 ms, doubling, with jitter, up to 30 s. */
const firstBackOffMs = 100;
const longestBackOffMs = 30_000;

// An action that fails with one of these changed nothing. If it may have, its code is `unknown-outcome`.
const retriedCodes = new Set(['rate-limited', 'unavailable', 'timeout']);

/**
 * Returns how long to wait before a request is retried: a back-off that doubles with each attempt, with full jitter, or as long as
 * the service asks for. Only a failure that changed nothing at the service is retried.
 *
 * @param error the error of the last attempt
 * @param attempts how many attempts were made
 * @param limits how many attempts are allowed
 * @param endAt the latest start of an attempt, on the clock of `performance.now()`
 * @returns milliseconds; undefined if the request must not be retried
 */
export function waitBeforeRetry(
  error: unknown,
  attempts: number,
  limits: Limits,
  endAt: number,
): number | undefined {
  if (!(error instanceof TelephonyError) || !retriedCodes.has(error.code)) return undefined;
  const backOffMs = Math.min(firstBackOffMs * 2 ** (attempts - 1), longestBackOffMs);
  const retryAfterMs = (error.retryAfter ?? 0) * 1000;
  const waitMs = Math.max(Math.random() * backOffMs, retryAfterMs);
  return attempts < limits.maxAttempts && performance.now() + waitMs <= endAt ? waitMs : undefined;
}

/**
 * Waits.
 *
 * @param ms how long, in milliseconds
 * @param signal ends the wait early
 * @throws {TelephonyError} with code `aborted` if the signal aborts
 */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch {
    throw abortedError();
  }
}

/** The three date formats of HTTP (RFC 9110, 5.6.7). Servers still send only the first. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

// The third format names no time zone, but is in GMT like the others.
const readHttpDate = (text: string) =>
  httpDates.some((format) => format.test(text))
    ? Date.parse(text.replace(/(?<! GMT)$/, ' GMT'))
    : NaN;

/**
 * Reads how long a response asks to wait.
 *
 * @param text its `Retry-After` header: a number of seconds, or an HTTP date
 * @returns seconds, rounded up; undefined if the header is missing or can't be parsed
 */
export function readRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (readHttpDate(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
