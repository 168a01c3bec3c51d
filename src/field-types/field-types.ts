import type { Field, RecordField, SettingsField } from '../../generated/definition-types.ts';
import { trimmedText } from '../text/format.ts';
import { parseArray, parseObject } from '../text/json.ts';
import { type Said, sentence } from '../text/sentence.ts';
import { escapeXml } from '../text/twiml.ts';
import type { CleanPhone } from './phone.ts';

/** Whether a value is a valid `Date`, also one from another realm, such as a builder's sandbox for code. */
export const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value as Date));

/** The type of a field of an operation, of the settings or of a record. */
export type FieldTypeName = Field['type'] | SettingsField['type'] | RecordField['type'];

/** The constraints of a field besides its type. */
type Bounds = Pick<Field, 'options' | 'minimum' | 'maximum' | 'maxLength'>;

/** A type of field: how it is named, cleaned, validated and compared. */
export interface FieldType {
  /** Its name in the documentation. */
  name: string;
  /** The type of its values. TypeScript types, readers of records and builders' widgets follow from it. */
  holds: 'text' | 'integer' | 'number' | 'date';
  /** Whether a value is never shown again or stored readably. */
  isSecret?: true;
  /** Whether a value identifies what an operation is about, such as its recipient. */
  identifies?: true;
  /**
   * Cleans an entered value. An invalid value stays as it is, and the check reports it.
   *
   * @param clean cleans phone numbers. A form in a browser, which has no numbering plans, leaves them as they are
   */
  clean(input: unknown, clean?: CleanPhone): unknown;
  /** What a value must be, as the second half of a sentence. It can name the type of a wrong value. */
  requirement(bounds: Bounds, cleaned?: unknown): Said;
  /** The length that counts against `maxLength`, if encoding makes a value longer. */
  lengthOf?(cleaned: string): number;
  /** The JSON Schema of a cleaned value. The constraints of the field are added to it. */
  schema: { type: 'string' | 'integer' | 'number'; pattern?: string; maxLength?: number };
}

/** A character that is neither space nor invisible. */
const visible = '[^\\s\\p{C}]';
const oneLine = '^[^\\u0000-\\u001f\\u007f]+$';

// NaN and Infinity, the results of a failed calculation, stay numbers and are rejected.
const asText = (input: unknown) =>
  typeof input === 'number' && Number.isFinite(input) ? String(input) : input;

const trimmed = (input: unknown) => {
  const text = asText(input);
  return typeof text === 'string' ? trimmedText(text) : text;
};

const upperCase = (input: unknown) => {
  const text = trimmed(input);
  return typeof text === 'string' ? text.toUpperCase() : text;
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Names the type of a value that isn't text, with its article. */
function describeType(value: unknown): Said {
  if (Array.isArray(value)) return sentence('a list');
  if (value instanceof Uint8Array) return sentence('binary data');
  if (typeof value === 'object') return sentence('an object');
  if (typeof value === 'boolean') return sentence('a boolean');
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}

const notText = (value: unknown) =>
  sentence('must be text, not {type}', { type: describeType(value) });

/** Cleans the text of a message. Devices also send it as bytes. */
function text(input: unknown) {
  if (!(input instanceof Uint8Array)) return asText(input);
  try {
    return utf8.decode(input);
  } catch {
    return input;
  }
}

const mapName = /^\w{1,64}$/;
const mapLine = /^\s*(\w+)\s*[=:]\s*(.*?)\s*$/;

/** The names and values of a map, as an object, JSON or lines; undefined if it is none. */
function mapEntries(input: unknown): [name: string, value: unknown][] | undefined {
  const given = typeof input === 'string' ? (parseObject(input) ?? input) : input;
  if (Object.prototype.toString.call(given) === '[object Object]')
    return Object.entries(Object(given));
  if (typeof given !== 'string') return undefined;
  return given
    .split(/\r\n|[\n\r]/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', value = ''] = mapLine.exec(line) ?? [];
      return [name, value];
    });
}

/** Cleans a map to JSON with its names in one order. A name without a value, or with two, makes it invalid. */
function map(input: unknown) {
  const entries = mapEntries(input)?.map(([name, value]): [string, unknown] => [
    name,
    trimmed(value),
  ]);
  const isValid = entries?.every(
    ([name, value]) => mapName.test(name) && typeof value === 'string' && value !== '',
  );
  const sorted = Object.fromEntries(
    entries?.sort(([one], [other]) => (one < other ? -1 : 1)) ?? [],
  );
  return isValid && Object.keys(sorted).length === entries?.length
    ? JSON.stringify(sorted)
    : Number.NaN;
}

function phone(input: unknown, clean: CleanPhone = String) {
  const text = trimmed(input);
  return typeof text === 'string' ? clean(text) : text;
}

function integer(input: unknown) {
  const isDigits = typeof input === 'string' && /^\s*-?\d+\s*$/.test(input);
  return isDigits ? Number(input) : input;
}

const isoFormat =
  /^\d{4}-\d\d-\d\d(?:(?<time>[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?<zone>Z|[+-]\d\d:?\d\d)?)?$/;

/** Parses a date in ISO 8601; without a time zone it is UTC. Returns undefined for a day that doesn't exist. */
function parseIsoDate(text: string): Date | undefined {
  const { time, zone } = isoFormat.exec(text)?.groups ?? {};
  const day = new Date(text.slice(0, 10));
  const isDay = isoFormat.test(text) && !Number.isNaN(day.getTime());
  if (!isDay || day.toISOString().slice(0, 10) !== text.slice(0, 10)) return undefined;
  return new Date(time && !zone ? `${text}Z` : text);
}

/** Smaller numbers aren't milliseconds since 1970: they are seconds, or a day such as 20261130. */
const minTimestampMs = 100_000_000_000;

const isTimestamp = (input: unknown): input is number =>
  Number.isInteger(input) && Number(input) >= minTimestampMs;

// A day stays a day. An instant becomes UTC in whole seconds, as the service expects it.
function date(input: unknown) {
  const text = isTimestamp(input) ? new Date(input) : trimmed(input);
  const instant = typeof text === 'string' ? parseIsoDate(text) : text;
  if (!isDate(instant)) return Number.NaN;
  const isDay = typeof text === 'string' && text.length === 10;
  return isDay ? text : `${instant.toISOString().slice(0, 19)}Z`;
}

// Of a text, the day that it names, whatever its time zone; of an instant, that in UTC.
const day = (input: unknown) => {
  const instant = date(input);
  const text = trimmed(input);
  return typeof instant === 'string'
    ? String(typeof text === 'string' ? text : instant).slice(0, 10)
    : instant;
};

/** Separates the values of a field with several. A URL can contain a comma, but no space. */
const betweenValues = /[\n\r]|,\s+/;

/** The values of a field with several, of a list, of JSON or of a text. Empty ones are left out. */
export function severalValues(type: FieldTypeName, input: unknown, clean?: CleanPhone): unknown[] {
  const given = typeof input === 'string' ? (parseArray(input) ?? input) : input;
  return [given]
    .flat()
    .map((one) => fieldTypes[type].clean(one, clean))
    .flatMap((one) => (typeof one === 'string' ? one.split(betweenValues).map(trimmedText) : [one]))
    .filter((one) => one !== '' && one !== null && one !== undefined);
}

/** What a value is checked by. */
export type CheckedField = Pick<Field, 'type' | 'minimum' | 'maximum' | 'maxLength' | 'maxValues'>;

/** Whether a typed text can be the value of a field, for a form that marks it before it is used. */
export function isValidText({ maxValues, ...field }: CheckedField, text: string): boolean {
  const { clean, schema } = fieldTypes[field.type];
  if (maxValues !== undefined) {
    const values = severalValues(field.type, text);
    return values.length <= maxValues && values.every((one) => isValidText(field, String(one)));
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
  const { maxLength = schema.maxLength ?? Number.POSITIVE_INFINITY } = field;
  const value = clean(text);
  if (schema.type !== 'string')
    return typeof value === 'number' && minimum <= value && value <= maximum;
  const isMatch = typeof value === 'string' && new RegExp(schema.pattern ?? '', 'u').test(value);
  return isMatch && [...value].length <= maxLength;
}

export const fieldTypes: Record<FieldTypeName, FieldType> = {
  phone: {
    name: 'phone number',
    holds: 'text',
    identifies: true,
    clean: phone,
    requirement: () =>
      sentence(
        'must be a phone number with its country code, such as +14155550100, or a sender the service knows',
      ),
    schema: { type: 'string', pattern: oneLine, maxLength: 255 },
  },
  sid: {
    name: 'SID',
    holds: 'text',
    identifies: true,
    clean: trimmed,
    requirement: () =>
      sentence('must be an ID from the service: up to 64 letters, digits, "-" or "_"'),
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 64 },
  },
  text: {
    name: 'text',
    holds: 'text',
    clean: text,
    requirement: ({ maxLength }, cleaned = '') => {
      if (typeof cleaned !== 'string') return notText(cleaned);
      return maxLength
        ? sentence('must be text of at most {most} characters', { most: maxLength })
        : sentence('must be text');
    },
    schema: { type: 'string' },
  },
  speech: {
    name: 'spoken text',
    holds: 'text',
    clean: text,
    lengthOf: (cleaned) => [...escapeXml(cleaned)].length,
    requirement: ({ maxLength }, cleaned = '') => {
      if (typeof cleaned !== 'string') return notText(cleaned);
      return new RegExp(visible, 'u').test(cleaned)
        ? sentence(
            'must be text of at most {most} characters (& counts as five, < and > as four)',
            { most: maxLength ?? 0 },
          )
        : sentence('must contain text that can be spoken');
    },
    schema: { type: 'string', pattern: visible },
  },
  map: {
    name: 'values by name',
    holds: 'text',
    clean: map,
    requirement: () =>
      sentence('must be one line for each value, such as 1=Ada, and no value may be empty'),
    schema: { type: 'string', pattern: '^\\{.*\\}$' },
  },
  choice: {
    name: 'choice',
    holds: 'text',
    clean: trimmed,
    requirement: ({ options = [] }: { options?: readonly string[] }) =>
      sentence('must be one of {options}', { options: [...options] }),
    schema: { type: 'string' },
  },
  integer: {
    name: 'whole number',
    holds: 'integer',
    clean: integer,
    requirement: ({ minimum = 0, maximum }) =>
      maximum === undefined
        ? sentence('must be a whole number')
        : sentence('must be a whole number from {minimum} to {maximum}', { minimum, maximum }),
    schema: { type: 'integer' },
  },
  number: {
    name: 'number',
    holds: 'number',
    clean: trimmed,
    requirement: () => sentence('must be a number'),
    schema: { type: 'number' },
  },
  date: {
    name: 'date and time',
    holds: 'date',
    clean: date,
    requirement: () => sentence('must be a date such as 2026-11-30, or a date and time'),
    schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\dZ)?$' },
  },
  day: {
    name: 'day',
    holds: 'text',
    clean: day,
    requirement: () => sentence('must be a date such as 2026-11-30'),
    schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
  },
  presence: {
    name: 'yes, or empty',
    holds: 'text',
    clean: trimmed,
    requirement: () => sentence('must be “yes”, or empty'),
    schema: { type: 'string' },
  },
  secret: {
    name: 'secret',
    holds: 'text',
    isSecret: true,
    clean: trimmed,
    requirement: (_, cleaned = '') =>
      typeof cleaned === 'string'
        ? sentence('must be one line of at most 255 characters')
        : notText(cleaned),
    schema: { type: 'string', pattern: oneLine, maxLength: 255 },
  },
  country: {
    name: 'country code',
    holds: 'text',
    clean: upperCase,
    requirement: () => sentence('must be the two-letter code of a country, such as US'),
    schema: { type: 'string', pattern: '^[A-Z]{2}$' },
  },
  url: {
    name: 'URL',
    holds: 'text',
    clean: trimmed,
    requirement: () => sentence('must be a URL such as https://api.example.com'),
    schema: { type: 'string', maxLength: 2000 },
  },
};
