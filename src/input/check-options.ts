import { isObject } from '../answer/json.ts';
import { isDate } from '../field-types/is-date.ts';
import { longestTimerMs } from '../settings/limits.ts';
import { TelephonyError } from '../telephony-error.ts';

const is = (type: string) => (value: unknown) => typeof value === type;

const isSignal = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'aborted') === 'boolean' &&
  typeof Reflect.get(value, 'addEventListener') === 'function';

const kinds = {
  function: { is: is('function'), demand: 'must be a function' },
  text: { is: is('string'), demand: 'must be text' },
  boolean: { is: is('boolean'), demand: 'must be true or false' },
  number: { is: is('number'), demand: 'must be a number' },
  milliseconds: {
    is: (value: unknown) => typeof value === 'number' && value >= 1 && value <= longestTimerMs,
    demand: `must be a number of milliseconds from 1 to ${longestTimerMs}`,
  },
  object: { is: isObject, demand: 'must be an object' },
  list: { is: Array.isArray, demand: 'must be an array' },
  signal: { is: isSignal, demand: 'must be an AbortSignal' },
  date: { is: isDate, demand: 'must be a Date' },
} satisfies Record<string, { is(value: unknown): boolean; demand: string }>;

/** A kind of value, or the names of the functions that an object must have. */
type Kind = keyof typeof kinds | readonly string[];
type Kinds<Options> = { [Key in keyof Options]-?: Kind };

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });

const checkOf = (kind: Kind) =>
  typeof kind === 'string'
    ? kinds[kind]
    : {
        is: (value: unknown) => kind.every((name) => typeof Object(value)[name] === 'function'),
        demand: `must be an object with the functions ${listed.format(kind)}`,
      };

/**
 * Checks that the options have no misspelt key: it would silently be left out.
 *
 * @param keys what may be given
 * @throws {TelephonyError} with code `input`, which lists these
 */
export function assertKnown(options: object, keys: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !keys.includes(key));
  if (unknown === undefined) return;
  const listed = keys.join(', ');
  throw new TelephonyError('input', `Unknown option "${unknown}". Choose one of: ${listed}.`);
}

/** What stops an operation. */
export const runOptions = { signal: 'signal', waitSignal: 'signal' } as const;

/**
 * Checks the options that a program passes, which JavaScript doesn't.
 *
 * @param options null and undefined are no options; the same as an option is none
 * @param expected what each option must be, if it is given
 * @param required the options that must be given
 * @returns the options that are given
 * @throws {TelephonyError} with code `input` and the option as `field`
 */
export function checkOptions<Options extends object>(
  options: Options | null | undefined,
  expected: Kinds<Options>,
  required: readonly (keyof Options & string)[] = [],
): Options {
  const given = (options ?? {}) as Options;
  if (!isObject(given)) throw new TelephonyError('input', 'The options must be an object.');
  assertKnown(given, Object.keys(expected));
  const checked: Record<string, unknown> = {};
  for (const [key, kind] of Object.entries<Kind>(expected)) {
    const value = Reflect.get(given, key);
    const isGiven = value !== undefined && value !== null;
    if (!isGiven && !required.includes(key as keyof Options & string)) continue;
    const { is, demand } = checkOf(kind);
    if (!isGiven || !is(value))
      throw new TelephonyError('input', `The option "${key}" ${demand}.`, { field: key });
    checked[key] = value;
  }
  return checked as Options;
}
