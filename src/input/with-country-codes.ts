import type { Operation } from '../definition/operation.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { phoneCleaner } from '../field-types/read-phone.ts';

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
