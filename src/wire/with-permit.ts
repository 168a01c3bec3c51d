import { abortedError } from '../telephony-error.ts';
import type { Connection } from './connection.ts';
import type { Permit } from './rate-limiter.ts';

/**
 * Does work once the queue has a free slot and the rate limiter permits a request.
 *
 * @param connection the account, whose requests share a queue and a rate limiter
 * @param signal ends the wait
 * @param work the request; it reports its outcome to the permit
 * @throws {TelephonyError} with code `aborted` if the signal aborts before the work begins, `rate-limited` if the service has refused
 *   all requests for too long
 */
export function withPermit<Result>(
  { queue, rateLimiter, limits, lane }: Connection,
  signal: AbortSignal | undefined,
  work: (permit: Permit) => Promise<Result>,
): Promise<Result> {
  const begin = async () => {
    if (signal?.aborted) throw abortedError();
    return work(await rateLimiter().acquire(signal, limits.retryBudgetMs, lane));
  };
  if (!signal) return queue(begin);
  return new Promise((resolve, reject) => {
    const stopWaiting = () => reject(abortedError());
    signal.addEventListener('abort', stopWaiting);
    if (signal.aborted) stopWaiting();
    const beginOnce = () => {
      signal.removeEventListener('abort', stopWaiting);
      return begin();
    };
    queue(beginOnce).then(resolve, reject);
  });
}
