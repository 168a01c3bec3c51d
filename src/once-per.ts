/**
 * A function whose result is worked out when it is first asked for, once for each object.
 *
 * @param work what to work out of an object; never undefined
 */
export function oncePer<Of extends object, Result>(work: (of: Of) => Result): (of: Of) => Result {
  const results = new WeakMap<Of, Result>();
  return (of) => {
    const known = results.get(of);
    if (known !== undefined) return known;
    const result = work(of);
    results.set(of, result);
    return result;
  };
}
