import type { RowEnd } from './row-end.ts';

export type RowOutcome = RowEnd['outcome'] | 'waiting' | 'duplicate';

/** One row of a batch and its outcome. */
export interface RowItem {
  /** The name or number of the row. */
  who: string;
  outcome: RowOutcome;
  /** The key of the row, if it records its outcome. */
  key?: unknown;
  /** Which row it is, whether or not it records its outcome: its table and key, as text. */
  row?: string;
  /** The keys of those that would send the same. */
  same?: unknown[];
  /** It was started before, and its outcome is unknown. */
  isPending?: true;
  /** When it was begun, by the clock of the service, as long as its outcome is not known. */
  begun?: string;
  /** A fingerprint of what is sent. Another batch knows the item by it when its values are forgotten. */
  digest?: string;
  /** What is sent, as long as that is to be done. */
  values?: Record<string, unknown>;
  /** Why it was not done, or perhaps was. */
  message?: string;
}
