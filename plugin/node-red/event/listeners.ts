import type { TelephonyEvent, WaitingReply } from '../../../src/builder.ts';
import type { AccountNode } from '../account/account.ts';

/** A node that receives events. */
export interface Listener {
  /** Whether its flow answers them. */
  replies: boolean;
  /**
   * @param waiting the reply that its flow may give
   * @returns a function that knows in the next turn whether its flow has the event: a deploy may have closed the next nodes
   */
  receive(event: TelephonyEvent, waiting: WaitingReply | undefined): () => boolean;
  /** A poll has ended. @param error why it failed */
  polled(error?: Error): void;
  /** Polling fails, and worked before. */
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
 * Delivers the events of an account to a node.
 *
 * @returns ends the delivery
 */
export function listen(account: AccountNode, event: string, listener: Listener): () => void {
  const key = keyOf(account.id, event);
  const all = listeners.get(key) ?? new Set();
  listeners.set(key, all.add(listener));
  return () => all.delete(listener);
}
