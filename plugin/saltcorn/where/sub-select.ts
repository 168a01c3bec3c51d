import db from '@saltcorn/data/db';
import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import {
  type Columns,
  type ColumnType,
  type Condition,
  comparable,
  replaceLeaves,
  sentence,
  TelephonyError,
} from '../../../src/builder.ts';
import { typeOf } from '../bulk/columns-of.ts';
import {
  filledValue,
  type InSelect,
  type InSelectWithLevels,
  type Row,
  type SubSelect,
  type Where,
} from './where.ts';

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

const blanks: Partial<Record<ColumnType, unknown>> = { text: '', integer: 0, number: 0 };

/** A filter by a column that is neither empty nor zero nor false, as Saltcorn writes it. */
function filledWhere({ fields }: SaltcornTable, name: string): Where {
  const field = fields.find((one) => one.name === name);
  if (typeof field?.type === 'object' && field.type.name === 'Bool') return { [name]: true };
  const blank = blanks[(field && typeOf(field)) ?? 'key'];
  return {
    and: [null, ...(blank === undefined ? [] : [blank])].map((one) => ({ not: { [name]: one } })),
  };
}

const written = (where: Where, table: SaltcornTable): Where => {
  const [name] = Object.entries(where).find(([, wanted]) => wanted === filledValue) ?? [];
  return name === undefined ? { ...where } : filledWhere(table, name);
};

async function rowsOf(name: string, where: Where): Promise<Row[]> {
  const table = await tableNamed(name);
  return table.getRows(written(where, table));
}

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
