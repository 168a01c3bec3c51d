import type { LimitField, LimitOption } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { isCountry } from '../field-types/phone.ts';
import { isBlank } from '../input/check-values.ts';
import { TelephonyError } from '../telephony-error.ts';
import { parseQuietHours, type QuietHours, type QuietHoursFault } from '../text/quiet-hours.ts';
import { type Sentence, sentence, sentences } from '../text/sentence.ts';
import { settingsLocation } from '../text/settings-location.ts';

type Optional<Value> = Value | null | undefined;

/**
 * Limits on what an account sends, so that a loop, a leaked form or a mistake can't cost more than you allow. They hold for all processes
 * that share the account's store. Without a store, they hold for this process.
 */
export interface SpendingLimits {
  /** Refuses every message and call at once, also those of a running batch. A function is asked before each action is sent; unless it
   * returns true or false, or a promise of it, nothing is sent. */
  stopped?: Optional<boolean | (() => unknown)>;
  /** The most messages in an hour; 1,000 if not given. */
  perHour?: Optional<number>;
  /** The most messages in 24 hours. */
  perDay?: Optional<number>;
  /** The most messages to one recipient in an hour; 60 if not given. */
  perRecipientPerHour?: Optional<number>;
  /** The most calls in an hour; 100 if not given. */
  callsPerHour?: Optional<number>;
  /** The two-letter codes of the countries that may be messaged and called; all if not given. */
  countries?: Optional<string | readonly string[]>;
  /** The most SMS as which the text of one message is sent and charged. */
  mostSegments?: Optional<number>;
  /** When nothing is sent, with the time zone: `22:00-08:00 Europe/Berlin`. */
  quietHours?: Optional<string>;
  /** What happens to a message in the quiet hours: `refuse` if not given, or `send-later`, which schedules it for their end if its action
   * can send later and has what that needs. */
  inQuietHours?: Optional<LimitOption['value']>;
}

export type LimitKey = keyof SpendingLimits;

/** A limit that refuses something for the first time in its window. */
export interface LimitReached {
  limit: LimitKey;
  /** How many it allows. */
  most: number;
  /** When it allows the next one. */
  until: Date;
  /** The name of the action or reply that was refused. */
  action: string;
  /** Says which limit it is and what to do, without recipients and texts. */
  message: string;
  accountSid: string;
}

/** A limit of a number. */
export interface Most {
  most: number;
  /** Whether someone set it. Defaults don't apply to what a person has confirmed. */
  isSet: boolean;
}

/** Checked limits. */
export interface Spending {
  isStopped(): Promise<boolean>;
  most: Partial<Record<LimitKey, Most>>;
  countries: ReadonlySet<string>;
  quietHours: QuietHours | undefined;
  inQuietHours: LimitOption['value'];
}

const fields = definitions.settings.limits;

/** Returns the label of a limit in the settings. */
export const limitLabel = (key: LimitKey): string =>
  fields.find((field) => field.key === key)?.label ?? key;

/** Picks the limits from the values that a builder stores. */
export const pickLimits = (values: object): SpendingLimits =>
  Object.fromEntries(fields.map(({ key }) => [key, Reflect.get(values, key)]));

const highest = 1_000_000_000;

const requirements = {
  switch: sentence('must be true or false'),
  integer: sentence('must be a whole number from 1'),
  countries: sentence('must be two-letter codes of countries, such as US, CA'),
  hours: sentence(
    'must be two times of the day and a time zone, such as 22:00-08:00 Europe/Berlin',
  ),
};

function refuse({ key, label }: LimitField, problem: Sentence, wrong?: string): never {
  const said = sentence('"{label}" in {settings} {problem}.', {
    ...{ label: { text: label }, settings: settingsLocation(), problem },
  });
  const isNone =
    wrong === undefined ? undefined : sentence('"{value}" isn\'t one.', { value: wrong });
  throw new TelephonyError('settings', sentences(said, isNone), { field: key });
}

/** Forms hold text. */
function readWhole(field: LimitField, value: unknown): number {
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  const isWhole = typeof number === 'number' && Number.isInteger(number);
  return isWhole && number >= 1 && number <= highest ? number : refuse(field, requirements.integer);
}

function readCountries(field: LimitField, value: unknown): ReadonlySet<string> {
  const listed = typeof value === 'string' ? value.split(/[\s,;]+/).filter(Boolean) : value;
  if (!Array.isArray(listed)) return refuse(field, requirements.countries);
  const codes = listed.map((one) => String(one).trim().toUpperCase());
  const wrong = codes.find((code) => !isCountry(code));
  return wrong === undefined ? new Set(codes) : refuse(field, requirements.countries, wrong);
}

const hoursFaults: Record<QuietHoursFault, Sentence> = {
  'same-times': sentence(
    'must end at another time than they begin, such as 22:00-08:00 Europe/Berlin',
  ),
  'no-time-zone': sentence('need a time zone, such as 22:00-08:00 Europe/Berlin'),
  'no-such-time-zone': sentence('need a time zone that exists, such as 22:00-08:00 Europe/Berlin'),
  'no-times': requirements.hours,
};

function readHours(field: LimitField, value: unknown): QuietHours {
  const read = parseQuietHours(String(value));
  return typeof read === 'string' ? refuse(field, hoursFaults[read]) : read;
}

function readChoice(field: LimitField, value: unknown): LimitOption['value'] {
  const { options = [] } = field;
  const values = options.map((option) => option.value);
  const chosen = values.find((one) => one === value);
  return chosen ?? refuse(field, sentence('must be one of {options}', { options: values }));
}

/** A switch that can't be read must not mean off. */
const readSwitch = (field: LimitField, value: unknown): boolean =>
  typeof value === 'boolean' ? value : refuse(field, requirements.switch);

function readStopped(field: LimitField, value: unknown): () => Promise<boolean> {
  if (typeof value === 'function') return async () => readSwitch(field, await value());
  const isOn = readSwitch(field, value);
  return async () => isOn;
}

/**
 * Checks limits, and adds the defaults. Empty ones are not given.
 *
 * @throws {TelephonyError} with code `settings` and the limit as `field`
 */
export function checkSpending(limits: object): Spending {
  const known: readonly string[] = fields.map(({ key }) => key);
  const unknown = Object.keys(limits).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new TelephonyError(
      'settings',
      `Unknown limit "${unknown}". Choose one of: ${known.join(', ')}.`,
    );
  const checked: Spending = {
    ...{ isStopped: async () => false, most: {}, countries: new Set(), quietHours: undefined },
    inQuietHours: 'refuse',
  };
  for (const field of fields) {
    const value: unknown = Reflect.get(limits, field.key);
    if (field.type === 'integer') {
      if (!isBlank(value)) checked.most[field.key] = { most: readWhole(field, value), isSet: true };
      else if (field.default) checked.most[field.key] = { most: field.default, isSet: false };
    } else if (isBlank(value)) continue;
    else if (field.type === 'switch') checked.isStopped = readStopped(field, value);
    else if (field.type === 'countries') checked.countries = readCountries(field, value);
    else if (field.type === 'hours') checked.quietHours = readHours(field, value);
    else checked.inQuietHours = readChoice(field, value);
  }
  return checked;
}

/** Returns only the limits that someone set. */
export const withoutDefaults = ({ most, ...others }: Spending): Spending => ({
  ...others,
  most: Object.fromEntries(Object.entries(most).filter(([, { isSet }]) => isSet)),
});
