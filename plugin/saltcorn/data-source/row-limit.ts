import { TelephonyError } from '../../../src/builder.ts';
import { isPreview, pageRequest, showPart } from './page-notice.ts';

/** How many rows an export, a script or the count of a table reads at most; each 1,000 are one request. */
export const mostRows = 10_000;

/** How many rows are read for something that asks for all of them. */
export interface RowLimit {
  /** The most rows. */
  readLimit: number;
  /** Whether it has to have all rows: there is no page that could say that some are missing. */
  isWhole: boolean;
}

/**
 * How many rows are read. A page that asks for all rows is shown with fewer, rather than late.
 *
 * @param readLimit how many rows the settings allow a page
 * @param isAll whether all rows are requested
 */
export function rowLimit(readLimit: number, isAll: boolean): RowLimit {
  const isWhole = isAll && !pageRequest() && !isPreview();
  return { readLimit: isWhole ? Math.max(readLimit, mostRows) : readLimit, isWhole };
}

/**
 * Says on the page that is being made that not all records were read.
 *
 * @param name the name of the list
 * @throws {TelephonyError} where all of them were needed
 */
export function sayPartly(name: string, { readLimit, isWhole }: RowLimit): void {
  const most = readLimit.toLocaleString('en-US');
  if (isWhole)
    throw new TelephonyError(
      'input',
      `“${name}” has more than ${most} records, the most that the plugin reads at once. Filter it, for example by date.`,
    );
  showPart(
    `“${name}” searched only the newest ${most} records. Filter the list to find older ones.`,
  );
}
