import type { TelephonyEvent, WaitingReply } from '../../../src/builder.ts';
import type { AccountNode } from '../account/account.ts';

/** A node that receives events. */
export interface Listener {
  /** Whether its flow answers them. */
  replies: boolean;
  /**
   * @param waiting what waits for the reply of its flow
   * @returns what says in the next turn whether its flow has it: a deploy may have closed the nodes that it was on its way to
   */
  hear(event: TelephonyEvent, waiting: WaitingReply | undefined): () => boolean;
  /** A poll has ended. @param error why it failed */
  asked(error?: Error): void;
  /** It does not say, and did so before. */
  failed(error: Error): void;
}

// By the account's id: nodes come and go while requests are in progress.
const listeners = new Map<string, Set<Listener>>();

const keyOf = (account: string, event: string) => `${account} ${event}`;

/** The nodes that receive events, by the id of the account. */
export const listenersOf = (account: string, event: string): Listener[] => [
  ...(listeners.get(keyOf(account, event)) ?? []),
];

/**
 * Has a node told of events.
 *
 * @returns what ends it
 */
export function listen(account: AccountNode, event: string, listener: Listener): () => void {
  const key = keyOf(account.id, event);
  const all = listeners.get(key) ?? new Set();
  listeners.set(key, all.add(listener));
  return () => all.delete(listener);
}
