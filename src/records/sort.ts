import { plain, type Row } from './comparable.ts';

/** A column to sort by. */
export interface SortBy {
  column: string;
  isDescending?: boolean;
  /** Whether empty values come first, in either direction; by default they come last. */
  isEmptyFirst?: boolean;
}

const { compare: compareTexts } = new Intl.Collator('en');

/** Compares numbers and dates by value, and anything else as text. */
export function compare(one: unknown, other: unknown): number {
  const [left, right] = [plain(one), plain(other)];
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : compareTexts(String(left), String(right));
}

function compareBy({ column, isDescending, isEmptyFirst }: SortBy, one: Row, other: Row): number {
  const [left, right] = [one[column] ?? null, other[column] ?? null];
  if (left === null || right === null)
    return (Number(left === null) - Number(right === null)) * (isEmptyFirst ? -1 : 1);
  return compare(left, right) * (isDescending ? -1 : 1);
}

/**
 * Sorts records by some columns, and those with equal values as they were.
 *
 * @param orders the columns; the first one counts most
 */
export const sorted = <Of extends Row>(rows: readonly Of[], orders: SortBy[]): Of[] =>
  [...rows].sort((one, other) =>
    orders.reduce((found, by) => found || compareBy(by, one, other), 0),
  );
