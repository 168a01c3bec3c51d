import type { FlowConfig, NodeRed } from './node-red.ts';

/**
 * The properties of a node as they were typed. The node itself gets the values of variables instead of their
 * names, where one without a value looks like a field that was left empty.
 *
 * @param id the id that it has in the editor
 * @returns undefined for what is not deployed
 */
export function storedProperties(RED: NodeRed, id: string): FlowConfig | undefined {
  let stored: FlowConfig | undefined;
  RED.nodes.eachNode((node) => {
    if (node.id === id) stored = node;
  });
  return stored;
}
