/** Returns a function that runs work with the same key in sequence, in the order of the calls. */
export function oneAtATime() {
  const last = new Map<string, Promise<unknown>>();

  /**
   * @param key the key of the work
   * @param over resolves when the next work of the key may start
   * @param work the work
   */
  return <Result>(key: string, over: Promise<void>, work: () => Promise<Result>) => {
    const before = last.get(key) ?? Promise.resolve();
    const end = before.then(() => over);
    last.set(key, end);
    end.then(() => {
      if (last.get(key) === end) last.delete(key);
    });
    return before.then(work);
  };
}
