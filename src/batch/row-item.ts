import { createHash } from 'node:crypto';
import type { Action } from '../../generated/definition-types.ts';
import { isSenderField } from '../definition/fields.ts';
import { recordShape } from '../definition/operation.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import type { Said } from '../text/sentence.ts';

export type RowOutcome = RowEnd['outcome'] | 'waiting' | 'duplicate';

/** One row of a batch and its outcome. */
export interface RowItem {
  /** The name or number of the row. */
  who: string;
  outcome: RowOutcome;
  /** The key of the row, if it records its outcome. */
  key?: unknown;
  /** Its table and key as text, whether or not the row records its outcome. */
  row?: string;
  /** Its recipient as text, such as a phone number. */
  to?: string;
  /** A hash of its recipient: a row whose number has changed is about someone else. */
  recipient?: string;
  /** The keys of the rows that would send the same. */
  same?: unknown[];
  /** Whether it was started before, and its outcome is unknown. */
  isPending?: true;
  /** Whether it got the same from a complete batch or, within the last day, by itself. It is skipped, unless its owner repeats it. */
  isRepeated?: true;
  /** Whether an earlier batch of the last day sent this row something else. */
  isChanged?: true;
  /** Whether a button, trigger, workflow or flow sent its recipient something else within the last day. */
  isSentSingly?: true;
  /** Whether the log showed that it was done before, so that nothing was sent again. */
  isConfirmed?: true;
  /** Whether the service sends it later. */
  isScheduled?: true;
  /** The SID of the record that its action created; until it has run, in an earlier batch. */
  sid?: string;
  /** Whether its message was delivered, once that is known: `delivered`, `read`, or `undelivered` with the reason. */
  delivery?: string;
  /** The SID of what an earlier batch sent it, if that wasn't delivered. It is sent again. */
  undelivered?: string;
  /** When it was started, by the service's clock, while its outcome is unknown. */
  begun?: string;
  /** A hash of its values, by which another batch recognises the item after the values are deleted. */
  digest?: string;
  /** A hash of its sender and recipient, if the service called the recipient invalid. */
  refused?: string;
  /** Its values, until it has ended. */
  values?: Record<string, unknown>;
  /** Why it failed, was not run, or is unknown. Earlier versions stored it as text. */
  message?: Said;
}

/** Whether a row is to be sent, and not only checked in the account's log. */
export const isToSend = ({ outcome, isPending }: RowItem): boolean =>
  outcome === 'waiting' && !isPending;

/** Whether something was sent to a row before, so that its owner decides whether to skip it. */
export const isMarked = ({ isRepeated, isChanged, isSentSingly }: RowItem): boolean =>
  Boolean(isRepeated || isChanged || isSentSingly);

/** The outcome of a row. */
export interface RowEnd {
  outcome: 'done' | 'already-done' | 'failed' | 'opted-out' | 'unknown' | 'not-run';
  record?: TelephonyRecord;
  error?: unknown;
}

/** Returns the SID of the record that an action created. */
export const sidIn = ({ result }: Action, record: TelephonyRecord): string =>
  String(record[recordShape(result.of).key]);

/** Returns a short hash of a plain value, by which it is recognised after it was deleted. */
export const digestOf = (value: object): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

/** Returns the fields that say who a row is sent to or, without a recipient, which record it is about. */
export function recipientFields({ fields }: Pick<Action, 'fields'>): Action['fields'] {
  const all = fields.filter((field) => fieldTypes[field.type].identifies && !isSenderField(field));
  const recipients = all.filter(({ type }) => type === 'phone');
  return recipients.length > 0 ? recipients : all;
}

/** Returns a row's recipient as text; empty if the values have none. */
export const recipientText = (action: Action, values: Record<string, unknown>): string =>
  recipientFields(action)
    .map(({ key }) => String(values[key] ?? ''))
    .filter((text) => text !== '')
    .join(', ');

/** Returns a hash of a row's recipient, whatever is sent and from where. */
export const recipientOf = (action: Action, values: Record<string, unknown>): string =>
  digestOf(recipientFields(action).map(({ key }) => values[key] ?? null));

/** Returns that hash; undefined if the values have no recipient. */
export const recipientIn = (action: Action, values: Record<string, unknown>): string | undefined =>
  recipientFields(action).some(({ key }) => values[key] !== undefined)
    ? recipientOf(action, values)
    : undefined;
