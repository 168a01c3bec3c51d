import { sentence, TelephonyError } from '../../../src/builder.ts';
import { say } from '../translated.ts';
import { isPreview, pageRequest, showWarning } from './page-notice.ts';

/** The maximum number of rows that an export, a script or a table's count reads; each 1,000 take one request. */
export const mostRows = 10_000;

/** The limit of a read. */
export interface RowLimit {
  /** The maximum number of rows. */
  readLimit: number;
  /** Whether the caller needs all rows, because no page can show that some are missing. */
  isWhole: boolean;
}

/**
 * Returns the limit of a read. A page that requests all rows shows fewer rather than taking long.
 *
 * @param readLimit the limit for pages in the settings
 * @param isAll whether all rows are requested
 */
export function rowLimit(readLimit: number, isAll: boolean): RowLimit {
  const isWhole = isAll && !pageRequest() && !isPreview();
  return { readLimit: isWhole ? Math.max(readLimit, mostRows) : readLimit, isWhole };
}

/**
 * Shows a notice on the current page that not all records were read.
 *
 * @param name the name of the table
 * @throws {TelephonyError} if the caller needs all of them
 */
export function reportIncomplete(name: string, { readLimit, isWhole }: RowLimit): void {
  const values = { name, most: readLimit };
  if (isWhole)
    throw new TelephonyError(
      'input',
      sentence(
        '“{name}” has more than {most} records, the most that the plugin reads at once. Filter it, for example by date.',
        values,
      ),
    );
  showWarning(
    say(
      sentence(
        '“{name}” searched only the newest {most} records. Filter the list to find older ones.',
        values,
      ),
    ),
  );
}
