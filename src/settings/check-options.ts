import { isDate } from '../field-types/field-types.ts';
import { TelephonyError } from '../telephony-error.ts';
import { trimmedText } from '../text/format.ts';
import { isObject } from '../text/json.ts';
import { longestTimerMs } from './limits.ts';

const is = (type: string) => (value: unknown) => typeof value === type;

const isSignal = (value: unknown) =>
  typeof Object(value).aborted === 'boolean' &&
  typeof Object(value).addEventListener === 'function';

const optionTypes = {
  function: { is: is('function'), requirement: 'must be a function' },
  text: { is: is('string'), requirement: 'must be text' },
  /** Text that people paste, without what a paste brings along. */
  pasted: { is: is('string'), requirement: 'must be text' },
  boolean: { is: is('boolean'), requirement: 'must be true or false' },
  count: {
    is: (value: unknown) => Number.isInteger(value) && Number(value) >= 1,
    requirement: 'must be a whole number above 0',
  },
  milliseconds: {
    is: (value: unknown) => typeof value === 'number' && value >= 1 && value <= longestTimerMs,
    requirement: `must be a number of milliseconds from 1 to ${longestTimerMs}`,
  },
  object: { is: isObject, requirement: 'must be an object' },
  list: { is: Array.isArray, requirement: 'must be an array' },
  signal: { is: isSignal, requirement: 'must be an AbortSignal' },
  date: { is: isDate, requirement: 'must be a Date' },
} satisfies Record<string, { is(value: unknown): boolean; requirement: string }>;

/** A type of value, or the names of the functions that an object must have. */
type OptionType = keyof typeof optionTypes | readonly string[];
type OptionTypes<Options> = { [Key in keyof Options]-?: OptionType };

// The first use of Intl in a process takes longer than loading this package, so it must not happen while loading.
const listText = (names: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);

const checkOf = (type: OptionType) =>
  typeof type === 'string'
    ? optionTypes[type]
    : {
        is: (value: unknown) => type.every((name) => typeof Object(value)[name] === 'function'),
        get requirement() {
          return `must be an object with the functions ${listText(type)}`;
        },
      };

/**
 * Rejects unknown keys. A misspelt option would otherwise be ignored.
 *
 * @param keys the known keys
 * @throws {TelephonyError} with code `input`, which lists the known keys
 */
export function assertKnown(options: object, keys: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !keys.includes(key));
  if (unknown === undefined) return;
  const listed = keys.join(', ');
  throw new TelephonyError('input', `Unknown option "${unknown}". Choose one of: ${listed}.`);
}

/** The options that abort an operation. */
export const runOptions = { signal: 'signal', waitSignal: 'signal' } as const;

/**
 * Checks the options that a program passes, because JavaScript programs have no types.
 *
 * @param options the options; null and undefined are allowed, and so is each option as null or undefined
 * @param expected the type of each option
 * @param required the options that must be given
 * @returns the given options among the expected ones
 * @throws {TelephonyError} with code `input` and the option as `field`
 */
export function checkOptions<Options extends object>(
  options: Options | null | undefined,
  expected: OptionTypes<Options>,
  required: readonly (keyof Options & string)[] = [],
): Options {
  const given = (options ?? {}) as Options;
  if (!isObject(given)) throw new TelephonyError('input', 'The options must be an object.');
  assertKnown(given, Object.keys(expected));
  const checked: Record<string, unknown> = {};
  for (const [key, type] of Object.entries<OptionType>(expected)) {
    const value = Reflect.get(given, key);
    const isGiven = value !== undefined && value !== null;
    if (!isGiven && !required.includes(key as keyof Options & string)) continue;
    const check = checkOf(type);
    if (!isGiven || !check.is(value)) {
      const sentence = `The option "${key}" ${check.requirement}.`;
      throw new TelephonyError('input', sentence, { field: key });
    }
    checked[key] = type === 'pasted' ? trimmedText(String(value)) : value;
  }
  return checked as Options;
}
