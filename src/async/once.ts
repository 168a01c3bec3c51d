/**
 * Memoizes a function: it runs once per object or text, its first argument, on the first call.
 *
 * @param compute the function; its result isn't kept if it is undefined
 */
export function oncePer<Of extends object | string, Rest extends unknown[], Result>(
  compute: (of: Of, ...rest: Rest) => Result,
): (of: Of, ...rest: Rest) => Result {
  const ofObjects = new WeakMap<object, Result>();
  const ofTexts = new Map<string, Result>();
  return (of, ...rest) => {
    const known = typeof of === 'string' ? ofTexts.get(of) : ofObjects.get(of);
    if (known !== undefined) return known;
    const result = compute(of, ...rest);
    if (typeof of === 'string') ofTexts.set(of, result);
    else ofObjects.set(of, result);
    return result;
  };
}

interface Shared<Result> {
  result: Promise<Result>;
  /** Until when it is shared, on the clock of `performance.now()`; infinite while the work is in progress. */
  until: number;
}

/**
 * Returns a function that runs the work of a key once, however often it is called while the work is in progress or shortly after its
 * end. All callers get the same result or error. A double click, for example, counts as one click.
 *
 * @param windowMs how long after its end the result is shared, in milliseconds
 */
export function onceWithin<Result>(windowMs: number) {
  const known = new Map<string, Shared<Result>>();

  function deleteExpired() {
    const now = performance.now();
    for (const [key, { until }] of known) if (until <= now) known.delete(key);
  }

  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    deleteExpired();
    const existing = known.get(key);
    if (existing) return existing.result;
    const shared: Shared<Result> = { result: work(), until: Number.POSITIVE_INFINITY };
    known.set(key, shared);
    const end = () => {
      shared.until = performance.now() + windowMs;
    };
    shared.result.then(end, end);
    return shared.result;
  };
}
