import { setImmediate } from 'node:timers/promises';
import {
  type EventContext,
  eventDefinition,
  type TelephonyEvent,
  WaitingReply,
} from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { memoryOf } from './delivery-log.ts';
import { listenersOf } from './listeners.ts';
import { areRunning, flowsRun } from './running-flows.ts';

/**
 * Tells the nodes that listen, and waits for the reply where the flow of one gives one.
 *
 * @param account its id
 * @param canReply whether the service waits for one
 */
export async function deliverToFlows(
  RED: NodeRed,
  account: string,
  event: TelephonyEvent,
  { signal, identity }: EventContext,
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
  await memoryOf(RED, account).delivered(identity);
  return waiting?.text;
}
