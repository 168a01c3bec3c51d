import type { BatchCost, RowOutcome, RowProblem } from '../../src/builder.ts';

/** A part of what a field is filled in with: a text, or the value that a row has in a column. */
export type Part = string | { column: string };

/** What is to be done for the rows that someone selected, as a browser says it. */
export interface RowsRequest {
  account?: unknown;
  /** The key of the data source of the rows. */
  dataSource: string;
  collection: string;
  /** The keys of the rows. */
  rows: unknown[];
  /** The button that was pressed, as NocoBase stores it. */
  button?: unknown;
  /** What the action's fields are filled in with, by their keys. */
  input: Record<string, Part[]>;
}

/** What is to be seen of something that is done for selected rows. */
export interface RunView {
  key: string;
  /** The preview is shown, it is in progress, its process ended, or it has ended. */
  state: 'asked' | 'running' | 'interrupted' | 'ended';
  counts: Record<RowOutcome, number>;
  /** The first recipients or rows. */
  waiting: string[];
  /** Rows that an earlier batch began: the message log is checked for them, and nothing is sent again. */
  pending?: string[];
  /** What is sent for the first one, by the keys of fields. */
  example: Record<string, string>;
  /** What it costs, as long as someone is asked. */
  cost?: BatchCost;
  problems: RowProblem[];
  done: string[];
  /** The last batch of the same button. */
  previous?: { key: string; startedAt: string; state: RunView['state']; counts: RunView['counts'] };
  /** Whether the result of that batch was deleted. */
  isPreviousDeleted?: boolean;
}
