/**
 * Combines all calls during a write into one more, so that a slow store takes no write for each.
 *
 * @param write gets what all these calls passed
 * @param rest awaited before each write, which takes the calls of this time too
 * @returns a function whose callers share the result or error of their write
 */
export function combined<One, Result>(
  write: (all: One[]) => Promise<Result>,
  rest?: () => Promise<void>,
): (ones?: One[]) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let next: { all: One[]; result: Promise<Result> } | undefined;

  function start() {
    const all: One[] = [];
    const ended = last.catch(() => {});
    const result = (rest ? ended.then(rest) : ended).then(() => {
      next = undefined;
      return write(all);
    });
    last = result;
    return { all, result };
  }

  return (ones = []) => {
    next ??= start();
    for (const one of ones) next.all.push(one);
    return next.result;
  };
}
