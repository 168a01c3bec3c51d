import type { Action } from '../../../src/index.ts';
import { type Perform, registerNode } from '../node/operation-node.ts';
import type { NodeRed } from '../node-red.ts';

const act = ({ id }: Action): Perform =>
  async function* act({ telephony, input, signal }) {
    const record: object = await telephony.run(id as never, input as never, { signal });
    yield { records: [record] };
  };

/** Registers the node of an action: the message goes on with the record of what was done. */
export const registerAction = (RED: NodeRed, action: Action) =>
  registerNode(RED, action, act(action));
