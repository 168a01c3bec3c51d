import db from '@saltcorn/data/db';
import type { SaltcornTable } from '@saltcorn/data/models/table';
import { TelephonyError } from '../../../src/builder.ts';
import { unreadColumn } from '../where/unread-column.ts';

/**
 * Holds the address of the page that is being made against the columns of a table, since the filter that Saltcorn makes of it
 * lacks what Saltcorn cannot read.
 *
 * @throws {TelephonyError} with code `input` when it asks for a value that its column cannot hold
 */
export function checkAddress({ fields }: SaltcornTable): void {
  const request = db.getRequestContext()?.req;
  const unread = request && unreadColumn(fields, request.query ?? {}, request);
  if (!unread) return;
  throw new TelephonyError(
    'input',
    `The page's address has an invalid filter for “${unread.label}”.`,
  );
}
