import type { Batch, PreviousBatch } from '../../../src/builder.ts';
import type { Row } from '../where/where.ts';
import type { NoteColumns } from './row-notes.ts';

/** What a batch of Saltcorn needs to go on. */
export interface BatchContext {
  /** The button's settings, and the row that it is on, until the rows are chosen. */
  configuration?: Row;
  row?: Row | undefined;
  tableName?: string;
  /** The columns of the table that record the outcomes. */
  columns?: NoteColumns | undefined;
}

export type SaltcornBatch = Batch<BatchContext>;
export type Previous = PreviousBatch<BatchContext>;

/** Which button someone pressed. @param settings a hash of its settings */
export const buttonOf = (visitor: string, settings: string): string => `${settings} ${visitor}`;
