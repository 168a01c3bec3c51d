import type { Part, TimeReader } from '../../src/builder.ts';

/** A browser's request to run an action for selected rows. */
export interface RowsRequest {
  account?: unknown;
  /** The key of the rows' data source. */
  dataSource: string;
  collection: string;
  /** The keys of the rows. */
  rows: unknown[];
  /** The language and time zone of the user, in which the rows' times are written. */
  reader?: TimeReader | undefined;
  /** The uid of the clicked button. */
  button?: unknown;
  /** The parts of the action's fields, by key. A column can be one of a related record: `customer.phone`. */
  input: Record<string, Part[]>;
}
