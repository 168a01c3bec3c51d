import type { Action } from '../../generated/definition-types.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { addSentence } from '../response/add-sentence.ts';
import { serviceError } from '../response/error-sentence.ts';
import { TelephonyError } from '../telephony-error.ts';
import { digestOf } from './digest-of.ts';
import { mapInSlices } from './in-slices.ts';
import type { RowItem } from './row-item.ts';

const sentence =
  'An earlier batch got this response, so nothing was sent now. You can still send to this number without a batch.';

/** Returns why the service refuses the recipient whatever is sent; undefined for all other errors. */
export const recipientRefusal = (error: unknown) =>
  error instanceof TelephonyError ? serviceError(error.serviceCode)?.recipient : undefined;

/** Returns a hash of the numbers: a number that can't get messages from one sender may get them from another. */
export function recipientDigest({ fields }: Action, values: Record<string, unknown>): string {
  const numbers = fields.filter(({ type }) => fieldTypes[type].identifies);
  return digestOf(numbers.map(({ key }) => values[key] ?? null));
}

/**
 * Skips the recipients that the service called invalid in an earlier batch. Doesn't skip people who unsubscribed: they
 * may have subscribed again.
 *
 * @param items the planned items
 * @param earlier the items of earlier batches, newest first
 */
export async function skipRefused(
  action: Action,
  items: RowItem[],
  earlier: RowItem[],
): Promise<RowItem[]> {
  const refused = new Map<string, RowItem>();
  for (const item of earlier)
    if (item.refused && !refused.has(item.refused)) refused.set(item.refused, item);
  if (refused.size === 0) return items;
  return mapInSlices(items, (item): RowItem => {
    const { values, ...rest } = item;
    if (item.outcome !== 'waiting' || item.isPending || !values) return item;
    const known = refused.get(recipientDigest(action, values));
    if (!known) return item;
    const message = known.message ? addSentence(known.message, sentence) : sentence;
    return { ...rest, outcome: known.outcome, message };
  });
}
