import type { Action } from '../../../src/builder.ts';
import { forSingleSends } from '../batch/batch-store.ts';
import type { Perform } from '../node/handle-message.ts';
import { nodeType } from '../node/node-type.ts';
import { openOperation } from '../node/operation-node.ts';
import { outgoing } from '../node/outgoing.ts';
import type { FlowConfig, FlowNode, NodeRed } from '../node-red.ts';

const act = (RED: NodeRed, { id }: Action): Perform =>
  async function* act({ account, telephony, input, config, stop, end }) {
    const options = { waitSignal: stop, signal: end, lane: config.id };
    const single = forSingleSends(RED, account.id, telephony);
    yield outgoing(await single.run(id, input, options));
  };

/** Registers the node of an action. It outputs the message with the resulting record. */
export function registerAction(RED: NodeRed, action: Action) {
  function construct(this: FlowNode, config: FlowConfig) {
    RED.nodes.createNode(this, config);
    openOperation(RED, this, config, action, act(RED, action));
  }
  RED.nodes.registerType(nodeType(action.id), construct);
}
