import { follow, type Stops, whenAborted } from './follow.ts';

/** The end of the last work, by key, while there is one. */
const lastEnds = new Map<string, Promise<void>>();

async function untilEnd(work: Promise<void>, { signal, waitSignal }: Stops): Promise<void> {
  const stop = follow(signal, waitSignal);
  await Promise.race([work, ...(stop.signal ? [whenAborted(stop.signal)] : [])]);
  stop.release();
}

/**
 * Does work once all earlier work of the same key has ended, or the wait is stopped.
 *
 * @param key such as an account and a recipient
 * @param stops the signals that end the wait; the work then does nothing
 */
export async function inOrder<Result>(
  key: string,
  stops: Stops,
  work: (stops: Stops) => Promise<Result>,
): Promise<Result> {
  const before = lastEnds.get(key);
  let end = () => {};
  const own = new Promise<void>((resolve) => {
    end = resolve;
  });
  const ended = Promise.all([before, own]).then(() => {
    if (lastEnds.get(key) === ended) lastEnds.delete(key);
  });
  lastEnds.set(key, ended);
  try {
    if (before) await untilEnd(before, stops);
    return await work(stops);
  } finally {
    end();
  }
}
