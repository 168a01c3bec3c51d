import { TelephonyError } from '../../../src/builder.ts';
import type { FlowConfig, Message, NodeRed } from '../node-red.ts';

/** The message property that receives the result by default. */
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
 * Stores the result in a message.
 *
 * @param config the properties of the node
 * @throws {TelephonyError} if the message can't hold the property
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
 * Checks, before the operation runs, that the message can hold the result. Otherwise the result would be lost.
 *
 * @param config the properties of the node
 * @throws {TelephonyError} if it can't
 */
export function tryResult(RED: NodeRed, config: FlowConfig, message: Message): void {
  if (propertyOf(config) !== usualProperty)
    putResult(RED, config, RED.util.cloneMessage(message), null);
}
