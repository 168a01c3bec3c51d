import Table from '@saltcorn/data/models/table';
import type { Row, Where } from './where.ts';

/** Values of a column of other rows, in Saltcorn's own form of it. */
interface SubSelect {
  table: string;
  field: string;
  where: Where;
  /** The table that `where` is about, whose keys are in `field`, when it is not `table` itself. */
  through?: string;
  through_pk?: string;
  valField?: string;
}

/** One step from table to table: along `fkey` of the table before, or to the rows whose `inboundKey` is a row of it. */
interface Level {
  table: string;
  fkey?: string;
  inboundKey?: string;
  pk_name?: string;
  ref_name?: string;
}

interface LevelSelect {
  joinLevels: Level[];
  where: Where;
}

const rowsOf = async (name: string, where: Where): Promise<Row[]> =>
  (await Table.findOne({ name })?.getRows(where)) ?? [];

const values = (rows: Row[], column: string) => [
  ...new Set(rows.map((row) => row[column]).filter((value) => value !== null)),
];

async function subSelected({ table, field, where, ...rest }: SubSelect): Promise<unknown[]> {
  const { through, through_pk = 'id', valField = 'id' } = rest;
  if (!through) return values(await rowsOf(table, where), field);
  const keys = values(await rowsOf(through, where), through_pk);
  return values(await rowsOf(table, { [field]: { in: keys } }), valField);
}

async function levelSelected({ joinLevels, where }: LevelSelect): Promise<unknown[]> {
  const [first, ...others] = joinLevels;
  let rows = await rowsOf(first?.table ?? '', where);
  let last = first;
  for (const level of others) {
    const { table, fkey, inboundKey = '', pk_name = 'id', ref_name = 'id' } = level;
    if (fkey && level === others.at(-1)) return values(rows, fkey);
    const condition = fkey
      ? { [pk_name]: { in: values(rows, fkey) } }
      : { [inboundKey]: { in: values(rows, ref_name) } };
    rows = await rowsOf(table, condition);
    last = level;
  }
  return values(rows, last?.pk_name ?? 'id');
}

/**
 * A condition in which every sub-select is replaced by the values that it finds. A table of the service is no table of
 * the database, so that Saltcorn cannot find them by itself.
 */
export async function withoutSubSelects(condition: unknown): Promise<unknown> {
  if (Array.isArray(condition)) return Promise.all(condition.map(withoutSubSelects));
  const { inSelect, inSelectWithLevels } = (condition ?? {}) as {
    inSelect?: SubSelect;
    inSelectWithLevels?: LevelSelect;
  };
  if (inSelect) return { in: await subSelected(inSelect) };
  if (inSelectWithLevels) return { in: await levelSelected(inSelectWithLevels) };
  return condition;
}
