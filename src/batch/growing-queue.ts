import pLimit, { type LimitFunction } from 'p-limit';

/**
 * How many rows are in progress at first, and at most how many more each second. One more may be after each that succeeded, until the
 * account's rate is what holds up the batch. Faster growth would send many that the service refuses before its first refusal arrives.
 */
const firstRows = 5;
const moreRows = 15;

/** Creates a queue of rows that starts more of them at the same time the more have succeeded. */
export function growingQueue(): { queue: LimitFunction; recordSuccess(): void } {
  const queue = pLimit(firstRows);
  const began = performance.now();
  return {
    queue,
    recordSuccess() {
      const more = Math.floor(((performance.now() - began) / 1_000) * moreRows);
      queue.concurrency = Math.min(queue.concurrency + 1, firstRows + more);
    },
  };
}
