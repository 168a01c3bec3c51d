import { finder } from '../../../src/builder.ts';
import { serverTranslator } from '../locale/server-translator.ts';
import type { FlowConfig, FlowNode, NodeRed } from '../node-red.ts';
import { faultText } from './fault-text.ts';
import { nodeType } from './node-type.ts';
import { passToNodeRed } from './report.ts';

/** The types of nodes whose dialog chooses what they do. */
export const choiceTypes = {
  read: nodeType('read'),
  rows: nodeType('for-each-row'),
  reply: nodeType('reply'),
};

/**
 * Registers a node whose dialog chooses what it does.
 *
 * @param all what it can do
 * @param open makes a new node do what is chosen
 */
export function registerChoice<Of extends { id: string }>(
  RED: NodeRed,
  type: string,
  all: readonly Of[],
  open: (node: FlowNode, config: FlowConfig, chosen: Of) => void,
) {
  const find = finder('operation', all);
  function construct(this: FlowNode, config: FlowConfig) {
    RED.nodes.createNode(this, config);
    try {
      open(this, config, find(config.operation));
    } catch (error) {
      this.status({ fill: 'red', shape: 'ring', text: serverTranslator(RED)(faultText(error)) });
      this.warn((error as Error).message);
      this.on('input', (_message, _send, done) => void passToNodeRed(error as Error, done, this));
    }
  }
  RED.nodes.registerType(type, construct);
}
