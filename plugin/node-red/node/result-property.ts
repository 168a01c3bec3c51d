import { TelephonyError } from '../../../src/builder.ts';
import type { FlowConfig, Message, NodeRed } from '../node-red.ts';

/** The property of a message that takes what was answered, when a node names none. */
export const usualProperty = 'payload';

const propertyOf = ({ property }: FlowConfig) => String(property ?? '').trim() || usualProperty;

function canTake(RED: NodeRed, property: string, message: Message, result: unknown): boolean {
  try {
    return RED.util.setMessageProperty(message, property, result);
  } catch {
    return false;
  }
}

/**
 * Puts what was answered into a message.
 *
 * @param config the properties of the node
 * @throws {TelephonyError} where the message has no place of that name
 */
export function putResult(
  RED: NodeRed,
  config: FlowConfig,
  message: Message,
  result: unknown,
): void {
  const property = propertyOf(config);
  if (canTake(RED, property, message, result)) return;
  const sentence = `The result cannot be stored in msg.${property}. Choose another property in the node.`;
  throw new TelephonyError('input', sentence);
}

/**
 * Tries whether a message can take what will be answered: nothing is to be done whose result would be lost.
 *
 * @param config the properties of the node
 * @throws {TelephonyError} where it cannot
 */
export function tryResult(RED: NodeRed, config: FlowConfig, message: Message): void {
  if (propertyOf(config) !== usualProperty)
    putResult(RED, config, RED.util.cloneMessage(message), null);
}
