import type { Action } from '../../generated/definition-types.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { smsSegments } from '../sms-segments.ts';
import type { RowItem } from './row-item.ts';

/** What a batch sends, as its preview states it. */
export interface BatchCost {
  /** SMS segments in total, which the service bills; undefined for an action that is not billed by them. */
  segments?: number;
  /** How many different recipients there are. */
  recipients: number;
  senders: string[];
}

const isSender = (purpose: string | undefined) => purpose === 'sender' || purpose === 'sender-pool';

/** Adds up what the waiting items of a batch send. Items in progress are only checked in the message log, and cost nothing. */
export function batchCost({ fields }: Action, items: RowItem[]): BatchCost {
  const sent = items
    .filter(({ outcome, isPending }) => outcome === 'waiting' && !isPending)
    .map(({ values = {} }) => values);
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
  const recipients = fields.filter(
    ({ type, purpose }) => fieldTypes[type].identifies && !isSender(purpose),
  );
  const segmentsOf = (body: unknown) => smsSegments(String(body ?? '')).segments;
  return {
    ...(text && { segments: sent.reduce((sum, values) => sum + segmentsOf(values[text.key]), 0) }),
    recipients: different(recipients).length,
    senders: different(fields.filter(({ purpose }) => isSender(purpose))),
  };
}
