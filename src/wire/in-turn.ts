import { stopped } from '../telephony-error.ts';
import type { Connection } from './connection.ts';
import type { Turn } from './rate-limiter.ts';

/**
 * Does a piece of work when its turn has come: when fewer others are under way than may be, and the account's pace allows it.
 *
 * @param connection whose requests wait for each other
 * @param signal stops the waiting
 * @param work what to do then; tells the turn what came of it
 * @throws {TelephonyError} with code `aborted` when it was stopped before its turn, `rate-limited` when the service refused all
 *   others for too long
 */
export function inTurn<Result>(
  { queue, rateLimiter, limits }: Connection,
  signal: AbortSignal | undefined,
  work: (turn: Turn) => Promise<Result>,
): Promise<Result> {
  const begin = async () => {
    if (signal?.aborted) throw stopped();
    return work(await rateLimiter().turn(signal, limits.retryBudgetMs));
  };
  if (!signal) return queue(begin);
  return new Promise((resolve, reject) => {
    const stopWaiting = () => reject(stopped());
    signal.addEventListener('abort', stopWaiting);
    if (signal.aborted) stopWaiting();
    const beginOnce = () => {
      signal.removeEventListener('abort', stopWaiting);
      return begin();
    };
    queue(beginOnce).then(resolve, reject);
  });
}
