/** Does work of the same key one after the other, in the order in which it was asked for. */
export function oneAtATime() {
  const last = new Map<string, Promise<unknown>>();

  /**
   * @param key what is done one after the other
   * @param over when the next one may begin
   * @param work what to do in its turn
   */
  return <Result>(key: string, over: Promise<void>, work: () => Promise<Result>) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(() => over);
    last.set(key, mine);
    mine.then(() => {
      if (last.get(key) === mine) last.delete(key);
    });
    return before.then(work);
  };
}
