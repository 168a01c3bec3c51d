import { type CleanPhone, cleanPhone, type FieldType } from '../../../src/builder.ts';

/** What the values of a column are, and so how they are compared. Those of a key to another table are its own. */
export type ColumnType = FieldType['holds'] | 'sid' | 'phone' | 'key';

/** What a filter has to know of the columns of a table. */
export interface Columns {
  types: ReadonlyMap<string, ColumnType>;
  /** The primary key. */
  key: string;
  /** Where a search looks: at any part of a text, but only at the whole of a sid, which says nothing to people. */
  searched: string[];
  /** The form in which phone numbers are compared, which can complete national ones. */
  cleanPhone?: CleanPhone;
}

export const isOrdered = (type: ColumnType = 'text') =>
  ['integer', 'number', 'date'].includes(type);

/** A value in the one form in which values of its type are compared: dates are milliseconds. */
export type Comparable = string | number;

// Not by its class: formulas run in a context of their own, which has another one.
export const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]';

/** `today()` in a formula gives `2026-8-1`: a day, by the clock of the server. */
const day = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

function millisecondsOf(text: string): number {
  const [, year, month = 0, date = 0] = (day.exec(text) ?? []).map(Number);
  if (year === undefined) return instant.test(text) ? Date.parse(text) : Number.NaN;
  const midnight = new Date(0, month - 1, date);
  midnight.setFullYear(year, month - 1, date);
  // There is no 31st of February; JavaScript takes it for a day in March.
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
 * A value as values of a type are compared.
 *
 * @param clean what cleans phone numbers, where national ones are to be completed
 * @returns null for an empty one, NaN for what is no value of the type
 */
export function comparable(
  value: unknown,
  type: ColumnType = 'text',
  clean: CleanPhone = cleanPhone,
): Comparable | null {
  if (value === null || value === undefined) return null;
  return readers[type](isDate(value) ? value.getTime() : value, clean);
}
