import type { Row } from '../where/where.ts';

type Comparable = string | number | Date;

const isEmpty = (value: unknown) => value === null || value === undefined;

const compare = (left: Comparable, right: Comparable) =>
  typeof left === 'string' ? left.localeCompare(String(right)) : Number(left) - Number(right);

/**
 * Sorts rows by a column; rows without a value come last in either direction.
 *
 * @param rows the rows, which stay as they are
 * @param column the name of the column
 * @param isDescending whether the largest comes first
 */
export function sortRows(rows: Row[], column: string, isDescending: boolean): Row[] {
  const direction = isDescending ? -1 : 1;
  const [filled, empty] = [false, true].map((wanted) =>
    rows.filter((row) => isEmpty(row[column]) === wanted),
  ) as [Row[], Row[]];
  const sorted = filled.sort(
    (left, right) => direction * compare(left[column] as Comparable, right[column] as Comparable),
  );
  return [...sorted, ...empty];
}
