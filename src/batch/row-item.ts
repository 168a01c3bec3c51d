import type { RowEnd } from './run-row.ts';

export type RowOutcome = RowEnd['outcome'] | 'waiting' | 'same';

/** What is to be done for one row, and what became of it. */
export interface RowItem {
  /** Whom or what the row is about. */
  who: string;
  outcome: RowOutcome;
  /** Which row it is, where what becomes of it is noted in it. */
  key?: unknown;
  /** The keys of those that would send the same. */
  same?: unknown[];
  /** It was begun before, and what became of that is not known. */
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
