import type { FlowConfig, NodeRed } from './node-red.ts';

/**
 * Returns a node's properties as the user entered them. In the node's own config, Node-RED has replaced variables, so
 * one without a value looks like an empty field.
 *
 * @param id the node's id in the editor
 * @returns undefined if the node isn't deployed
 */
export function storedProperties(RED: NodeRed, id: string): FlowConfig | undefined {
  let stored: FlowConfig | undefined;
  RED.nodes.eachNode((node) => {
    if (node.id === id) stored = node;
  });
  return stored;
}
