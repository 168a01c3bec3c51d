import { startTimer } from '../../timers.ts';

/** Resolves like a promise, or to the result of `otherwise` after a timeout. */
export async function within<Value>(
  milliseconds: number,
  work: Promise<Value>,
  otherwise: () => Value,
) {
  let stop = () => {};
  const end = new Promise<Value>((resolve) => {
    stop = startTimer(milliseconds, () => resolve(otherwise()));
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    stop();
  }
}
