import type { Operation } from '../definition/operation.ts';
import { phoneCleaner } from '../field-types/complete-phone.ts';
import { fieldTypes } from '../field-types/field-types.ts';

/**
 * The input of an operation with its national phone numbers completed. For builders that look at an input before it is sent;
 * `connect` completes numbers by itself.
 *
 * @param operation the definition
 * @param input the values by key, as typed
 * @param defaultCountry the two-letter code of the country, as it is stored; without one, no number is completed
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
