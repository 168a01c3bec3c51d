import { isMissing } from '../input/is-missing.ts';
import { numberText } from '../number-text.ts';
import { TelephonyError } from '../telephony-error.ts';

/** The highest possible “Maximum rows” of a batch. */
export const maxBatchRows = 100_000;

/**
 * Reads the setting “Maximum rows” of a batch.
 *
 * @param usual its value if it is empty
 * @throws {TelephonyError} if it is invalid, which never means all rows
 */
export function readMaxRows(typed: unknown, usual: number): number {
  const limit = isMissing(typed) ? usual : Number(typed);
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxBatchRows) return limit;
  const sentence = `“Maximum rows” must be a whole number from 1 to ${numberText(maxBatchRows)}.`;
  throw new TelephonyError('input', sentence);
}
