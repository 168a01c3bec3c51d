import type { Action } from '../../generated/definition-types.ts';
import type { RowItem } from './row-item.ts';
import { outcomeWord, skipReasons } from './row-summary.ts';

/** A row of a batch as people read it. Texts are empty if there is nothing to say. */
export interface RowView {
  /** The name or number of the row. */
  who: string;
  /** The number that its message goes to, or what else its action is about. */
  recipient: string;
  outcome: string;
  /** Why it is skipped, failed, was not run, or is unknown. */
  reason: string;
  sid: string;
}

/** What the columns of rows are called. */
export const rowColumns: Record<keyof RowView, string> = {
  who: 'Row',
  recipient: 'Recipient',
  outcome: 'Outcome',
  reason: 'Reason',
  sid: 'SID',
};

/**
 * Returns a row of a batch as people read it.
 *
 * @param translate translates words, if people read another language
 */
export function rowView(
  action: Action,
  { who, to = '', outcome, message, sid = '' }: RowItem,
  translate: (text: string) => string = (text) => text,
): RowView {
  const reason = message || translate(skipReasons[outcome] ?? '');
  return { who, recipient: to, outcome: translate(outcomeWord(action, outcome)), reason, sid };
}
