import { type LimitReached, oncePer, raiseLimitReached } from '../../../src/builder.ts';
import { eventItem } from './trigger.ts';

type Listener = (item: ReturnType<typeof eventItem>) => void;

/** The triggers of this process, by account: as the limits, they know only what this process sends. */
const listenersTo = oncePer((_account: string) => new Set<Listener>());

/** Starts the workflows that begin when an account has reached a limit. */
export const reportLimit = (account: string, reached: LimitReached): Promise<void> =>
  raiseLimitReached(reached, {
    onEvent: (event) => {
      for (const listener of listenersTo(account)) listener(eventItem(event));
    },
  });

/** @returns a function that ends it */
export function listenToLimits(account: string, listener: Listener): () => void {
  const listeners = listenersTo(account).add(listener);
  return () => void listeners.delete(listener);
}
