import { setImmediate } from 'node:timers/promises';
import {
  type EventReport,
  eventDefinition,
  namedEvent,
  type TelephonyEvent,
  type TellOptions,
  WaitingReply,
} from '../../../src/index.ts';
import type { FlowNode, NodeRed } from '../node-red.ts';
import { memoryOf } from './event-memory.ts';
import { listenersOf } from './listeners.ts';
import { areRunning, flowsRun } from './running-flows.ts';

/**
 * Tells the nodes that listen, and waits for the reply where the flow of one gives one.
 *
 * @param account its id
 * @param canReply whether the service waits for one
 */
export async function tellFlows(
  RED: NodeRed,
  account: string,
  event: TelephonyEvent,
  { signal, note }: TellOptions,
  canReply: boolean,
): Promise<string | undefined> {
  await flowsRun();
  // The next deploy can have begun since.
  if (!areRunning()) throw new Error('The flows are not running.');
  const listeners = listenersOf(account, event.id);
  const { reply } = eventDefinition(event.id);
  const waiting =
    canReply && reply && listeners.some(({ replies }) => replies)
      ? new WaitingReply(RED.util.generateId(), event.id, signal)
      : undefined;
  const heard = listeners.map((one) => one.hear(event, one.replies ? waiting : undefined));
  // Messages arrive in the next turn. Nodes that are closed before get nothing.
  await setImmediate();
  if (heard.length > 0 && !heard.some((hasArrived) => hasArrived())) {
    waiting?.end();
    throw new Error('The flows were stopped.');
  }
  // The flows have it now, whatever becomes of the reply.
  await memoryOf(RED, account).told(note);
  return waiting?.text;
}

/** Logs what could not be delivered, what no one received, and what is no longer known. */
export function reportTold(account: FlowNode, what: EventReport): void {
  if (what.outcome === 'failed')
    account.warn(`${namedEvent(what.event)} was not delivered: ${(what.error as Error).message}`);
  if (what.outcome === 'unsent')
    account.warn(`The reply to ${namedEvent(what.event)} was too late and was not sent.`);
  if (what.outcome === 'begun-anew' || what.outcome === 'postponed') account.warn(what.sentence);
}
