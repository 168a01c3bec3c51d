import db from '@saltcorn/data/db';
import {
  add_free_variables_to_joinfields,
  freeVariables,
  get_expression_function,
} from '@saltcorn/data/models/expression';
import type { SaltcornTable } from '@saltcorn/data/models/table';
import { visitor } from '../settings/minimum-role.ts';
import type { Row, Where } from '../where/where.ts';
import type { JoinField } from './join-rows.ts';

/** Who reads rows; everyone if it is empty. */
export interface Reader {
  forUser?: { role_id: number } | null;
  forPublic?: boolean;
}

/** Which of some rows somebody may read. */
export type RowRights = (reader: Reader) => (rows: Row[]) => Promise<Row[]>;

const roleOf = ({ forUser, forPublic }: Reader) => forUser?.role_id ?? (forPublic ? visitor : 0);

/**
 * The rights to the rows of a table. Saltcorn makes a filter of the formula that says who owns a row, but leaves out
 * what it cannot, and then counts on the formula being asked again for each row.
 *
 * @param table the table, as it was made
 * @param join gives rows the joined values that a formula asks for
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
 * A filter of the rows that somebody may read, where Saltcorn does not filter by itself.
 *
 * @returns undefined when they may read none
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

/** Who asked for the page that is being made. */
export function requestReader(): Reader {
  const request = db.getRequestContext()?.req;
  if (!request) return {};
  return request.user ? { forUser: request.user } : { forPublic: true };
}
