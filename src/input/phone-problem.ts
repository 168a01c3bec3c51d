import type { Field, SettingsField } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { isSenderField } from '../definition/fields.ts';
import { type PhoneDoubt, readPhone, withoutMarks } from '../field-types/phone.ts';
import { oneLine, truncate } from '../text/format.ts';
import { settingsLocation } from '../text/settings-location.ts';
import type { Problem } from './problem.ts';

type FormField = Field | SettingsField;

const setting = definitions.settings.fields.find(({ key }) => key === 'defaultCountry');

/**
 * Returns a sentence that says what to do about a phone number without a country code.
 *
 * @param label the label of its field
 * @param number the number, as it was entered
 * @param hasDefault whether the account has a default country, where this isn't a valid number; undefined if that isn't known
 */
export function countryCodeHint(label: string, number: string, hasDefault?: boolean): string {
  const digits = withoutMarks(number);
  if (digits.startsWith('00'))
    return `"${label}" is ${number}. Write + instead of the leading 00: +${digits.slice(2)}.`;
  const verb = hasDefault === undefined ? 'check' : 'set';
  const alternative = hasDefault ? '' : `, or ${verb} "${setting?.label}" in ${settingsLocation()}`;
  return `"${label}" is ${number}, which has no country code. Enter it with its country code, such as +12025550143${alternative}.`;
}

const reasons: Record<Exclude<PhoneDoubt, 'national'>, string> = {
  invalid: 'which is not a valid phone number. Check its digits and its country code',
  shortened:
    'which a spreadsheet has shortened. Format the column as text, and enter all digits of the number',
  unclear:
    'which is not one phone number. Enter one number with its country code, such as +12025550143, and nothing else',
};

/** What can receive a message or a call: a number, a short code, or an address such as `sip:alice@example.com`. A name can only send. */
const reachable = /^\+?\d+$|[:@]/;

function doubtOf(field: FormField, value: string): PhoneDoubt | undefined {
  const { doubt } = readPhone(value);
  // A filter finds what records have, and some callers have no whole number.
  const isFilter = 'in' in field && field.in === 'query';
  if (doubt) return isFilter && ['national', 'invalid'].includes(doubt) ? undefined : doubt;
  return isFilter || isSenderField(field as object) || reachable.test(value)
    ? undefined
    : 'unclear';
}

/** Finds why a cleaned value isn't certainly the phone number that was meant. */
export function phoneProblems(field: FormField, value: unknown): Problem[] {
  const doubt = field.type === 'phone' && typeof value === 'string' && doubtOf(field, value);
  if (!doubt) return [];
  const shown = truncate(oneLine(String(value)), 60);
  const sentence =
    doubt === 'national'
      ? countryCodeHint(field.label, shown)
      : `"${field.label}" is “${shown}”, ${reasons[doubt]}.`;
  return [{ key: field.key, sentence }];
}
