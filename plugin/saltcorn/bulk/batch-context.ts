import type { Batch, PreviousBatch } from '../../../src/builder.ts';
import type { Row } from '../where/where.ts';
import type { NoteColumns } from './row-notes.ts';

/** The context that Saltcorn needs to resume a batch. */
export interface BatchContext {
  /** The button's settings and row, until the rows are selected. */
  configuration?: Row;
  row?: Row | undefined;
  tableName?: string;
  /** The columns of the table that record outcomes. */
  columns?: NoteColumns | undefined;
}

export type SaltcornBatch = Batch<BatchContext>;
export type Previous = PreviousBatch<BatchContext>;

/**
 * Identifies a visitor's button.
 *
 * @param settings a hash of the button's settings
 */
export const buttonOf = (visitor: string, settings: string): string => `${settings} ${visitor}`;
