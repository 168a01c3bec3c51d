import { definitions } from '../../generated/definitions.ts';
import type { Operation } from '../definition/operation.ts';
import { isNational } from '../field-types/national-number.ts';
import { settingsLocation } from '../settings/settings-location.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { Values } from './check-values.ts';

const setting = definitions.settings.fields.find(({ key }) => key === 'defaultCountry');

/**
 * What to do about a phone number that has no country code.
 *
 * @param label the label of its field
 * @param number the number, as it is sent or compared
 * @param hasDefault whether the account has a default country, in which this is no number
 */
export function countryCodeHint(label: string, number: string, hasDefault = false): string {
  const rest = hasDefault ? '' : `, or set "${setting?.label}" in ${settingsLocation()}`;
  return `"${label}" is ${number}, which has no country code. Enter it with its country code, such as +12025550143${rest}.`;
}

/** The first number among the values of some fields that has no country code, and what to do about it. */
function nationalHint(
  fields: Operation['fields'],
  values: Values,
  hasDefault: boolean,
): string | undefined {
  const field = fields.find(({ key, type }) => type === 'phone' && isNational(`${values[key]}`));
  return field && countryCodeHint(field.label, `${values[field.key]}`, hasDefault);
}

/**
 * An error of an operation. If the service refused a number without a country code, it says what to do about that: some
 * services take such numbers, so that they are sent.
 */
export function withCountryCodeHint(
  { fields }: Operation,
  values: Values,
  hasDefault: boolean,
  error: unknown,
): unknown {
  if (!(error instanceof TelephonyError && error.code === 'rejected')) return error;
  const about = error.field ? fields.filter(({ key }) => key === error.field) : fields;
  const hint = nationalHint(about, values, hasDefault);
  if (!hint) return error;
  return new TelephonyError(error.code, `${error.message.replace(/[^.]$/, '$&.')} ${hint}`, error);
}

/** Why a list that is filtered by some values may be empty; undefined where they say nothing of that. */
export const emptyHint = (
  { fields }: Operation,
  values: Values,
  hasDefault: boolean,
): string | undefined => {
  const hint = nationalHint(fields, values, hasDefault);
  return hint && `Nothing found. ${hint}`;
};
