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
