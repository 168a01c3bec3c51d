import type { RecordField, RecordShape } from '../generated/definition-types.ts';
import type { Json } from './read-answer.ts';

/** What a field of a record can hold. Dates are instants; null is what the service left out. */
export type RecordValue = string | number | Date | null;

/** A call, a recording or a message, by the keys of its shape. */
export type TelephonyRecord = Record<string, RecordValue>;

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

// Half a character can be in JSON, but not in a URL, where a sid may go next.
const toText = (value: unknown) => (isScalar(value) ? String(value).toWellFormed() : null);

/** A number, also one that came as text; null for anything else. */
export function toNumber(value: unknown): number | null {
  const text = toText(value)?.trim();
  const number = text ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function toDate(value: unknown) {
  const date = new Date(toText(value) ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

const readers: Record<RecordField['type'], (value: unknown) => RecordValue> = {
  sid: toText,
  phone: toText,
  text: toText,
  choice: toText,
  integer: toNumber,
  number: toNumber,
  date: toDate,
};

/** Whether something from outside is a record: whatever else it leaves out, it says which one it is. */
export const isRecord = (value: unknown): value is Json =>
  Boolean(toText((value as Partial<Json> | null | undefined)?.sid));

/**
 * Reads a record loosely: numbers may come as text and text as numbers, dates in any common form, choices
 * with values that are not listed. What the shape does not name is left out.
 *
 * @param shape the record's shape
 * @param json the record as the service answered it
 */
export const readRecord = ({ fields }: RecordShape, json: Json): TelephonyRecord =>
  Object.fromEntries(fields.map(({ key, name, type }) => [key, readers[type](json[name])]));
