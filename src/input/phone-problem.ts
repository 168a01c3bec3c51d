import type { Field, SettingsField } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { isSenderField } from '../definition/fields.ts';
import { type PhoneDoubt, readPhone, withoutMarks } from '../field-types/phone.ts';
import { oneLine, truncate } from '../text/format.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { settingsLocation } from '../text/settings-location.ts';
import type { Problem } from './problem.ts';

type FormField = Field | SettingsField;

const setting = definitions.settings.fields.find(({ key }) => key === 'defaultCountry');

/**
 * Returns a sentence that says what to do about a phone number without a country code.
 *
 * @param text the label of its field
 * @param number the number, as it was entered
 * @param hasDefault whether the account has a default country, where this isn't a valid number; undefined if that isn't known
 */
export function countryCodeHint(text: string, number: string, hasDefault?: boolean): Sentence {
  const label = { text };
  const digits = withoutMarks(number);
  if (digits.startsWith('00'))
    return sentence('"{label}" is {number}. Write + instead of the leading 00: {corrected}.', {
      ...{ label, number, corrected: `+${digits.slice(2)}` },
    });
  if (hasDefault)
    return sentence(
      '"{label}" is {number}, which has no country code. Enter it with its country code, such as +12025550143.',
      { label, number },
    );
  const values = {
    ...{ label, number, setting: { text: setting?.label ?? '' }, settings: settingsLocation() },
  };
  return hasDefault === undefined
    ? sentence(
        '"{label}" is {number}, which has no country code. Enter it with its country code, such as +12025550143, or check "{setting}" in {settings}.',
        values,
      )
    : sentence(
        '"{label}" is {number}, which has no country code. Enter it with its country code, such as +12025550143, or set "{setting}" in {settings}.',
        values,
      );
}

const doubts: Record<Exclude<PhoneDoubt, 'national'>, (values: Sentence['values']) => Sentence> = {
  invalid: (values) =>
    sentence(
      '"{label}" is “{number}”, which is not a valid phone number. Check its digits and its country code.',
      values,
    ),
  shortened: (values) =>
    sentence(
      '"{label}" is “{number}”, which a spreadsheet has shortened. Format the column as text, and enter all digits of the number.',
      values,
    ),
  unclear: (values) =>
    sentence(
      '"{label}" is “{number}”, which is not one phone number. Enter one number with its country code, such as +12025550143, and nothing else.',
      values,
    ),
};

/** What can receive a message or a call: a number, a short code, or an address such as `sip:alice@example.com`. A name can only send. */
const reachable = /^\+?\d+$|[:@]/;

function doubtOf(field: FormField, value: string): PhoneDoubt | undefined {
  const { doubt } = readPhone(value);
  // A filter finds what records have, and some callers have no whole number.
  const place = 'in' in field ? field.in : undefined;
  const isFilter = place === 'query';
  // What a path is about can be a number that isn't valid, but nothing else: it could leave its segment.
  if (place === 'path' && (!doubt || doubt === 'invalid'))
    return /^\+\d+$/.test(value) ? undefined : 'unclear';
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
  const said =
    doubt === 'national'
      ? countryCodeHint(field.label, shown)
      : doubts[doubt]({ label: { text: field.label }, number: shown });
  return [{ key: field.key, said }];
}
