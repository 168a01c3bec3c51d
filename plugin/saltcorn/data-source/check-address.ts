import db from '@saltcorn/data/db';
import type { SaltcornTable } from '@saltcorn/data/models/table';
import { sentence, TelephonyError } from '../../../src/builder.ts';
import { unreadColumn } from '../where/unread-column.ts';

/**
 * Checks the filters in the current page's URL against a table's columns. Saltcorn drops values that it can't read from
 * the filter.
 *
 * @throws {TelephonyError} with code `input` if a column can't hold a value
 */
export function checkAddress({ fields }: SaltcornTable): void {
  const request = db.getRequestContext()?.req;
  const unread = request && unreadColumn(fields, request.query ?? {}, request);
  if (!unread) return;
  throw new TelephonyError(
    'input',
    sentence("The page's address has an invalid filter for “{label}”.", { label: unread.label }),
  );
}
