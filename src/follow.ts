/** A signal that follows others, until it is let go. */
export interface Follower {
  signal: AbortSignal | undefined;
  release(): void;
}

const followers = new WeakMap<AbortSignal, Set<AbortController>>();

/** Who follows a signal. It has one listener for all of them, and Node keeps a time-out that has a listener. */
function followersOf(source: AbortSignal): Set<AbortController> {
  const known = followers.get(source);
  if (known) return known;
  const all = new Set<AbortController>();
  followers.set(source, all);
  source.addEventListener('abort', () => {
    for (const one of all) one.abort();
  });
  return all;
}

/**
 * A signal that aborts when one of others does, so that any number of requests can follow the same one. Not
 * `AbortSignal.any`: on a signal that lives long it takes some Nodes the longer the more there were before.
 *
 * @param sources what to follow, where there is one
 */
export function follow(...sources: (AbortSignal | undefined)[]): Follower {
  const given = sources.filter((source) => source !== undefined);
  if (given.length === 0) return { signal: undefined, release: () => {} };
  const controller = new AbortController();
  const joined = given.map(followersOf);
  for (const all of joined) all.add(controller);
  if (given.some(({ aborted }) => aborted)) controller.abort();
  const release = () => {
    for (const all of joined) all.delete(controller);
  };
  return { signal: controller.signal, release };
}

/** Resolves when a signal aborts. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
