import type { Row } from '../where/where.ts';

const isEmpty = (value: unknown) => value === null || value === undefined;

const compare = (left: unknown, right: unknown) =>
  typeof left === 'string' ? left.localeCompare(String(right)) : Number(left) - Number(right);

/**
 * Sorts rows by a column. Rows without a value come last in either direction.
 *
 * @param rows the rows, which aren't changed
 * @param column the name of the column
 * @param isDescending whether the largest value comes first
 */
export function sortRows(rows: Row[], column: string, isDescending: boolean): Row[] {
  const direction = isDescending ? -1 : 1;
  const filled = rows.filter((row) => !isEmpty(row[column]));
  const empty = rows.filter((row) => isEmpty(row[column]));
  return [
    ...filled.sort((left, right) => direction * compare(left[column], right[column])),
    ...empty,
  ];
}
