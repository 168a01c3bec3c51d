import type { Action } from '../../generated/definition-types.ts';
import { isSenderField } from '../definition/sender-field.ts';
import { smsSegments } from '../sms-segments.ts';
import { recipientFields } from './recipient.ts';
import { isToSend, type RowItem } from './row-item.ts';

/** The cost of a batch, for its preview. */
export interface BatchCost {
  /** The number of SMS segments, which the service bills; undefined for an action that isn't billed by segments. */
  segments?: number;
  /** The number of different recipients. */
  recipients: number;
  senders: string[];
}

/** Adds up the cost of the waiting items of a batch. Items that were started before cost nothing, because only the account's log is checked. */
export function batchCost(action: Action, items: RowItem[]): BatchCost {
  const { fields } = action;
  const sent = items.filter(isToSend).map(({ values = {} }) => values);
  const different = (chosen: Action['fields']) => {
    const texts = sent.map((values) =>
      chosen
        .map(({ key }) => values[key] ?? '')
        .join(' ')
        .trim(),
    );
    return [...new Set(texts.filter((text) => text !== ''))];
  };
  const text = fields.find(({ purpose }) => purpose === 'sms-text');
  const segmentsOf = (body: unknown) => smsSegments(String(body ?? '')).segments;
  return {
    ...(text && { segments: sent.reduce((sum, values) => sum + segmentsOf(values[text.key]), 0) }),
    recipients: different(recipientFields(action)).length,
    senders: different(fields.filter(isSenderField)),
  };
}
