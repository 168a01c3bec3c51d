/**
 * Memoizes a function of an object: it runs once per object, on the first call.
 *
 * @param compute the function; it must not return undefined
 */
export function oncePer<Of extends object, Result>(
  compute: (of: Of) => Result,
): (of: Of) => Result {
  const results = new WeakMap<Of, Result>();
  return (of) => {
    const known = results.get(of);
    if (known !== undefined) return known;
    const result = compute(of);
    results.set(of, result);
    return result;
  };
}
