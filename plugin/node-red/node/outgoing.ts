import {
  isList,
  isPage,
  type Operation,
  type Page,
  type TelephonyRecord,
} from '../../../src/builder.ts';
import type { AccountNode } from '../account/account.ts';
import { recordForFlow } from '../media/media-route.ts';
import type { FlowConfig, Message, NodeRed } from '../node-red.ts';
import { putResult } from './result-property.ts';

/** The content of an outgoing message. */
export interface Outgoing {
  records: TelephonyRecord[];
  /** For a list, whether the service has more records. */
  more?: boolean;
  /** Why a list is empty and what to change. */
  hint?: string;
  /** For a page, its position, for Node-RED's Join node. */
  parts?: { id: string; type: 'array'; index: number; len: number; count?: number };
}

/** Converts a result to the content of an outgoing message. */
export const outgoing = (result: TelephonyRecord | Page): Outgoing =>
  isPage(result) ? result : { records: [result] };

/**
 * Creates the outgoing message: a copy of the incoming one, with the result in the property that the node names.
 *
 * @param config the properties of the node
 * @param account the account that the records belong to
 * @param incoming the incoming message
 * @param outgoing the result
 */
export function outgoingMessage(
  RED: NodeRed,
  operation: Operation,
  config: FlowConfig,
  account: AccountNode,
  incoming: Message,
  { records: found, more, hint, parts }: Outgoing,
): Message {
  const records = found.map((record) => recordForFlow(RED, account, operation.result.of, record));
  const message: Message = {
    ...RED.util.cloneMessage(incoming),
    ...(more !== undefined && { more }),
    ...(parts && { parts: { ...parts, ...(incoming.parts && { parts: incoming.parts }) } }),
  };
  // The message may contain the hint of an earlier list.
  if (isList(operation)) delete message.hint;
  if (hint) message.hint = hint;
  // Last, so that the result wins if the property has one of the names above.
  putResult(RED, config, message, isList(operation) ? records : records[0]);
  return message;
}
