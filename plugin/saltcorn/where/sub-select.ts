import db from '@saltcorn/data/db';
import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import {
  type Columns,
  type Condition,
  comparable,
  replaceLeaves,
  sentence,
  TelephonyError,
} from '../../../src/builder.ts';
import type { InSelect, InSelectWithLevels, Row, SubSelect, Where } from './where.ts';

/**
 * Finds a table by its name, also as Saltcorn writes it for SQL, without spaces.
 *
 * @throws {TelephonyError} if there is none
 */
export async function tableNamed(name: string): Promise<SaltcornTable> {
  const named = (one: { name: string }) => db.sqlsanitize(one.name) === name;
  const found =
    Table.findOne({ name }) ??
    Table.findOne({ name: (await Table.find({}, { cached: true })).find(named)?.name ?? '' });
  if (!found)
    throw new TelephonyError('input', sentence('The table “{name}” no longer exists.', { name }));
  return found;
}

const rowsOf = async (name: string, where: Where): Promise<Row[]> =>
  (await tableNamed(name)).getRows({ ...where });

const values = (rows: Row[], column: string) => [...new Set(rows.map((row) => row[column]))];

const filled = (rows: Row[], column: string) =>
  values(rows, column).filter((value) => value !== null);

async function selected({ table, field, where, ...rest }: InSelect): Promise<unknown[]> {
  const { through, through_pk = 'id', valField } = rest;
  if (!through || !valField) return values(await rowsOf(table, where), field);
  const keys = filled(await rowsOf(through, where), through_pk);
  return values(await rowsOf(table, { [field]: { in: keys } }), valField);
}

async function selectedByLevels({ joinLevels, where }: InSelectWithLevels): Promise<unknown[]> {
  const [first, ...others] = joinLevels;
  let rows = await rowsOf(first?.table ?? '', where);
  let last = first;
  for (const level of others) {
    const { table, fkey, inboundKey = '', pk_name = 'id', ref_name = 'id' } = level;
    if (fkey && level === others.at(-1)) return values(rows, fkey);
    const condition = fkey
      ? { [pk_name]: { in: filled(rows, fkey) } }
      : { [inboundKey]: { in: filled(rows, ref_name) } };
    rows = await rowsOf(table, condition);
    last = level;
  }
  return values(rows, last?.pk_name ?? 'id');
}

/**
 * Replaces each sub-select of a condition by the values that it finds. Saltcorn can't evaluate them, because a table of
 * the service isn't in the database.
 *
 * @throws {TelephonyError} if a table no longer exists
 */
export const withoutSubSelects = (
  condition: Condition,
  { types, cleanPhone }: Columns,
): Promise<Condition> =>
  replaceLeaves(condition, async (leaf) => {
    if (leaf.kind !== 'sub-select') return leaf;
    const { column } = leaf;
    const select = leaf.select as SubSelect;
    const found = await ('joinLevels' in select ? selectedByLevels(select) : selected(select));
    const type = types.get(column);
    return {
      kind: 'list',
      column,
      values: found.map((value) => comparable(value, type, cleanPhone)),
    };
  });
