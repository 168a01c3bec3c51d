const followed = new WeakMap<AbortSignal, AbortSignal[]>();

/**
 * A signal that aborts when one of others does. It adds no listener to them, so that any number of requests can follow the
 * same one, and it holds on to them: Node forgets a time-out that nobody but `AbortSignal.any` knows of.
 *
 * @param signals what to follow, where there is one
 */
export function following(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  if (given.length === 0) return undefined;
  const signal = AbortSignal.any(given);
  followed.set(signal, given);
  return signal;
}
