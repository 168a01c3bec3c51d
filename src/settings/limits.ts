import { TelephonyError } from '../telephony-error.ts';

/** What an account may cost in time, memory and requests. Each has a default that suits a builder's server. */
export interface Limits {
  /** How long the service may be silent, before its first byte or between two, in milliseconds. */
  idleTimeoutMs: number;
  /** How long one request may take in all, in milliseconds. */
  timeoutMs: number;
  /** The largest answer that is read, in bytes after decompression. A page of 1,000 calls is about one million. */
  maxResponseBytes: number;
  /** How often a request is sent at most. Only what provably changed nothing is sent again. */
  maxAttempts: number;
  /** After how many milliseconds no further try begins. */
  retryBudgetMs: number;
  /** How many reads, actions and sounds are each under way at a time; others wait their turn. */
  concurrency: number;
  /** For how long it is looked for what became of a write whose answer was lost, in milliseconds; 0 for not at all. */
  confirmTimeoutMs: number;
}

export const defaultLimits: Readonly<Limits> = {
  idleTimeoutMs: 20_000,
  timeoutMs: 30_000,
  maxResponseBytes: 20_000_000,
  maxAttempts: 5,
  retryBudgetMs: 30_000,
  concurrency: 10,
  confirmTimeoutMs: 10_000,
};

/** All but these are at least 1. */
const smallest: Partial<Limits> = { confirmTimeoutMs: 0 };

/** What a timer of Node's can wait at most, in milliseconds; a longer one would not wait at all. */
const largest = 2 ** 31 - 1;

/**
 * The limits of an account: what was chosen, and for the rest the defaults.
 *
 * @throws {TelephonyError} with code `settings` for what is no limit
 */
export function checkLimits(chosen: { [Key in keyof Limits]?: Limits[Key] | undefined }): Limits {
  const limits: Limits = { ...defaultLimits };
  for (const [key, value] of Object.entries(chosen)) {
    if (!Object.hasOwn(limits, key)) {
      const keys = Object.keys(limits).join(', ');
      throw new TelephonyError('settings', `Unknown limit "${key}". Choose one of: ${keys}.`);
    }
    if (value === undefined) continue;
    const least = smallest[key as keyof Limits] ?? 1;
    if (!Number.isInteger(value) || value < least || value > largest)
      throw new TelephonyError(
        'settings',
        `The limit "${key}" must be a whole number from ${least} to ${largest}.`,
      );
    limits[key as keyof Limits] = value;
  }
  return limits;
}
