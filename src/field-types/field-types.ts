import type { Field, RecordField, SettingsField } from '../../generated/definition-types.ts';
import { escapeXml } from '../twiml.ts';
import { type CleanPhone, cleanPhone } from './clean-phone.ts';
import { isDate } from './is-date.ts';
import { samePhone } from './same-phone.ts';

/** What a field of an operation, of the settings or of a record means. */
export type FieldTypeName = Field['type'] | SettingsField['type'] | RecordField['type'];

/** What a field states about its values besides its type. */
type Bounds = Pick<Field, 'options' | 'minimum' | 'maximum' | 'maxLength'>;

/** All that there is to know of a type of field. */
export interface FieldType {
  /** What the documentation calls it. */
  name: string;
  /** What its values are; types, readers and a builder's widgets follow from it. */
  holds: 'text' | 'integer' | 'number' | 'date';
  /** Whether a value is never shown again, nor kept where others can read it. */
  isSecret?: true;
  /** Whether a value says whom or what something is about. */
  identifies?: true;
  /**
   * What was typed, without what does not belong to it. What is no such value stays for the check.
   *
   * @param clean what cleans phone numbers, where national ones are to be completed
   */
  clean(typed: unknown, clean?: CleanPhone): unknown;
  /** Whether a record holds the value that was asked for, where that is more than being equal. */
  isSame?(asked: string, found: string, clean?: CleanPhone): boolean;
  /** What a value must be, as the second half of a sentence; of a cleaned value that is none, also what it is. */
  demand(bounds: Bounds, cleaned?: unknown): string;
  /** How many characters of the most a cleaned value takes, where that is more than it has. */
  lengthOf?(cleaned: string): number;
  /** What a cleaned value must look like, as JSON Schema; what a field states itself is added to it. */
  schema: { type: 'string' | 'integer' | 'number'; pattern?: string; maxLength?: number };
}

const count = (number: number | undefined) => number?.toLocaleString('en-US');
/** A character that is neither space nor invisible. */
const spoken = '[^\\s\\p{C}]';
const oneLine = '^[^\\u0000-\\u001f\\u007f]+$';

// What a calculation gives that failed is no number.
const asText = (typed: unknown) =>
  typeof typed === 'number' && Number.isFinite(typed) ? String(typed) : typed;

const trimmed = (typed: unknown) => {
  const text = asText(typed);
  return typeof text === 'string' ? text.trim() : text;
};

const upperCase = (typed: unknown) => {
  const text = trimmed(typed);
  return typeof text === 'string' ? text.toUpperCase() : text;
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What a value is that is no text, with its article. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Uint8Array) return 'binary data';
  return typeof value === 'number'
    ? String(value)
    : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

/** The text of a message, which devices send as bytes, too. */
function text(typed: unknown) {
  if (!(typed instanceof Uint8Array)) return asText(typed);
  try {
    return utf8.decode(typed);
  } catch {
    return typed;
  }
}

function phone(typed: unknown, clean: CleanPhone = cleanPhone) {
  const text = trimmed(typed);
  return typeof text === 'string' ? clean(text) : text;
}

function integer(typed: unknown) {
  const isDigits = typeof typed === 'string' && /^\s*-?\d+\s*$/.test(typed);
  return isDigits ? Number(typed) : typed;
}

const isoForm =
  /^\d{4}-\d\d-\d\d(?:(?<time>[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?<zone>Z|[+-]\d\d:?\d\d)?)?$/;

/** The instant of a text in a form of ISO 8601; without a zone it is UTC. Undefined for a day that no calendar has. */
function instantOf(text: string): Date | undefined {
  const { time, zone } = isoForm.exec(text)?.groups ?? {};
  const day = new Date(text.slice(0, 10));
  const isDay = isoForm.test(text) && !Number.isNaN(day.getTime());
  if (!isDay || day.toISOString().slice(0, 10) !== text.slice(0, 10)) return undefined;
  return new Date(time && !zone ? `${text}Z` : text);
}

/** The least number of milliseconds since 1970 that a date can be: one that is less counts seconds, or is written like a day. */
const leastTime = 100_000_000_000;

const isTime = (typed: unknown): typed is number =>
  Number.isInteger(typed) && Number(typed) >= leastTime;

// A day stays a day; an instant is said in UTC and in whole seconds, as the service takes it.
function date(typed: unknown) {
  const text = isTime(typed) ? new Date(typed) : trimmed(typed);
  const instant = typeof text === 'string' ? instantOf(text) : text;
  if (!isDate(instant)) return Number.NaN;
  const isDay = typeof text === 'string' && text.length === 10;
  return isDay ? text : `${instant.toISOString().slice(0, 19)}Z`;
}

/** Every type of field. */
export const fieldTypes: Record<FieldTypeName, FieldType> = {
  phone: {
    name: 'phone number',
    holds: 'text',
    identifies: true,
    clean: phone,
    isSame: samePhone,
    demand: () =>
      'must be a phone number with its country code, such as +14155550100, or a sender the service knows',
    schema: { type: 'string', pattern: oneLine, maxLength: 255 },
  },
  sid: {
    name: 'SID',
    holds: 'text',
    identifies: true,
    clean: trimmed,
    demand: () => 'must be an identifier of at most 64 letters, digits, "-" and "_"',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 64 },
  },
  text: {
    name: 'text',
    holds: 'text',
    clean: text,
    demand: ({ maxLength }, cleaned = '') => {
      if (typeof cleaned !== 'string') return `must be text, not ${kindOf(cleaned)}`;
      return maxLength ? `must be text of at most ${count(maxLength)} characters` : 'must be text';
    },
    schema: { type: 'string' },
  },
  speech: {
    name: 'spoken text',
    holds: 'text',
    clean: text,
    lengthOf: (cleaned) => [...escapeXml(cleaned)].length,
    demand: ({ maxLength }, cleaned = '') => {
      if (typeof cleaned !== 'string') return `must be text, not ${kindOf(cleaned)}`;
      return new RegExp(spoken, 'u').test(cleaned)
        ? `must be text of at most ${count(maxLength)} characters, of which each & takes five and each < and > four`
        : 'must contain text that can be spoken';
    },
    schema: { type: 'string', pattern: spoken },
  },
  choice: {
    name: 'choice',
    holds: 'text',
    clean: trimmed,
    demand: ({ options }) => `must be one of ${options?.join(', ')}`,
    schema: { type: 'string' },
  },
  integer: {
    name: 'whole number',
    holds: 'integer',
    clean: integer,
    demand: ({ minimum, maximum }) =>
      `must be a whole number from ${count(minimum)} to ${count(maximum)}`,
    schema: { type: 'integer' },
  },
  number: {
    name: 'number',
    holds: 'number',
    clean: trimmed,
    demand: () => 'must be a number',
    schema: { type: 'number' },
  },
  date: {
    name: 'date and time',
    holds: 'date',
    clean: date,
    demand: () => 'must be a date such as 2026-11-30, or a date and time',
    schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\dZ)?$' },
  },
  presence: {
    name: 'yes, or empty',
    holds: 'text',
    clean: trimmed,
    demand: () => 'must be “yes”, or empty',
    schema: { type: 'string' },
  },
  secret: {
    name: 'secret',
    holds: 'text',
    isSecret: true,
    clean: trimmed,
    demand: (_, cleaned = '') =>
      typeof cleaned === 'string'
        ? 'must be one line of at most 255 characters'
        : `must be text, not ${kindOf(cleaned)}`,
    schema: { type: 'string', pattern: oneLine, maxLength: 255 },
  },
  country: {
    name: 'country code',
    holds: 'text',
    clean: upperCase,
    demand: () => 'must be the two-letter code of a country, such as US',
    schema: { type: 'string', pattern: '^[A-Z]{2}$' },
  },
  url: {
    name: 'address',
    holds: 'text',
    clean: trimmed,
    demand: () => 'must be a URL such as https://api.example.com',
    schema: { type: 'string', maxLength: 2000 },
  },
};
