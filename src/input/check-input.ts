import { emptySenderField } from '../definition/fields.ts';
import type { Operation } from '../definition/operation.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { type CleanPhone, phoneCleaner } from '../field-types/phone.ts';
import { checkValues, isMissing, type Values } from './check-values.ts';

/**
 * Returns the values that an operation would send, in the order of its fields: cleaned, with defaults, without empty ones. Inputs that mean
 * the same have the same values, however they were entered.
 *
 * @param operation the definition
 * @param input the values by key, as entered
 * @param clean cleans phone numbers, if national ones are to be completed
 * @throws {TelephonyError} with code `input` and the `field` to change
 */
export function checkInput(operation: Operation, input: object, clean?: CleanPhone): Values {
  const values = checkValues(operation, input, 'input', clean);
  const sent = operation.fields.filter(({ key }) => values[key] !== undefined);
  return Object.fromEntries(sent.map(({ key }) => [key, values[key] as string | number]));
}

/** The input of an operation, from the sender of the account if it names none, with country codes if there is a default country. */
export function withSender(
  operation: Operation,
  { defaultSender, settings }: { defaultSender: string; settings: { defaultCountry?: unknown } },
  input: Record<string, unknown>,
): Record<string, unknown> {
  const sender = emptySenderField(operation, (key) => !isMissing(input[key]));
  const sent = sender && defaultSender ? { ...input, [sender.key]: defaultSender } : input;
  return withCountryCodes(operation, sent, settings.defaultCountry);
}

/**
 * Completes the national phone numbers in the input of an operation. For builders that use an input before it is sent; `connect` completes
 * numbers itself.
 *
 * @param operation the definition
 * @param input the values by key, as entered
 * @param defaultCountry the stored two-letter code of the country; without one, no number is completed
 */
export function withCountryCodes<Input extends Record<string, unknown>>(
  { fields }: Pick<Operation, 'fields'>,
  input: Input,
  defaultCountry: unknown,
): Input {
  const country = String(fieldTypes.country.clean(defaultCountry ?? ''));
  const phones = fields.filter(({ key, type }) => type === 'phone' && Object.hasOwn(input, key));
  const clean = phoneCleaner(country);
  const completed = phones.map(({ key, type }) => [key, fieldTypes[type].clean(input[key], clean)]);
  return { ...input, ...Object.fromEntries(completed) };
}
