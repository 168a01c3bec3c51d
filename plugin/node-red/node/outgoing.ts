import {
  isList,
  isPage,
  type Operation,
  type Page,
  type TelephonyRecord,
} from '../../../src/index.ts';
import type { AccountNode } from '../account/account.ts';
import { mediaUrl } from '../media/media-route.ts';
import type { Message, NodeRed } from '../node-red.ts';

/** What is sent on in one message. */
export interface Outgoing {
  records: TelephonyRecord[];
  /** For a list, whether the service has more records than were sent so far. */
  more?: boolean;
  /** For a page, its place among the pages, as Node-RED's Join node understands it. */
  parts?: { id: string; type: 'array'; index: number; len: number; count?: number };
}

/** What was answered, as what is sent on. */
export const outgoing = (answer: TelephonyRecord | Page): Outgoing =>
  isPage(answer) ? answer : { records: [answer] };

/**
 * The message that goes on: the one that came in, with what was answered in place of its payload.
 *
 * @param account whose records they are
 * @param came the message that came in
 * @param sent what was answered
 */
export function outgoingMessage(
  RED: NodeRed,
  operation: Operation,
  account: AccountNode,
  came: Message,
  { records, more, parts }: Outgoing,
): Message {
  const payload = records.map((record) => {
    const media = account.givesOutMedia && mediaUrl(RED, account.id, operation.result.of, record);
    return media ? { ...record, media } : record;
  });
  return {
    ...RED.util.cloneMessage(came),
    payload: isList(operation) ? payload : payload[0],
    ...(more !== undefined && { more }),
    ...(parts && { parts: { ...parts, ...(came.parts && { parts: came.parts }) } }),
  };
}
