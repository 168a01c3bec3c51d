import type { RecordShape } from '../../generated/definition-types.ts';
import { records } from '../../generated/records.ts';
import { oncePer } from '../once-per.ts';
import type { Connection } from '../wire/connection.ts';
import { serviceError } from './error-sentence.ts';
import { isObject, type Json } from './json.ts';
import { keepRaw } from './keep-raw.ts';
import { readDate } from './read-date.ts';

/** What a field of a record can hold. Dates are instants; null is what the service left out. */
export type RecordValue = string | number | Date | null;

/** A record as the service sent it, by the service's own names and without the credentials. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** A call, a recording or a message, by the keys of its shape. */
export type TelephonyRecord = Record<string, RecordValue> & {
  /** What the service sent, if the account was connected with `raw: true`. */
  raw?: RawRecord | undefined;
};

// Half a character can be in JSON, but not in a URL, where a sid may go next.
function toText(value: unknown): string | null {
  if (typeof value === 'string') return value.toWellFormed();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** A number, also one that came as text; null for anything else. */
export function toNumber(value: unknown): number | null {
  const text = toText(value)?.trim();
  const number = text ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function toDate(value: unknown): Date | null {
  const text = typeof value === 'string' ? value : toText(value);
  return text === null ? null : readDate(text);
}

const isEmpty = (value: unknown) =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);

const readers = {
  text: toText,
  number: toNumber,
  date: toDate,
  presence: (value: unknown) => (isEmpty(value) ? null : 'yes'),
  within: (value: unknown, name: string) => (isObject(value) ? value[name] : null),
  sentence: (value: unknown) => serviceError(toText(value))?.sentence ?? null,
};

const keyName = oncePer(({ key, fields }: RecordShape) => {
  const field = fields.find((one) => one.key === key);
  return field?.name ?? key;
});

/**
 * Whether something from outside is a record of a shape: whatever else it leaves out, it says which one it is.
 *
 * @param shape the shape
 * @param value what came
 */
export const isRecord = (shape: RecordShape, value: unknown): value is Json =>
  isObject(value) && Boolean(toText(value[keyName(shape)]));

/**
 * Reads a record loosely: numbers may come as text and text as numbers, dates in any common form, choices
 * with values that are not listed. Why a message failed is said where the service gave a code only. What the shape does not name is left out.
 *
 * @param shape the id of the record's shape
 * @param json the record as the service answered it
 * @param connection says whether the record keeps that
 */
export function readRecord(shape: string, json: Json, connection?: Connection): TelephonyRecord {
  const read = records[shape];
  if (!read) throw new RangeError(`No record shape "${shape}"`);
  const record = read(json, readers);
  return connection?.keepsRaw ? keepRaw(connection)(record, json) : record;
}
