import { oncePer, type TelephonyEvent, type WaitingReply } from '../../../src/builder.ts';

/** A node that receives events. */
export interface Listener {
  /** Whether its flow replies to events. */
  replies: boolean;
  /**
   * @param waiting the reply that its flow may send
   * @returns a function that checks in the next turn whether the flow received the event: a deploy may have closed the
   * next nodes
   */
  receive(event: TelephonyEvent, waiting: WaitingReply | undefined): () => boolean;
  /** Called when a poll has ended. @param error why it failed */
  polled(error?: Error): void;
  /** Called when polling fails after it worked. */
  failed(error: Error): void;
}

// By account id and event id, because nodes are closed and created while requests are in progress.
const listenersTo = oncePer((_event: string) => new Set<Listener>());

const keyOf = (account: string, event: string) => `${account} ${event}`;

/**
 * The listeners of an account's event.
 *
 * @param account the account's id
 */
export const listenersOf = (account: string, event: string): Listener[] => [
  ...listenersTo(keyOf(account, event)),
];

/**
 * Delivers an event of an account to a listener.
 *
 * @returns a function that stops the delivery
 */
export function listen(account: { id: string }, event: string, listener: Listener): () => void {
  const all = listenersTo(keyOf(account.id, event)).add(listener);
  return () => all.delete(listener);
}
