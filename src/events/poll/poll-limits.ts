const second = 1_000;
const minute = 60 * second;

/** Times of polling, in milliseconds. */
export const pollLimits = {
  /** The shortest poll interval: six seconds, which is 14,400 requests a day for each list. */
  shortestMs: 6 * second,
  /** The longest poll interval: a day, as failed deliveries are retried for a day. */
  longestMs: 24 * 60 * minute,
  /** How often to check in memory what is due. Long timers would be late after a laptop has slept. */
  tickMs: second,
  /** How often to read the accounts if nothing reports a change, such as one by SQL or by another process. */
  lookMs: minute,
  /** How long after a change it can be read: it is stored when its transaction ends. */
  settleMs: 3 * second,
  /** When to try again if the store can't be reached. */
  retryMs: 5 * second,
  /** After how long without a renewal the process that polls has ended. */
  leaseMs: minute,
  /** How often to renew the lease: two renewals can fail. */
  renewMs: 20 * second,
  /** By how much timers of two processes differ. */
  toleranceMs: 500,
};
