import { startTimer } from './timers.ts';

/**
 * Resolves like a promise, or after a timeout like the result of `otherwise`, which can also reject. The work goes on.
 *
 * @param ms the timeout, in milliseconds
 */
export async function within<Value>(
  ms: number,
  work: Promise<Value>,
  otherwise: () => Value | Promise<Value>,
): Promise<Value> {
  let stop = () => {};
  const end = new Promise<Value>((resolve) => {
    stop = startTimer(ms, () => resolve(otherwise()));
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    stop();
  }
}
