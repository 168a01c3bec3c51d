import Table from '@saltcorn/data/models/table';
import { cleanPhone, TelephonyError } from '../../../src/index.ts';
import {
  and,
  type Condition,
  constant,
  type Leaf,
  not,
  or,
  replaceLeaves,
} from '../where/condition.ts';
import type { Row, Where } from '../where/where.ts';
import type { TableKey } from './keys.ts';

/** For more numbers it is quicker to go through the whole table. */
const mostPatterns = 50;

const isFound = ({ column, own }: TableKey) => column !== own;

// Their owners write numbers with spaces and brackets.
const numberIn = (row: Row, { other }: TableKey) => cleanPhone(String(row[other] ?? '').trim());

const patternOf = (number: string) => ({ ilike: `%${[...number].join('%')}%`, fullMatch: true });

async function numberedRows(
  key: TableKey,
  where: Where,
): Promise<[number: string, key: unknown][]> {
  const table = Table.findOne({ name: key.table });
  if (!table) return [];
  const rows = await table.getRows(where, { orderBy: table.pk_name });
  return rows
    .map((row): [string, unknown] => [numberIn(row, key), row[table.pk_name]])
    .filter(([number]) => number !== '');
}

async function withKey(rows: Row[], key: TableKey): Promise<Row[]> {
  const numbers = [...new Set(rows.map((row) => row[key.own]))].filter((one) => one !== null);
  if (numbers.length === 0) return rows.map((row) => ({ ...row, [key.column]: null }));
  const patterns = numbers.map((number) => ({ [key.other]: patternOf(String(number)) }));
  const found = await numberedRows(key, numbers.length > mostPatterns ? {} : { or: patterns });
  // The first row with a number is the one that counts.
  const keys = new Map(found.reverse());
  return rows.map((row) => ({ ...row, [key.column]: keys.get(String(row[key.own])) ?? null }));
}

/**
 * Rows with the keys of the rows elsewhere that hold their numbers.
 *
 * @param keys the keys of the table
 */
export async function withKeys(keys: TableKey[], rows: Row[]): Promise<Row[]> {
  let filled = rows;
  for (const key of keys.filter(isFound)) filled = await withKey(filled, key);
  return filled;
}

const bounds = {
  '=': (value: unknown) => value,
  '<': (value: unknown) => ({ lt: value }),
  '<=': (value: unknown) => ({ lt: value, equal: true }),
  '>': (value: unknown) => ({ gt: value }),
  '>=': (value: unknown) => ({ gt: value, equal: true }),
};

/** What a condition of a key asks of the other table. */
function wanted(leaf: Leaf): unknown {
  if (leaf.kind === 'comparison') return bounds[leaf.operator](leaf.value);
  if (leaf.kind === 'list') return { in: leaf.values };
  throw new TelephonyError('input', `This filter of “${leaf.column}” is not possible here.`);
}

async function asNumbers(key: TableKey, leaf: Leaf, isNegated: boolean): Promise<Condition> {
  const isOneOf = async (where: Where): Promise<Condition> => ({
    ...{ kind: 'list', column: key.own },
    values: [...new Set((await numberedRows(key, where)).map(([number]) => number))],
  });
  if (leaf.kind === 'empty')
    return or([{ kind: 'empty', column: key.own }, not(await isOneOf({}))]);
  if (leaf.kind === 'list' && leaf.values.length === 0) return constant(false);
  const primaryKey = Table.findOne({ name: key.table })?.pk_name ?? 'id';
  const isThere = await isOneOf({ [primaryKey]: wanted(leaf) });
  if (!isNegated) return isThere;
  // Where no row has the number the key is empty, and what is empty is not unequal to anything either.
  const isEmpty =
    leaf.kind === 'list' && leaf.values.includes(null) ? [] : [not(await isOneOf({}))];
  return or([isThere, and([...isEmpty, constant('unknown')])]);
}

/**
 * A condition of the columns that the records themselves have: a key to the row with the caller's number becomes the
 * number.
 *
 * @param keys the keys of the table
 * @throws {TelephonyError} when a key is compared with what is no key
 */
export const withoutKeys = (keys: TableKey[], condition: Condition): Promise<Condition> =>
  replaceLeaves(condition, (leaf, isNegated) => {
    const other = leaf.kind === 'columns' ? leaf.other : leaf.column;
    const key = keys
      .filter(isFound)
      .find(({ column }) => column === leaf.column || column === other);
    return key ? asNumbers(key, leaf, isNegated) : leaf;
  });
