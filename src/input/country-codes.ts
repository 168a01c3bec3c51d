import { definitions } from '../../generated/definitions.ts';
import type { Operation } from '../definition/operation.ts';
import { withoutMarks } from '../field-types/clean-phone.ts';
import { isNational } from '../field-types/national-number.ts';
import { addSentence } from '../response/add-sentence.ts';
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
 * @param isAdvised whether the message already says to enter the country code
 */
export function countryCodeHint(
  label: string,
  number: string,
  hasDefault = false,
  isAdvised = false,
): string {
  const digits = withoutMarks(number);
  if (digits.startsWith('00'))
    return `"${label}" is ${number}. Write + instead of the leading 00: +${digits.slice(2)}.`;
  const fact = `"${label}" is ${number}, which has no country code.`;
  const alternative = `set "${setting?.label}" in ${settingsLocation()}`;
  if (isAdvised) return hasDefault ? fact : `${fact} You can also ${alternative}.`;
  const advice = 'Enter it with its country code, such as +12025550143';
  return `${fact} ${advice}${hasDefault ? '' : `, or ${alternative}`}.`;
}

/** Returns the hint about the first number without a country code. */
function nationalHint(
  fields: Operation['fields'],
  values: Values,
  hasDefault: boolean,
  isAdvised = false,
): string | undefined {
  const field = fields.find(({ key, type }) => type === 'phone' && isNational(`${values[key]}`));
  return field && countryCodeHint(field.label, `${values[field.key]}`, hasDefault, isAdvised);
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
  const isAdvised = error.message.includes('with its country code');
  const hint = nationalHint(suspects, values, hasDefault, isAdvised);
  if (!hint) return error;
  return new TelephonyError(error.code, addSentence(error.message, hint), error);
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
