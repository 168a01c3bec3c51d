import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import {
  and,
  type CleanPhone,
  type Condition,
  cleanPhone,
  constant,
  type Leaf,
  not,
  or,
  replaceLeaves,
  sentence,
  TelephonyError,
} from '../../../src/builder.ts';
import { sayError } from '../translated.ts';
import type { Row, Where } from '../where/where.ts';
import type { TableKey } from './keys.ts';
import { showWarning } from './page-notice.ts';

/** For more numbers, reading the whole table is faster. */
const mostPatterns = 50;

const isFound = ({ column, own }: TableKey) => column !== own;

// Users write numbers with spaces and brackets.
const numberIn = (row: Row, { other }: TableKey, clean: CleanPhone) =>
  clean(String(row[other] ?? '').trim());

/** How many digits at its end a number without its country code shares at least with the whole number. */
const commonEnd = 6;

/** A pattern for every row that may hold a number. The caller then compares the whole number. */
const patternOf = (number: string, isWhole: boolean) => {
  const digits = isWhole ? number : number.slice(-commonEnd);
  return { ilike: `%${[...digits].join('%')}%`, fullMatch: true };
};

/** Returns the table of a key; an error if it, or the column there, was deleted. */
function tableOf({ table: name, other }: TableKey): SaltcornTable | TelephonyError {
  const table = Table.findOne({ name });
  if (table?.fields.some((field) => field.name === other)) return table;
  return new TelephonyError(
    'input',
    sentence(
      "“{table}” has no column “{column}”. Choose another one under “{label}” in the table's settings.",
      { table: name, column: other, label: { text: 'Link tables' } },
    ),
  );
}

interface Numbered {
  number: string;
  row: Row;
  key: unknown;
}

async function numberedRows(key: TableKey, where: Where, clean: CleanPhone): Promise<Numbered[]> {
  const table = tableOf(key);
  if (table instanceof TelephonyError) throw table;
  const rows = await table.getRows(where, { orderBy: table.pk_name });
  return rows
    .map((row) => ({ number: numberIn(row, key, clean), row, key: row[table.pk_name] }))
    .filter(({ number }) => number !== '');
}

/** Whether the database has no such column: Saltcorn calculates it for each row. */
const isUnstored = ({ table, other }: TableKey) =>
  Table.findOne({ name: table })?.fields.some(
    ({ name, calculated, stored }) => name === other && calculated && !stored,
  );

/** A filter by all rows that may hold one of these numbers. */
function mayHold(key: TableKey, numbers: string[], clean: CleanPhone): Where {
  const { other } = key;
  if (isUnstored(key)) return {};
  const isWhole = clean === cleanPhone;
  const patterns = numbers.map((number) => ({ [other]: patternOf(number, isWhole) }));
  return numbers.length > mostPatterns ? {} : { or: patterns };
}

/**
 * Finds all rows that hold a phone number, however it is written there, by their own key.
 *
 * @param number the normalised number
 * @param clean normalises phone numbers
 */
export async function rowsWithNumber(
  key: TableKey,
  number: string,
  clean: CleanPhone,
): Promise<Row[]> {
  const rows = await numberedRows(key, mayHold(key, [number], clean), clean);
  return rows.filter((one) => one.number === number).map(({ row }) => row);
}

async function withKey(rows: Row[], key: TableKey, clean: CleanPhone): Promise<Row[]> {
  const numbers = [...new Set(rows.map((row) => row[key.own]))].filter((one) => one !== null);
  const table = tableOf(key);
  // The other columns of a view are still of use.
  if (table instanceof TelephonyError) showWarning(sayError(table));
  const isPossible = numbers.length > 0 && !(table instanceof TelephonyError);
  const found = isPossible
    ? await numberedRows(key, mayHold(key, numbers.map(String), clean), clean)
    : [];
  // If several rows have a number, the first one counts.
  const keys = new Map(found.reverse().map((one) => [one.number, one.key]));
  return rows.map((row) => ({
    ...row,
    [key.column]: keys.get(clean(String(row[key.own]))) ?? null,
  }));
}

/**
 * Adds the keys of the rows in other tables that hold the rows' numbers.
 *
 * @param keys the keys of the table
 * @param clean normalises phone numbers
 */
export async function withKeys(
  keys: TableKey[],
  rows: Row[],
  clean: CleanPhone = cleanPhone,
): Promise<Row[]> {
  let filled = rows;
  for (const key of keys.filter(isFound)) filled = await withKey(filled, key, clean);
  return filled;
}

/** Converts a condition on a key to a filter of the other table. */
function wanted(leaf: Leaf): unknown {
  if (leaf.kind === 'bound') {
    const { operator, value } = leaf;
    return { [operator.startsWith('<') ? 'lt' : 'gt']: value, equal: operator.endsWith('=') };
  }
  if (leaf.kind === 'list') return { in: leaf.values };
  const { column } = leaf;
  throw new TelephonyError(
    'input',
    sentence('This filter of “{column}” is not possible here.', { column }),
  );
}

async function asNumbers(
  key: TableKey,
  leaf: Leaf,
  isNegated: boolean,
  clean: CleanPhone,
): Promise<Condition> {
  const isOneOf = async (where: Where): Promise<Condition> => ({
    ...{ kind: 'list', column: key.own },
    values: [...new Set((await numberedRows(key, where, clean)).map(({ number }) => number))],
  });
  if (leaf.kind === 'empty')
    return or([{ kind: 'empty', column: key.own }, not(await isOneOf({}))]);
  if (leaf.kind === 'list' && leaf.values.length === 0) return constant(false);
  const primaryKey = Table.findOne({ name: key.table })?.pk_name ?? 'id';
  const isThere = await isOneOf({ [primaryKey]: wanted(leaf) });
  if (!isNegated) return isThere;
  // If no row has the number, the key is null, which is not unequal to anything, either.
  const isEmpty =
    leaf.kind === 'list' && leaf.values.includes(null) ? [] : [not(await isOneOf({}))];
  return or([isThere, and([...isEmpty, constant('unknown')])]);
}

/**
 * Replaces conditions on keys by conditions on the records' own columns: a key to the row with the caller's number
 * becomes the number.
 *
 * @param keys the keys of the table
 * @param clean normalises phone numbers
 * @throws {TelephonyError} if a key is compared with something that is no key
 */
export const withoutKeys = (
  keys: TableKey[],
  condition: Condition,
  clean: CleanPhone = cleanPhone,
): Promise<Condition> =>
  replaceLeaves(condition, (leaf, isNegated) => {
    const other = leaf.kind === 'columns' ? leaf.other : leaf.column;
    const key = keys
      .filter(isFound)
      .find(({ column }) => column === leaf.column || column === other);
    return key ? asNumbers(key, leaf, isNegated, clean) : leaf;
  });
