import { type CleanPhone, cleanPhone, type FieldType } from '../../../src/builder.ts';

/** The type of a column's values, which determines how to compare them. A key to another table has its own type. */
export type ColumnType = FieldType['holds'] | 'sid' | 'phone' | 'key';

/** What filters need to know about the columns of a table. */
export interface Columns {
  types: ReadonlyMap<string, ColumnType>;
  /** The primary key. */
  key: string;
  /** The columns to search: any part of a text, but only a whole SID, because parts of it mean nothing to people. */
  searched: string[];
  /** Normalises phone numbers for comparison, and can complete national ones. */
  cleanPhone?: CleanPhone;
}

export const isOrdered = (type: ColumnType = 'text') =>
  ['integer', 'number', 'date'].includes(type);

/** A value in the form in which values of its type are compared. Dates are milliseconds. */
export type Comparable = string | number;

// Not `instanceof`: formulas run in a context with its own classes.
export const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]';

/** In formulas, `today()` returns a day such as `2026-8-1`, in the server's time zone. */
const day = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

function millisecondsOf(text: string): number {
  const [, year, month = 0, date = 0] = (day.exec(text) ?? []).map(Number);
  if (year === undefined) return instant.test(text) ? Date.parse(text) : Number.NaN;
  const midnight = new Date(0, month - 1, date);
  midnight.setFullYear(year, month - 1, date);
  // JavaScript reads 31 February, which doesn't exist, as a day in March.
  const isDay = midnight.getMonth() === month - 1 && midnight.getDate() === date;
  return isDay ? midnight.getTime() : Number.NaN;
}

const number = (value: unknown) => (String(value).trim() === '' ? Number.NaN : Number(value));

const readers: Record<ColumnType, (value: unknown, clean: CleanPhone) => Comparable> = {
  text: String,
  sid: String,
  phone: (value, clean) => clean(String(value).trim()),
  integer: number,
  number,
  date: (value) => (typeof value === 'number' ? value : millisecondsOf(String(value).trim())),
  key: (value) => (typeof value === 'number' ? value : String(value)),
};

/**
 * Converts a value to the form in which values of its type are compared.
 *
 * @param clean normalises phone numbers, and may complete national ones
 * @returns null for an empty value, NaN if it is no value of the type
 */
export function comparable(
  value: unknown,
  type: ColumnType = 'text',
  clean: CleanPhone = cleanPhone,
): Comparable | null {
  if (value === null || value === undefined) return null;
  return readers[type](isDate(value) ? value.getTime() : value, clean);
}
