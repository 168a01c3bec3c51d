import db, { type PageRequest } from '@saltcorn/data/db';
import {
  add_free_variables_to_joinfields,
  freeVariables,
  get_expression_function,
} from '@saltcorn/data/models/expression';
import type { SaltcornTable } from '@saltcorn/data/models/table';
import { visitor } from '../settings/minimum-role.ts';
import type { Row, Where } from '../where/where.ts';
import type { JoinField } from './join-rows.ts';

/** The reader of rows. If empty, rights aren't checked. */
export interface Reader {
  forUser?: { role_id: number } | null;
  forPublic?: boolean;
}

/** Returns the rows that the reader may see. */
export type RowRights = (reader: Reader) => (rows: Row[]) => Promise<Row[]>;

const roleOf = ({ forUser, forPublic }: Reader) => forUser?.role_id ?? (forPublic ? visitor : 0);

/**
 * Checks the rights to a table's rows. Saltcorn converts the ownership formula to a filter, but leaves out the parts
 * that it can't convert, and expects the formula to be evaluated again for each row.
 *
 * @param table the table
 * @param join adds the joined values that a formula uses
 */
export const rowRights =
  (
    { min_role_read, ownership_formula, fields }: SaltcornTable,
    join: (rows: Row[], joinFields: Record<string, JoinField>) => Promise<Row[]>,
  ): RowRights =>
  (reader) =>
  async (rows) => {
    if (roleOf(reader) <= min_role_read || !ownership_formula) return rows;
    const isOwner = get_expression_function(ownership_formula, fields);
    const joinFields: Record<string, JoinField> = {};
    add_free_variables_to_joinfields(freeVariables(ownership_formula), joinFields, fields);
    const joined = await join(rows, joinFields);
    return rows.filter((_, index) => isOwner(joined[index] ?? {}, reader.forUser));
  };

/**
 * Adds the reader's rights to a filter, where Saltcorn doesn't.
 *
 * @returns undefined if they may read no rows
 */
export function readableWhere(
  table: SaltcornTable,
  where: Where,
  reader: Reader,
): Where | undefined {
  const own = { ...where };
  const role = roleOf(reader);
  const isNone =
    role > 0 &&
    table.updateWhereWithOwnership(own, reader.forUser ?? { role_id: visitor }, true)
      ?.notAuthorized;
  return isNone ? undefined : own;
}

/** The reader of a request. Triggers have none, and may read all rows that their owner selects. */
export function readerOf(request: { user?: { role_id: number } } | null | undefined): Reader {
  if (!request) return {};
  return request.user ? { forUser: request.user } : { forPublic: true };
}

/** The user who requested the current page. */
export const requestReader = (): Reader => readerOf(db.getRequestContext()?.req);

// Actions may read all rows that their owner selects, like triggers.
const rendersView = ({ method, originalUrl = '' }: PageRequest) =>
  method === 'GET' || /^\/view\/[^/]+\/(?!run_action\b)/.test(originalUrl);

/** The reader of a view's rows: the user who opened it, even if the view doesn't say so, as views of other modules. */
export function viewReader(reader: Reader): Reader {
  if (roleOf(reader) > 0) return reader;
  const request = db.getRequestContext()?.req;
  return request && rendersView(request) ? readerOf(request) : {};
}
