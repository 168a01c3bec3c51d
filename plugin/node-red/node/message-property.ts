import { type Field, isAction, type Operation } from '../../../src/builder.ts';

/**
 * The message property that supplies an input if the node leaves it empty, as in Node-RED's own nodes: the phone
 * numbers of an action, such as `msg.to`. Undefined for other inputs.
 */
export const messageProperty = (operation: Operation, { key, type }: Field): string | undefined =>
  isAction(operation) && type === 'phone' ? key : undefined;
