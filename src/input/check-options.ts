import { isDate } from '../field-types/is-date.ts';
import { TelephonyError } from '../telephony-error.ts';

const is = (type: string) => (value: unknown) => typeof value === type;

const isSignal = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'aborted') === 'boolean' &&
  typeof Reflect.get(value, 'addEventListener') === 'function';

const optionTypes = {
  function: { is: is('function'), requirement: 'must be a function' },
  text: { is: is('string'), requirement: 'must be text' },
  boolean: { is: is('boolean'), requirement: 'must be true or false' },
  number: { is: is('number'), requirement: 'must be a number' },
  object: {
    is: (value: unknown) => typeof value === 'object' && !Array.isArray(value),
    requirement: 'must be an object',
  },
  list: { is: Array.isArray, requirement: 'must be an array' },
  signal: { is: isSignal, requirement: 'must be an AbortSignal' },
  date: { is: isDate, requirement: 'must be a Date' },
} satisfies Record<string, { is(value: unknown): boolean; requirement: string }>;

type OptionTypes<Options> = { [Key in keyof Options]-?: keyof typeof optionTypes };

/**
 * Checks the options that a program passes, because JavaScript programs have no types.
 *
 * @param options the options; null and undefined are allowed
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
  if (!optionTypes.object.is(given))
    throw new TelephonyError('input', 'The options must be an object.');
  const checked: Record<string, unknown> = {};
  for (const [key, type] of Object.entries(expected) as [string, keyof typeof optionTypes][]) {
    const value = Reflect.get(given, key);
    const isGiven = value !== undefined && value !== null;
    if (!isGiven && !required.includes(key as keyof Options & string)) continue;
    if (!isGiven || !optionTypes[type].is(value))
      throw new TelephonyError('input', `The option "${key}" ${optionTypes[type].requirement}.`, {
        field: key,
      });
    checked[key] = value;
  }
  return checked as Options;
}
