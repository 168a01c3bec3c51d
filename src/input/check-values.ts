import type { Field, SettingsField } from '../../generated/definition-types.ts';
import { type Fault, validators } from '../../generated/validators.js';
import type { CleanPhone } from '../field-types/clean-phone.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { type ErrorCode, TelephonyError } from '../telephony-error.ts';

/** The values of fields by key. Empty ones are left out. */
export type Values = Record<string, string | number>;

/** Something with fields: an operation or the settings. */
export interface Form {
  id: string;
  name: string;
  fields: readonly (Field | SettingsField)[];
}

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** What a field asks for, as the end of a sentence. */
const meaningOf = ({ help }: Form['fields'][number]) =>
  help ? `: ${help.charAt(0).toLowerCase()}${help.slice(1)}` : '.';

function fault(
  code: ErrorCode,
  form: Form,
  values: Record<string, unknown>,
  { instancePath, keyword, params }: Fault,
) {
  const key = params?.missingProperty ?? params?.additionalProperty ?? instancePath.slice(1);
  const field = form.fields.find((candidate) => candidate.key === key);
  if (!field) {
    const keys = form.fields.map((candidate) => candidate.key).join(', ') || 'none';
    return new TelephonyError(
      code,
      `${form.name} has no field "${key.slice(0, 40)}". Its fields: ${keys}.`,
    );
  }
  const needing = form.fields.find((candidate) => candidate.key === params?.property);
  const whatIsWrong =
    keyword === 'required'
      ? `is missing${meaningOf(field)}`
      : needing
        ? `is needed with "${needing.label}"${meaningOf(field)}`
        : `${fieldTypes[field.type].demand(field as Partial<Field>, values[key])}.`;
  return new TelephonyError(code, `"${field.label}" ${whatIsWrong}`, { field: key });
}

/**
 * Turns what a builder hands over into checked values: texts trimmed, phone numbers and integers cleaned,
 * defaults filled in, empty ones left out. The texts of messages stay exactly as they were typed.
 *
 * @param form the operation or the settings that the values are for
 * @param input the values by key, as typed
 * @param code the code of the error: `input` or `settings`
 * @param clean what cleans phone numbers, where national ones are to be completed
 * @throws {TelephonyError} the first fault, with the `field` to change
 */
export function checkValues(
  form: Form,
  input: object,
  code: ErrorCode,
  clean?: CleanPhone,
): Values {
  const given = Object.entries(input ?? {}).filter(([, value]) => !isBlank(value));
  const values: Record<string, unknown> = Object.fromEntries(given);
  for (const field of form.fields) {
    const { key } = field;
    const value = Object.hasOwn(values, key)
      ? fieldTypes[field.type].clean(values[key], clean)
      : field.default;
    if (value !== undefined) values[key] = value;
    if (typeof value === 'string' && !value.isWellFormed())
      throw new TelephonyError(
        code,
        `"${field.label}" contains a broken character. Type it again.`,
        { field: key },
      );
  }
  const validate = validators[form.id];
  const firstFault = validate && !validate(values) && validate.errors?.[0];
  if (firstFault) throw fault(code, form, values, firstFault);
  return values as Values;
}
