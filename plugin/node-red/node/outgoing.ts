import {
  isList,
  isPage,
  type Operation,
  type Page,
  type TelephonyRecord,
} from '../../../src/builder.ts';
import type { AccountNode } from '../account/account.ts';
import { withMedia } from '../media/media-route.ts';
import type { FlowConfig, Message, NodeRed } from '../node-red.ts';
import { putResult } from './result-property.ts';

/** What is sent on in one message. */
export interface Outgoing {
  records: TelephonyRecord[];
  /** For a list, whether the service has more records than were sent so far. */
  more?: boolean;
  /** Why a list is empty, and what to change. */
  hint?: string;
  /** For a page, its place among the pages, as Node-RED's Join node understands it. */
  parts?: { id: string; type: 'array'; index: number; len: number; count?: number };
}

/** What was answered, as what is sent on. */
export const outgoing = (answer: TelephonyRecord | Page): Outgoing =>
  isPage(answer) ? answer : { records: [answer] };

/**
 * The message that goes on: the one that came in, with what was answered in the property of it that the node names.
 *
 * @param config the properties of the node
 * @param account whose records they are
 * @param came the message that came in
 * @param sent what was answered
 */
export function outgoingMessage(
  RED: NodeRed,
  operation: Operation,
  config: FlowConfig,
  account: AccountNode,
  came: Message,
  { records: sent, more, hint, parts }: Outgoing,
): Message {
  const records = sent.map((record) => withMedia(RED, account, operation.result.of, record));
  const message: Message = {
    ...RED.util.cloneMessage(came),
    ...(more !== undefined && { more }),
    ...(parts && { parts: { ...parts, ...(came.parts && { parts: came.parts }) } }),
  };
  // A message can bring the hint of an earlier list.
  if (isList(operation)) delete message.hint;
  if (hint) message.hint = hint;
  // Last, so that it is where the node puts it, whatever the message has there.
  putResult(RED, config, message, isList(operation) ? records : records[0]);
  return message;
}
