import type { Action } from '../../generated/definition-types.ts';
import { recordShape } from '../definition/operation.ts';
import { deliveryOutcome, firstWord, overrides, undelivered } from '../status/statuses.ts';
import type { Telephony } from '../telephony.ts';
import type { Said } from '../text/sentence.ts';
import type { RowItem } from './row-item.ts';
import { problemsOf, type RowProblem } from './row-summary.ts';

/** The outcomes of messages, by their SIDs. */
export type Deliveries = Map<string, string>;

/** How many more records than the batch has rows are read: other messages of the account that were sent since. */
const mostOthers = 10_000;

/** Whether the account's log shows if what an action sent was delivered. */
export const showsDelivery = ({ confirmedBy, result }: Action): boolean =>
  confirmedBy !== undefined && recordShape(result.of).final?.values.includes(undelivered) === true;

/** Whether a row's message wasn't delivered, so that it can be sent again. */
export const isUndelivered = ({ delivery = '' }: RowItem): boolean =>
  firstWord(delivery) === undelivered;

// What wasn't delivered can still be: a network may try again.
const isAwaited = (item: RowItem) =>
  item.outcome === 'done' &&
  item.sid !== undefined &&
  (item.delivery === undefined || isUndelivered(item));

/** Reads from the account's log, the newest first, which messages of a batch were delivered. */
export async function readDeliveries(
  telephony: Telephony,
  { confirmedBy, result }: Action,
  items: RowItem[],
): Promise<Deliveries> {
  const found: Deliveries = new Map();
  const awaited = new Map(items.filter(isAwaited).map(({ sid, delivery = '' }) => [sid, delivery]));
  if (!confirmedBy || awaited.size === 0) return found;
  const { key } = recordShape(result.of);
  const options = { limit: items.length + mostOthers };
  for await (const read of telephony.records(confirmedBy.source, {}, options)) {
    const record: Record<string, unknown> = { ...read };
    const sid = String(record[key]);
    const earlier = awaited.get(sid);
    if (!awaited.delete(sid)) continue;
    const outcome = deliveryOutcome(result.of, record);
    if (outcome && overrides(outcome, earlier ?? '')) found.set(sid, outcome);
    if (awaited.size === 0) break;
  }
  return found;
}

/** Returns an item with the outcome of its message, if that is known. */
export function withDelivery(item: RowItem, deliveries: Deliveries): RowItem {
  const delivery = item.sid === undefined ? undefined : deliveries.get(item.sid);
  return delivery && overrides(delivery, item.delivery ?? '') ? { ...item, delivery } : item;
}

/** How many messages of a batch were delivered, by what the account's log showed last. */
export interface DeliverySummary {
  delivered: number;
  undelivered: number;
  /** How many have no final status yet. */
  open: number;
  problems: RowProblem[];
}

/** Summarizes the deliveries of a batch. */
export function deliverySummary(items: RowItem[]): DeliverySummary {
  const done = items.filter(({ outcome }) => outcome === 'done');
  const failed = done.filter(isUndelivered);
  const open = done.filter(({ delivery }) => delivery === undefined).length;
  const problems = problemsOf(
    failed.map((item) => ({ ...item, outcome: 'failed', message: deliveryReason(item) })),
  );
  const delivered = done.length - failed.length - open;
  return { delivered, undelivered: failed.length, open, problems };
}

/** Returns why a row's message wasn't delivered; empty if it was, or the service says no reason. */
export function deliveryReason({ delivery = '' }: RowItem): Said {
  const text = delivery.slice(firstWord(delivery).length).replace(/^: /, '');
  return text && { text };
}
