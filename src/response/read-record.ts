import type { RecordShape } from '../../generated/definition-types.ts';
import { records } from '../../generated/records.ts';
import { oncePer } from '../async/once.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import { isObject, type Json } from '../text/json.ts';
import type { Connection } from '../wire/connection.ts';
import { serviceError } from './error-sentence.ts';
import { readDate } from './read-date.ts';
import { type Credentials, withoutSecrets } from './without-secrets.ts';

function maskedValue(credentials: Credentials, value: unknown): unknown {
  if (typeof value === 'object') return value;
  const text = String(value);
  const safe = withoutSecrets(credentials, text);
  return safe === text ? value : safe;
}

/** Masks the credentials in the JSON of a service, in place. Avoids recursion, because the JSON can be nested very deeply. */
function masked(credentials: Credentials, json: Json): Json {
  const open: object[] = [json];
  for (const one of open)
    for (const [key, value] of Object.entries(one)) {
      const name = withoutSecrets(credentials, key) ?? key;
      if (name !== key) Reflect.deleteProperty(one, key);
      Reflect.set(one, name, maskedValue(credentials, value));
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  return json;
}

/**
 * Returns a function that adds the JSON of a record to it as `raw`. The property isn't enumerable, so copies, JSON and comparisons ignore
 * it. The credentials are masked when it is first read, because most programs never read it.
 */
export const keepRaw = oncePer((settings: CheckedSettings) => {
  const received = new WeakMap<object, Json>();
  const open = oncePer((record: object) => {
    const json = received.get(record);
    return { raw: json && masked(settings, json) };
  });
  // All records share one accessor, so that the engine gives them one hidden class and keeps them fast.
  const raw: PropertyDescriptor = {
    get(this: object) {
      return open(this).raw;
    },
  };
  return <Of extends object>(record: Of, json: Json): Of => {
    received.set(record, json);
    return Object.defineProperty(record, 'raw', raw);
  };
});

/** The value of a record's field; null if the service left it out. */
export type RecordValue = string | number | Date | null;

/** A record as the service sent it, with the service's names and without the credentials. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** A record, such as a call, a recording or a message, by the keys of its shape. */
export type TelephonyRecord = Record<string, RecordValue> & {
  /** The record as the service sent it, if the account was connected with `raw: true`. */
  raw?: RawRecord | undefined;
};

// JSON can contain lone surrogates, but a URL, where a SID may go next, can't.
function toText(value: unknown): string | null {
  if (typeof value === 'string') return value.toWellFormed();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Converts a number, or a text with a number; returns null for anything else. */
export function toNumber(value: unknown): number | null {
  const text = toText(value)?.trim();
  const number = text ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** The service says −1 while a duration isn't known. */
function toSeconds(value: unknown): number | null {
  const seconds = toNumber(value);
  return seconds !== null && seconds < 0 ? null : seconds;
}

function toDate(value: unknown): Date | null {
  const text = typeof value === 'string' ? value : toText(value);
  return text === null ? null : readDate(text);
}

const isEmpty = (value: unknown) =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);

const has = (value: unknown, name: string): value is Json =>
  isObject(value) && Object.hasOwn(value, name);

function within(value: unknown, ...[first = '', second]: string[]): unknown {
  if (!isObject(value)) return null;
  if (second === undefined) return has(value, first) ? value[first] : null;
  const found = Object.values(value).find((one) => has(one, second) && toText(one[second]));
  return has(found, second) ? found[second] : null;
}

/** Converts an object of texts to JSON. Leaves out what is nested, which could be very deep. */
function toMap(value: unknown): string | null {
  if (!isObject(value)) return null;
  const texts = Object.entries(value).map(([name, one]) => [name, toText(one)] as const);
  const known = texts.filter(([, text]) => text !== null);
  return known.length > 0 ? JSON.stringify(Object.fromEntries(known)) : null;
}

/** Hides the credentials in a URL. */
const withoutUserinfo = (url: string | null): string | null =>
  url === null ? null : url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1***@');

const readers = {
  text: toText,
  number: toNumber,
  seconds: toSeconds,
  date: toDate,
  day: (value: unknown) =>
    toDate(value)
      ?.toISOString()
      .match(/^\d{4}-\d\d-\d\d/)?.[0] ?? null,
  presence: (value: unknown) => (isEmpty(value) ? null : 'yes'),
  map: toMap,
  url: (value: unknown) => withoutUserinfo(toText(value)),
  within,
  sentence: (value: unknown) => serviceError(toText(value))?.sentence ?? null,
};

const keyName = oncePer(({ key, fields }: RecordShape) => {
  const field = fields.find((one) => one.key === key);
  return field?.name ?? key;
});

/** Whether a value from the service is a record of a shape. It must have its key; all other fields may be missing. */
export const isRecord = (shape: RecordShape, value: unknown): value is Json =>
  isObject(value) && Boolean(toText(value[keyName(shape)]));

/**
 * Converts a record leniently: numbers may be text and text may be numbers, dates can have any common format, and choices unlisted values.
 * An error code becomes its sentence. Fields that the shape doesn't have are left out.
 *
 * @param shape the id of the record's shape
 * @param json the record from the service
 * @param connection the account, which says whether the record keeps `json` as `raw`
 */
export function readRecord(shape: string, json: Json, connection?: Connection): TelephonyRecord {
  const read = records[shape];
  if (!read) throw new RangeError(`No record shape "${shape}"`);
  const record = read(json, readers);
  return connection?.keepsRaw ? keepRaw(connection)(record, json) : record;
}
