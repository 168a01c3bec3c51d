import { oncePer } from './once.ts';

/** The signals that end work. */
export interface Stops {
  /** Ends it at any time. */
  signal: AbortSignal | undefined;
  /** Ends only the wait for its start, or for the next attempt. */
  waitSignal?: AbortSignal | undefined;
}

/** A signal that follows others until it is released. */
export interface Follower {
  signal: AbortSignal | undefined;
  release(): void;
}

/**
 * Returns the set of controllers that abort with a signal. One listener serves all of them, and keeps Node from collecting an
 * `AbortSignal.timeout` as garbage.
 */
const followersOf = oncePer((source: AbortSignal) => {
  const all = new Set<AbortController>();
  source.addEventListener('abort', () => {
    for (const one of all) one.abort();
  });
  return all;
});

/**
 * Creates a signal that aborts when one of its sources does. Any number of requests can follow the same source. `AbortSignal.any` isn't
 * used: in some versions of Node, each call on a long-lived signal takes longer than the one before.
 *
 * @param sources the signals to follow; without any, there is no signal
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

/** Resolves when a signal aborts. One listener serves all who wait for the same signal. */
export const whenAborted = oncePer(
  (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    }),
);
