import type { Field, RecordField } from '../../generated/definition-types.ts';
import { columnOf } from '../definition/operation.ts';
import { type FieldType, fieldTypes } from '../field-types/field-types.ts';
import type { CleanPhone } from '../field-types/phone.ts';
import { cleanPhone } from '../field-types/phone.ts';

/** A record, or a row of a builder's table. */
export type Row = Readonly<Record<string, unknown>>;

/** The type of a column's values, which determines how to compare them. A key to another table has its own type. */
export type ColumnType = FieldType['holds'] | 'sid' | 'phone' | 'day' | 'key';

/** What conditions need to know about the columns of a table. */
export interface Columns {
  types: ReadonlyMap<string, ColumnType>;
  /** Normalises phone numbers for comparison, and can complete national ones. */
  cleanPhone?: CleanPhone | undefined;
}

const columnTypeOf = ({ type }: Field | RecordField): ColumnType =>
  type === 'sid' || type === 'phone' || type === 'day' ? type : fieldTypes[type].holds;

/** The types of the columns that fields are, or filter by. */
export const columnTypes = (fields: (Field | RecordField)[]): Map<string, ColumnType> =>
  new Map(fields.map((field) => [columnOf(field), columnTypeOf(field)]));

export const isOrdered = (type: ColumnType = 'text'): boolean =>
  ['integer', 'number', 'date', 'day'].includes(type);

/** A value in the form in which values of its type are compared. Dates are milliseconds, and days those of their midnight in UTC. */
export type Comparable = string | number;

/** Whether a value is a `Date`, even an invalid one. Not `instanceof`: formulas run in a context with its own classes. */
export const isDateObject = (value: unknown): value is Date =>
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

function dayStart(text: string): number {
  const [, year = '', month = '', date = ''] = day.exec(text.slice(0, 10)) ?? [];
  return Date.parse(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`);
}

const number = (value: unknown) => (String(value).trim() === '' ? Number.NaN : Number(value));

const readers: Record<ColumnType, (value: unknown, clean: CleanPhone) => Comparable> = {
  text: String,
  sid: String,
  phone: (value, clean) => clean(String(value).trim()),
  integer: number,
  number,
  date: (value) => (typeof value === 'number' ? value : millisecondsOf(String(value).trim())),
  day: (value) => (typeof value === 'number' ? value : dayStart(String(value).trim())),
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
  return readers[type](plain(value), clean);
}

/** A value that is equal to others if they mean the same: dates by their time. */
export const plain = (value: unknown): unknown => (isDateObject(value) ? value.getTime() : value);
