import { joinfield_renamer } from '@saltcorn/data/models/internal/query';
import Table from '@saltcorn/data/models/table';
import { isGiven } from '../../../src/builder.ts';
import { administrator } from '../settings/minimum-role.ts';
import type { Row } from '../where/where.ts';

/** A joined value of another table's row, in Saltcorn's format. */
export interface JoinField {
  /** The key to the other row. */
  ref: string;
  target: string;
  /** Further keys from the other row on. */
  through?: string | string[];
  /** The other table, if its key `ref` points to this one. */
  ontable?: string;
}

const distinct = (rows: Row[], column: string) => [
  ...new Set(rows.map((row) => row[column]).filter(isGiven)),
];

/** The keys of a table. */
interface Keys {
  /** The column of its own key. */
  primary: string;
  /** The other tables, by the columns that refer to them. */
  references: Map<string, string>;
}

/** Values of other rows, by the value that finds the row. */
type Found = Map<string, unknown>;

async function joinedValues(table: string, keys: unknown[], { target, through }: JoinField) {
  const other = Table.findOne({ name: table });
  if (!other || keys.length === 0) return new Map() as Found;
  const [ref, ...further] = [through ?? []].flat();
  const where = { [other.pk_name]: { in: keys } };
  const rows = ref
    ? await other.getJoinedRows({
        where,
        // As in Saltcorn's tables, a joined value needs no right to its row.
        forUser: { role_id: administrator },
        joinFields: { joined: { ref, target, ...(further.length > 0 && { through: further }) } },
      })
    : await other.getRows(where);
  return new Map(rows.map((row) => [String(row[other.pk_name]), row[ref ? 'joined' : target]]));
}

async function pointingValues(keys: unknown[], { ontable, ref, target }: JoinField) {
  const rows =
    (await Table.findOne({ name: ontable ?? '' })?.getRows({ [ref]: { in: keys } })) ?? [];
  return new Map(rows.map((row) => [String(row[ref]), row[target]]));
}

async function withJoin(rows: Row[], keys: Keys, column: string, join: JoinField) {
  const own = join.ontable ? keys.primary : join.ref;
  const table = keys.references.get(join.ref) ?? '';
  const wanted = distinct(rows, own);
  // Most views show the key itself, which needs no other row.
  const isKey =
    !join.ontable && !join.through && join.target === Table.findOne({ name: table })?.pk_name;
  if (isKey) return rows.map((row) => ({ ...row, [column]: row[own] }));
  const found: Found = join.ontable
    ? await pointingValues(wanted, join)
    : await joinedValues(table, wanted, join);
  return rows.map((row) => ({ ...row, [column]: found.get(String(row[own])) ?? null }));
}

/**
 * Adds values of the rows in other tables that the rows refer to.
 *
 * @param rows the rows
 * @param keys their own key, and those to other tables
 * @param joinFields the values, by the name of their column
 * @param aggregations the aggregates that the rows already have, which formulas know by other names
 */
export async function withJoins(
  rows: Row[],
  keys: Keys,
  joinFields: Record<string, JoinField>,
  aggregations: Record<string, object>,
): Promise<Row[]> {
  let filled = rows;
  for (const [column, join] of Object.entries(joinFields))
    filled = await withJoin(filled, keys, column, join);
  return filled.map(joinfield_renamer(joinFields, aggregations));
}
