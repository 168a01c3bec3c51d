import type { FlowConfig, FlowNode, NodeRed } from '../node-red.ts';

/**
 * The properties of a node as they were typed. The node itself is made with the values of variables in place of their
 * names, where one without a value looks like a field that was left empty.
 *
 * @param config what the node is made with
 */
export function typedProperties(RED: NodeRed, node: FlowNode, config: FlowConfig): FlowConfig {
  let typed = config;
  RED.nodes.eachNode((candidate) => {
    if (candidate.id === (node._alias ?? node.id)) typed = candidate;
  });
  return typed;
}
