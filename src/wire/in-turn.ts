import { stopped } from '../telephony-error.ts';
import type { Connection } from './connection.ts';

/**
 * Does a piece of work when its turn has come.
 *
 * @param connection whose requests wait for each other
 * @param signal stops the waiting
 * @param work what to do then
 * @throws {TelephonyError} with code `aborted` when it was stopped before its turn
 */
export function inTurn<Result>(
  { queue }: Connection,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!signal) return queue(work);
  return new Promise((resolve, reject) => {
    const stopWaiting = () => reject(stopped());
    signal.addEventListener('abort', stopWaiting);
    const begin = async () => {
      signal.removeEventListener('abort', stopWaiting);
      if (signal.aborted) throw stopped();
      return work();
    };
    if (signal.aborted) stopWaiting();
    queue(begin).then(resolve, reject);
  });
}
