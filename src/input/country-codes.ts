import { definitions } from '../../generated/definitions.ts';
import type { Operation } from '../definition/operation.ts';
import { isNational } from '../field-types/national-number.ts';
import { settingsLocation } from '../settings/settings-location.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { Values } from './check-values.ts';

const setting = definitions.settings.fields.find(({ key }) => key === 'defaultCountry');

/**
 * Returns a sentence that says what to do about a phone number without a country code.
 *
 * @param label the label of its field
 * @param number the number, as it is sent or compared
 * @param hasDefault whether the account has a default country, where this isn't a valid number
 */
export function countryCodeHint(label: string, number: string, hasDefault = false): string {
  const alternative = hasDefault ? '' : `, or set "${setting?.label}" in ${settingsLocation()}`;
  return `"${label}" is ${number}, which has no country code. Enter it with its country code, such as +12025550143${alternative}.`;
}

/** Returns the hint about the first number without a country code. */
function nationalHint(
  fields: Operation['fields'],
  values: Values,
  hasDefault: boolean,
): string | undefined {
  const field = fields.find(({ key, type }) => type === 'phone' && isNational(`${values[key]}`));
  return field && countryCodeHint(field.label, `${values[field.key]}`, hasDefault);
}

/**
 * Adds a hint to the error of an operation if the service refused a number without a country code. Such numbers are sent, because some
 * services accept them.
 */
export function withCountryCodeHint(
  { fields }: Operation,
  values: Values,
  hasDefault: boolean,
  error: unknown,
): unknown {
  if (!(error instanceof TelephonyError && error.code === 'rejected')) return error;
  const suspects = error.field ? fields.filter(({ key }) => key === error.field) : fields;
  const hint = nationalHint(suspects, values, hasDefault);
  if (!hint) return error;
  return new TelephonyError(error.code, `${error.message.replace(/[^.]$/, '$&.')} ${hint}`, error);
}

/** Returns the hint for an empty list that is filtered by a number without a country code. */
export const emptyHint = (
  { fields }: Operation,
  values: Values,
  hasDefault: boolean,
): string | undefined => {
  const hint = nationalHint(fields, values, hasDefault);
  return hint && `Nothing found. ${hint}`;
};
