import type { Action } from '../../generated/definition-types.ts';
import { inSlices } from '../async/in-slices.ts';
import { isSenderField, recipientField } from '../definition/fields.ts';
import { countryOf, withoutChannel } from '../field-types/phone.ts';
import { smsSegments } from '../text/sms-segments.ts';
import { isToSend, type RowItem, recipientText } from './row-item.ts';

/** The cost of a batch, for its preview. */
export interface BatchCost {
  /** The number of SMS segments, which the service bills; undefined for an action that isn't billed by segments. */
  segments?: number;
  /** The number of different recipients. */
  recipients: number;
  senders: string[];
  /** How many rows go to numbers of each country, by its two-letter code; undefined for an action without a phone number of a recipient. */
  countries?: Record<string, number>;
}

function costOf(action: Action) {
  const text = action.fields.find(({ purpose }) => purpose === 'sms-text');
  const senderFields = action.fields.filter(isSenderField);
  const toField = recipientField(action);
  const countries: Record<string, number> = {};
  const [recipients, senders] = [new Set<string>(), new Set<string>()];
  let segments = 0;
  return {
    add(item: RowItem): void {
      const { values = {} } = item;
      if (!isToSend(item)) return;
      if (text) segments += smsSegments(String(values[text.key] ?? '')).segments;
      recipients.add(recipientText(action, values));
      const country = toField && countryOf(withoutChannel(String(values[toField.key] ?? '')));
      if (country) countries[country] = (countries[country] ?? 0) + 1;
      const sender = senderFields.map(({ key }) => values[key] ?? '').join(' ');
      senders.add(sender.trim());
    },
    total(): BatchCost {
      for (const texts of [recipients, senders]) texts.delete('');
      return {
        ...(text && { segments }),
        ...{ recipients: recipients.size, senders: [...senders] },
        ...(toField && { countries }),
      };
    },
  };
}

/** Adds up the cost of the waiting items of a batch. Items that were started before cost nothing, because only the account's log is checked. */
export function batchCost(action: Action, items: RowItem[]): BatchCost {
  const cost = costOf(action);
  for (const item of items) cost.add(item);
  return cost.total();
}

/** Adds up the cost of a batch of many items, as `batchCost`. */
export async function batchCostInSlices(action: Action, items: RowItem[]): Promise<BatchCost> {
  const cost = costOf(action);
  await inSlices(items, cost.add);
  return cost.total();
}
