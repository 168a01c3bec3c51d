import type { Action } from '../../../src/builder.ts';
import type { Perform } from '../node/handle-message.ts';
import { registerNode } from '../node/operation-node.ts';
import { outgoing } from '../node/outgoing.ts';
import type { NodeRed } from '../node-red.ts';

const act = ({ id }: Action): Perform =>
  async function* act({ telephony, input, config, stop, end }) {
    const options = { waitSignal: stop, signal: end, lane: config.id };
    yield outgoing(await telephony.run(id, input, options));
  };

/** Registers the node of an action. It outputs the message with the resulting record. */
export const registerAction = (RED: NodeRed, action: Action) =>
  registerNode(RED, action, act(action));
