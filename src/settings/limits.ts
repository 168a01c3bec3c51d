import { TelephonyError } from '../telephony-error.ts';

/** Limits on the time, memory and requests that an account may use. The defaults suit a builder's server. */
export interface Limits {
  /** How long the service may send nothing, before the first byte or between two, in milliseconds. */
  idleTimeoutMs: number;
  /** How long a request may take in all, in milliseconds. */
  timeoutMs: number;
  /** The largest response that is read, in bytes after decompression. A page of 1,000 calls has about one million. */
  maxResponseBytes: number;
  /** How often a request is sent at most. Only a request that provably changed nothing is retried. */
  maxAttempts: number;
  /** For how long retries may start, in milliseconds, not counting the wait for a slot. */
  retryBudgetMs: number;
  /** How many reads, actions and media are each in progress at the same time. */
  concurrency: number;
  /** How many rows of batches are in progress at the same time. A batch begins with five, and one more after each that succeeded. */
  batchConcurrency: number;
  /** For how long the log is checked for an action whose response was lost, in milliseconds; 0 turns it off. */
  confirmTimeoutMs: number;
}

export const defaultLimits: Readonly<Limits> = {
  idleTimeoutMs: 20_000,
  timeoutMs: 30_000,
  maxResponseBytes: 20_000_000,
  maxAttempts: 5,
  retryBudgetMs: 30_000,
  concurrency: 10,
  batchConcurrency: 100,
  confirmTimeoutMs: 10_000,
};

/** The smallest values of limits that may be below 1. */
const minimums: Partial<Limits> = { confirmTimeoutMs: 0 };

/** The longest time of a timer in Node, in milliseconds. A longer timer would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Checks chosen limits and adds the defaults for the rest.
 *
 * @throws {TelephonyError} with code `settings` for an unknown limit or an invalid value
 */
export function checkLimits(chosen: { [Key in keyof Limits]?: Limits[Key] | undefined }): Limits {
  const limits: Limits = { ...defaultLimits };
  for (const [key, value] of Object.entries(chosen)) {
    if (!Object.hasOwn(limits, key)) {
      const keys = Object.keys(limits).join(', ');
      throw new TelephonyError('settings', `Unknown limit "${key}". Choose one of: ${keys}.`);
    }
    if (value === undefined) continue;
    const minimum = minimums[key as keyof Limits] ?? 1;
    if (!Number.isInteger(value) || value < minimum || value > longestTimerMs)
      throw new TelephonyError(
        'settings',
        `The limit "${key}" must be a whole number from ${minimum} to ${longestTimerMs}.`,
      );
    limits[key as keyof Limits] = value;
  }
  return limits;
}
