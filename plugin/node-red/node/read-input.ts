import { type Operation, TelephonyError } from '../../../src/index.ts';
import type { FlowConfig, FlowNode, Message, NodeRed } from '../node-red.ts';
import { fieldProperties } from './field-properties.ts';

function evaluate(RED: NodeRed, value: string, type: string, node: FlowNode, message: Message) {
  return new Promise<unknown>((resolve, reject) => {
    RED.util.evaluateNodeProperty(value, type, node, message, (error, result) =>
      error ? reject(error) : resolve(result),
    );
  });
}

/**
 * Reads what an operation is run with: texts as typed, or what they point to in the message, the context or the
 * environment. What was left empty is not there.
 *
 * @param config the node's stored properties
 * @param message the message that came in
 * @throws {TelephonyError} with the `field` that points to nothing
 */
export async function readInput(
  RED: NodeRed,
  { fields }: Operation,
  config: FlowConfig,
  node: FlowNode,
  message: Message,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const { key, label } of fields) {
    const property = fieldProperties(key);
    const value = String(config[property.value] ?? '');
    const type = String(config[property.type] ?? 'str');
    if (value === '') continue;
    try {
      input[key] = await evaluate(RED, value, type, node, message);
    } catch (error) {
      // A path through something that is not there leads to nothing, as a path that ends there does.
      if (error instanceof TypeError) continue;
      const reason = (error as Error).message;
      const sentence = `"${label}" cannot be read from ${type} ${value}: ${reason}`;
      throw new TelephonyError('input', sentence, { field: key });
    }
  }
  return input;
}
