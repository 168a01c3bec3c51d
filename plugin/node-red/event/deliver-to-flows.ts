import { setImmediate } from 'node:timers/promises';
import {
  type EventContext,
  eventDefinition,
  type FilledReply,
  type TelephonyEvent,
  WaitingReply,
} from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { listenersOf } from './listeners.ts';
import { areRunning, flowsRun } from './running-flows.ts';

/**
 * Delivers an event to its nodes, and waits for the reply if a flow sends one.
 *
 * @param account the account's id
 */
export async function deliverToFlows(
  RED: NodeRed,
  account: string,
  event: TelephonyEvent,
  context: EventContext,
): Promise<FilledReply | undefined> {
  await flowsRun();
  // Another deploy may have started in the meantime.
  if (!areRunning()) throw new Error('The flows are not running.');
  const listeners = listenersOf(account, event.id);
  const { replies } = eventDefinition(event.id);
  const waiting =
    replies && listeners.some((one) => one.replies)
      ? new WaitingReply(RED.util.generateId(), context)
      : undefined;
  const arrivals = listeners.map((one) => one.receive(event, one.replies ? waiting : undefined));
  // Node-RED passes messages on in the next turn. Nodes that close before then receive nothing.
  await setImmediate();
  if (arrivals.length > 0 && !arrivals.some((hasArrived) => hasArrived())) {
    waiting?.end();
    throw new Error('The flows were stopped.');
  }
  // The flows have received the event, whether or not they reply.
  await context.delivered();
  return waiting?.given;
}
