import Table from '@saltcorn/data/models/table';
import { cleanPhone } from '../../../src/index.ts';
import { isCombined } from '../where/row-filter.ts';
import { withoutSubSelects } from '../where/sub-select.ts';
import type { Row, Where } from '../where/where.ts';
import type { TableKey } from './keys.ts';

const isFound = ({ column, own }: TableKey) => column !== own;

// Their owners write numbers with spaces and brackets.
const numberIn = (row: Row, { other }: TableKey) => cleanPhone(String(row[other] ?? '').trim());

async function numberedRows(
  key: TableKey,
  where: Where,
): Promise<[number: string, key: unknown][]> {
  const table = Table.findOne({ name: key.table });
  if (!table) return [];
  const { pk_name } = table;
  const rows = await table.getRows(where, { fields: [pk_name, key.other], orderBy: pk_name });
  return rows
    .map((row): [string, unknown] => [numberIn(row, key), row[pk_name]])
    .filter(([number]) => number !== '');
}

async function withKey(rows: Row[], key: TableKey): Promise<Row[]> {
  // The first row with a number is the one that counts.
  const keys = new Map((await numberedRows(key, {})).reverse());
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

async function numbersOf(key: TableKey, wanted: unknown) {
  const isNone = wanted === null;
  const where = isNone ? {} : { [Table.findOne({ name: key.table })?.pk_name ?? 'id']: wanted };
  const numbers = (await numberedRows(key, where as Where)).map(([number]) => number);
  if (isNone) return { not: { in: numbers } };
  return numbers.length === 1 ? numbers[0] : { in: numbers };
}

const both = (one: unknown, other: unknown) => (one === undefined ? other : [one, other].flat());

/**
 * Saltcorn hands the sid of the row that a view shows on to the lists in the view, beside the key by which their rows
 * belong to it. It is not the sid of any of these.
 */
function withoutInheritedSid(keys: TableKey[], where: Where): Where {
  const { sid, ...rest } = where;
  const isInherited = keys.some((key) => !isFound(key) && rest[key.column] === sid);
  return isInherited ? rest : where;
}

/**
 * A filter of the columns that the records themselves have: a key to the row with the caller's number becomes the
 * number, and sub-selects become the values that they find.
 *
 * @param keys the keys of the table
 * @param where Saltcorn's filter
 */
export async function withoutKeys(keys: TableKey[], where: Where): Promise<Where> {
  const plain: Where = {};
  for (const [name, wanted] of Object.entries(withoutInheritedSid(keys, where))) {
    const key = keys.find((one) => one.column === name && isFound(one));
    const nested = (one: unknown) => withoutKeys(keys, one as Where);
    if (key) plain[key.own] = both(plain[key.own], await numbersOf(key, wanted));
    else if (isCombined(name))
      plain[name] = Array.isArray(wanted)
        ? await Promise.all(wanted.map(nested))
        : await nested(wanted);
    else plain[name] = both(plain[name], await withoutSubSelects(wanted));
  }
  return plain;
}
