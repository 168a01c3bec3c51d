import { type Field, isAction, type Operation } from '../../../src/builder.ts';

/**
 * The property of a message that an input is taken from when its node leaves it empty, as in Node-RED's own nodes: who an action is
 * for and from, such as `msg.to`. Undefined for other inputs.
 */
export const messageProperty = (operation: Operation, { key, type }: Field): string | undefined =>
  isAction(operation) && type === 'phone' ? key : undefined;
