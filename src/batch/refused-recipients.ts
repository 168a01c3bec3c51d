import type { Action } from '../../generated/definition-types.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { addSentence } from '../response/add-sentence.ts';
import { serviceError } from '../response/error-sentence.ts';
import { TelephonyError } from '../telephony-error.ts';
import { digestOf } from './digest-of.ts';
import type { RowItem } from './row-item.ts';
import { refusedKey } from './row-keys.ts';

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
 */
export class RefusedRecipients {
  /** The newest item of each, by its hash. */
  readonly #items = new Map<string, RowItem>();

  constructor(private readonly action: Action) {}

  /** Returns the keys by which earlier batches know a row of the new batch. */
  want({ outcome, values }: RowItem): string[] {
    return outcome === 'waiting' && values
      ? [refusedKey(recipientDigest(this.action, values))]
      : [];
  }

  /** Adds an item of an earlier batch, the newest batch first. */
  add(item: RowItem): void {
    if (item.refused && !this.#items.has(item.refused)) this.#items.set(item.refused, item);
  }

  /** Returns a row of the new batch as it is left. */
  left(item: RowItem): RowItem {
    const { values, ...rest } = item;
    if (item.outcome !== 'waiting' || item.isPending || !values || this.#items.size === 0)
      return item;
    const known = this.#items.get(recipientDigest(this.action, values));
    if (!known) return item;
    const message = known.message ? addSentence(known.message, sentence) : sentence;
    return { ...rest, outcome: known.outcome, message };
  }
}
