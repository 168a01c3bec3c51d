import { readMaxRows } from '../../src/builder.ts';

/** The “Maximum rows” of a button that has none. */
export const usualMaxRows = 1_000;

/**
 * Reads the “Maximum rows” of a button.
 *
 * @throws {TelephonyError} if it is invalid
 */
export const maxRowsOf = ({ maxRows }: { maxRows?: unknown }): number =>
  readMaxRows(maxRows, usualMaxRows);
