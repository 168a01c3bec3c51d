import {
  definitions,
  type EventDefinition,
  namedEvent,
  TelephonyError,
  type WaitingReply,
} from '../../../src/builder.ts';
import { type AccountNode, accountOf } from '../account/account.ts';
import { serverTranslator } from '../locale/server-translator.ts';
import { recordForFlow } from '../media/media-route.ts';
import { nodeType } from '../node/node-type.ts';
import { passToNodeRed } from '../node/report.ts';
import type { FlowConfig, FlowNode, NodeRed } from '../node-red.ts';
import { publicAddressField } from '../settings/event-settings.ts';
import { storeOf } from './account-store.ts';
import { deliveryLogOf } from './delivery-log.ts';
import { EventStatus } from './event-status.ts';
import { listen } from './listeners.ts';
import { receiverOf } from './receiver.ts';

/**
 * Returns a function that checks, in the next turn, whether a message that the node sends now reached a next node.
 * Without next nodes, it checks whether the node is open.
 */
function arrival(RED: NodeRed, { wires }: FlowNode, isClosed: () => boolean): () => boolean {
  const nodes = wires.flat().flatMap((id) => RED.nodes.getNode(id) ?? []);
  return () =>
    nodes.length === 0 ? !isClosed() : nodes.some((node) => RED.nodes.getNode(node.id) === node);
}

/** Delivers the events of an account to a node. */
function receiveEvents(
  RED: NodeRed,
  definition: EventDefinition,
  { node, account, replies }: { node: FlowNode; account: AccountNode; replies: boolean },
  status: EventStatus,
) {
  const { id, result } = definition;
  const open = new Map<WaitingReply, string>();
  let isClosed = false;
  const end = listen(account, id, {
    replies,
    receive: (event, waiting) => {
      status.showEvent(new Date());
      if (waiting) open.set(waiting, namedEvent(event));
      waiting?.given.then(() => open.delete(waiting));
      const hasArrived = arrival(RED, node, () => isClosed);
      const about = { id, ...(waiting && { replyTo: waiting.id }) };
      node.send({ payload: recordForFlow(RED, account, result.of, event.record), event: about });
      return hasArrived;
    },
    polled: (error) => {
      if (error) status.showError(error);
      else status.showPoll(new Date());
    },
    failed: (error) => {
      passToNodeRed(error, (fault) => node.error(fault, { event: { id } }));
    },
  });
  node.on('close', (_removed, done) => {
    end();
    isClosed = true;
    for (const [waiting, name] of open) {
      node.warn(`${name} got no reply: its node was closed before the reply.`);
      waiting.end();
    }
    node.status({});
    // Node-RED may be about to stop, and must remember after a restart which events its flows received.
    storeOf(account.id, RED).written().then(done);
  });
}

/** Throws if the settings of an account allow neither webhooks nor polling for an event. */
function assertReceivable(
  RED: NodeRed,
  account: AccountNode,
  { name, polled }: EventDefinition,
): void {
  const isPolled = account.pollIntervalMs() > 0;
  if (isPolled) account.telephony();
  if (isPolled && !polled && !account.webhook())
    throw new TelephonyError(
      'settings',
      `“${name}” can't be polled. Set “${publicAddressField.label}” in the account.`,
    );
  if (!isPolled || account.webhook()) receiverOf(account, RED);
}

/** The warnings while flows start. Nodes of one account have the same problem, which one warning says. */
const warned = new Set<string>();

function warnOnce(node: FlowNode, account: unknown, message: string) {
  const warning = JSON.stringify([account, message]);
  if (!warned.has(warning)) node.warn(message);
  warned.add(warning);
}

/** Registers the node of an event. It sends a message for each event from a webhook or a poll. */
function registerEvent(RED: NodeRed, definition: EventDefinition) {
  function construct(this: FlowNode, config: FlowConfig) {
    RED.nodes.createNode(this, config);
    const status = new EventStatus(this, serverTranslator(RED));
    try {
      const account = accountOf(RED, config.account);
      if (!definition.raisedBy) assertReceivable(RED, account, definition);
      const replies = definition.replies !== undefined && config.replies === true;
      receiveEvents(RED, definition, { node: this, account, replies }, status);
      deliveryLogOf(account.id, RED)
        .last(definition.id)
        .then((last) => status.showWaiting(last));
    } catch (error) {
      status.showError(error);
      warnOnce(this, config.account, (error as Error).message);
    }
  }
  RED.nodes.registerType(nodeType(definition.id), construct);
}

/** Registers the nodes of all events. */
export function registerEvents(RED: NodeRed) {
  for (const event of definitions.events) registerEvent(RED, event);
  RED.events.on('flows:started', () => warned.clear());
}
