import { definitions } from '../../generated/definitions.ts';
import { isAction, type Operation } from '../definition/operation.ts';
import { isNational } from '../field-types/national-number.ts';
import { settingsPlace } from '../settings/settings-place.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { Values } from './check-values.ts';

const setting = definitions.settings.fields.find(({ key }) => key === 'defaultCountry');

/**
 * What to do about a phone number that has no country code.
 *
 * @param label the label of its field
 * @param number the number, as it is sent or compared
 */
export const countryCodeHint = (label: string, number: string): string =>
  `"${label}" is ${number}, which has no country code. Enter it with its country code, such as +12025550143, or set "${setting?.label}" in ${settingsPlace()}.`;

/** The first number among the values of an operation that has no country code, and what to do about it. */
function nationalNumber({ fields }: Operation, values: Values) {
  const field = fields.find(({ key, type }) => type === 'phone' && isNational(`${values[key]}`));
  return field && { field: field.key, hint: countryCodeHint(field.label, `${values[field.key]}`) };
}

/**
 * Stops an action for a number without a country code: in another country it is someone else's.
 *
 * @throws {TelephonyError} with code `input` and the `field` to change
 */
export function assertCountryCodes(operation: Operation, values: Values): void {
  const found = isAction(operation) ? nationalNumber(operation, values) : undefined;
  if (found)
    throw new TelephonyError('input', `${found.hint} Nothing was sent.`, { field: found.field });
}

/** Why a list that is filtered by some values may be empty; undefined where they say nothing of that. */
export const emptyHint = (operation: Operation, values: Values): string | undefined => {
  const hint = nationalNumber(operation, values)?.hint;
  return hint && `Nothing found. ${hint}`;
};
