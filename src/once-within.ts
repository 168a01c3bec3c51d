interface Shared<Result> {
  result: Promise<Result>;
  /** Until when it is shared, on the clock of `performance.now()`; unknown while it is under way. */
  until: number;
}

/**
 * Makes a function that does the same work once, however often it is asked for while the work is under way, and for a
 * while after it ended. All who ask get the one result, or the one error: two clicks that are meant as one are one.
 *
 * @param window how long after its end the work is still the same, in milliseconds
 */
export function onceWithin<Result>(window: number) {
  const known = new Map<string, Shared<Result>>();

  function forgetPast() {
    const now = performance.now();
    for (const [key, { until }] of known) if (until <= now) known.delete(key);
  }

  /** Does work under a key, or shares what was done under it. */
  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    forgetPast();
    const before = known.get(key);
    if (before) return before.result;
    const shared: Shared<Result> = { result: work(), until: Number.POSITIVE_INFINITY };
    known.set(key, shared);
    const end = () => {
      shared.until = performance.now() + window;
    };
    shared.result.then(end, end);
    return shared.result;
  };
}
