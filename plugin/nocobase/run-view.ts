import type { Part } from '../../src/builder.ts';

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
