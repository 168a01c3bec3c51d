import { isDate } from '../field-types/is-date.ts';
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
  object: {
    is: (value: unknown) => typeof value === 'object' && !Array.isArray(value),
    demand: 'must be an object',
  },
  list: { is: Array.isArray, demand: 'must be an array' },
  signal: { is: isSignal, demand: 'must be an AbortSignal' },
  date: { is: isDate, demand: 'must be a Date' },
} satisfies Record<string, { is(value: unknown): boolean; demand: string }>;

type Kinds<Options> = { [Key in keyof Options]-?: keyof typeof kinds };

/**
 * Checks the options that a program passes, which JavaScript doesn't.
 *
 * @param options null and undefined are no options
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
  if (!kinds.object.is(given)) throw new TelephonyError('input', 'The options must be an object.');
  const checked: Record<string, unknown> = {};
  for (const [key, kind] of Object.entries(expected) as [string, keyof typeof kinds][]) {
    const value = Reflect.get(given, key);
    const isGiven = value !== undefined && value !== null;
    if (!isGiven && !required.includes(key as keyof Options & string)) continue;
    if (!isGiven || !kinds[kind].is(value))
      throw new TelephonyError('input', `The option "${key}" ${kinds[kind].demand}.`, {
        field: key,
      });
    checked[key] = value;
  }
  return checked as Options;
}
