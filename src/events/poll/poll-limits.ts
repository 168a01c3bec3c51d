const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** All times are in milliseconds. */
export const pollLimits = {
  /** The shortest poll interval: six seconds, which is 14,400 requests a day for each list. */
  shortestMs: 6 * secondMs,
  /** The longest poll interval: a day, because failed deliveries are retried for a day. */
  longestMs: 24 * 60 * minuteMs,
  /** How often to check in memory which accounts are due. A long timer would be late after a laptop has slept. */
  tickMs: secondMs,
  /** How often to read the accounts, because changes by SQL or by another process aren't reported. */
  lookMs: minuteMs,
  /** How long after a change to read it, because it can be read only once its transaction ends. */
  settleMs: 3 * secondMs,
  /** When to retry if the store can't be reached. */
  retryMs: 5 * secondMs,
  /** How long a lease lasts without a renewal. Then the process that polls counts as ended. */
  leaseMs: minuteMs,
  /** How often to renew the lease: two renewals can fail. */
  renewMs: 20 * secondMs,
  /** How far the timers of two processes may differ. */
  toleranceMs: 500,
};
