import type { Field, SettingsField } from '../../generated/definition-types.ts';
import { type Fault, validators } from '../../generated/validators.js';
import { fieldTypes, severalValues } from '../field-types/field-types.ts';
import { type CleanPhone, cleanPhone } from '../field-types/phone.ts';
import { type ErrorCode, TelephonyError } from '../telephony-error.ts';
import { oneLine } from '../text/format.ts';
import { type Said, sentence } from '../text/sentence.ts';
import { escapeAttribute } from '../text/twiml.ts';
import { phoneProblems } from './phone-problem.ts';
import { fieldProblem, type Problem, problemsError } from './problem.ts';

/** Whether a value is the empty text, or becomes it. An object that can't become a text isn't empty. */
function isEmpty(value: unknown): boolean {
  try {
    return String(value).trim() === '';
  } catch {
    return false;
  }
}

/** Whether a value is missing. Missing never means all. */
export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || isEmpty(value);

/** The values of fields by key. Empty ones are left out. A field with several has a line for each. */
export type Values = Record<string, string | number>;

/** An operation or the settings. */
export interface Form {
  id: string;
  name: string;
  fields: readonly (Field | SettingsField)[];
  /** The keys of fields of which exactly one must have a value. */
  exactlyOneOf?: readonly string[];
}

/** Whether a value counts as not entered. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/**
 * Adds what to enter in a field to its problem: the first sentence of its help, and an example unless that has one or the value is a text.
 */
function withSolution(problem: Said, { help, placeholder = ' ' }: Form['fields'][number]): Said {
  const [first] = help?.split(/\.(?: |$)/) ?? [];
  if (!help || !first) return problem;
  const solution = { text: help, part: 'first sentence' } as const;
  return placeholder.includes(' ') || first.includes('such as')
    ? sentence('{problem}: {solution}', { problem, solution })
    : sentence('{problem}: {solution}, such as {example}', {
        ...{ problem, solution, example: placeholder },
      });
}

/** The problem of a value whose key no field has. */
export function unknownField({ name, fields }: Form, key: string): Problem {
  const keys = fields.map((field) => field.key).join(', ') || 'none';
  return {
    key,
    said: `${name} has no field "${oneLine(key.slice(0, 40))}". Its fields: ${keys}.`,
  };
}

function problemOf(
  form: Form,
  values: Record<string, unknown>,
  { instancePath, keyword, params }: Fault,
): Problem {
  const [, place = '', index] = instancePath.split('/');
  const key = params?.missingProperty ?? params?.additionalProperty ?? place;
  const field = form.fields.find((candidate) => candidate.key === key);
  if (!field) return unknownField(form, key);
  const dependent = form.fields.find((candidate) => candidate.key === params?.property);
  const value = index === undefined ? values[key] : Reflect.get(Object(values[key]), index);
  const { maxValues: most = 0 } = field as Partial<Field>;
  const problem =
    keyword === 'maxItems'
      ? sentence('must have at most {most} values', { most })
      : keyword === 'required'
        ? withSolution(sentence('is missing'), field)
        : dependent
          ? withSolution(
              sentence('is needed with "{other}"', { other: { text: dependent.label } }),
              field,
            )
          : fieldTypes[field.type].requirement(field as Partial<Field>, value);
  return { key, said: fieldProblem(field, problem) };
}

/** Checks whether a value is too long once it is encoded, such as spoken text in XML. */
function lengthProblems(field: Form['fields'][number], value: unknown): Problem[] {
  const { lengthOf, requirement } = fieldTypes[field.type];
  const { in: location, maxLength = Number.POSITIVE_INFINITY } = field as Partial<Field>;
  const isAttribute = location === 'speech';
  const measure = isAttribute ? (text: string) => escapeAttribute(text).length : lengthOf;
  if (typeof value !== 'string' || !measure || measure(value) <= maxLength) return [];
  // The schema reports a text that is too long before it is encoded.
  if ([...value].length > maxLength) return [];
  const limit = requirement(field as Partial<Field>, value);
  const problem = isAttribute
    ? sentence('{limit} (quotes and other special characters count as up to six)', { limit })
    : limit;
  return [{ key: field.key, said: fieldProblem(field, problem) }];
}

/** Checks the fields of which exactly one must have a value. */
function exclusivityProblems(form: Form, values: object): Problem[] {
  const { exactlyOneOf = [] } = form;
  const alternatives = form.fields.filter(({ key }) => exactlyOneOf.includes(key));
  if (!alternatives[0]) return [];
  const [first, second] = alternatives.filter(({ key }) => Object.hasOwn(values, key));
  const fields = alternatives
    .map(({ label }) => sentence('"{label}"', { label: { text: label } }))
    .reduce((one, other) => sentence('{one} or {other}', { one, other }));
  if (!first) {
    const said = sentence('{fields} is missing: fill in one of them.', { fields });
    return [{ key: alternatives[0].key, said }];
  }
  return second
    ? [
        {
          key: second.key,
          said: sentence('Fill in either {fields}, not more than one.', { fields }),
        },
      ]
    : [];
}

/** Creates the error that names all fields with a problem, in the order of the form, and the first unknown field. */
function errorOf(code: ErrorCode, form: Form, problems: Problem[]) {
  const known = form.fields.flatMap(({ key }) => problems.find((one) => one.key === key) ?? []);
  const unknown = problems.find(({ key }) => !form.fields.some((field) => field.key === key));
  return problemsError(code, [...known, ...(unknown ? [unknown] : [])], known[0]?.key);
}

/** Returns the values by key, also those that the fields' keys inherit: the getters of a class have types like any other value. */
export function enteredValues(
  { fields }: Pick<Form, 'fields'>,
  input: object,
): [key: string, value: unknown][] {
  const inherited = fields.map(({ key }) => key).filter((key) => key in input);
  const keys = new Set([...Object.keys(input), ...inherited]);
  return [...keys].map((key) => [key, Reflect.get(input, key)]);
}

/** Cleans what was entered in a field. A list without values is as if nothing was entered. */
function cleaned(field: Form['fields'][number], input: unknown, clean: CleanPhone): unknown {
  const { type, maxValues } = field as Pick<Field, 'type' | 'maxValues'>;
  if (maxValues === undefined) return fieldTypes[type].clean(input, clean);
  const values = severalValues(type, input, clean);
  return values.length > 0 ? values : undefined;
}

/** What the service needs with a scheduled time, such as its type. */
const scheduleValues = ({ fields }: Form, values: Record<string, unknown>) =>
  fields.flatMap(({ key, schedule }: Form['fields'][number] & Partial<Pick<Field, 'schedule'>>) =>
    values[key] === undefined ? [] : Object.entries(schedule?.with ?? {}),
  );

/** Cleans what was entered in a form, and finds what is wrong with it. */
function problemsIn(
  form: Form,
  input: object,
  clean: CleanPhone = cleanPhone,
  furtherProblems: (values: Record<string, unknown>, blank: string[]) => Problem[] = () => [],
): { values: Record<string, unknown>; problems: Problem[] } {
  const entered = enteredValues(form, input);
  const given = entered.filter(([, value]) => !isBlank(value));
  const blank = entered.flatMap(([key, value]) => (isBlank(value) ? [key] : []));
  const values: Record<string, unknown> = Object.fromEntries(given);
  const problems: Problem[] = [];
  for (const field of form.fields) {
    const { key } = field;
    const value = Object.hasOwn(values, key) ? cleaned(field, values[key], clean) : field.default;
    if (value === undefined) delete values[key];
    else values[key] = value;
    if ([value].flat().some((one) => typeof one === 'string' && !one.isWellFormed()))
      problems.push({
        key,
        said: sentence('"{label}" contains a broken character. Type it again.', {
          label: { text: field.label },
        }),
      });
    problems.push(...phoneProblems(field, value), ...lengthProblems(field, value));
  }
  for (const [key, value] of scheduleValues(form, values)) values[key] ??= value;
  problems.push(...furtherProblems(values, blank));
  const validate = validators[form.id];
  const faults = (validate && !validate(values) && validate.errors) || [];
  problems.push(...faults.map((fault) => problemOf(form, values, fault)));
  problems.push(...exclusivityProblems(form, values));
  return { values, problems };
}

/**
 * Checks what was entered in one field of a form, whatever the others will have.
 *
 * @throws {TelephonyError} with code `input`, as `checkValues` would
 */
export function checkValue(form: Form, key: string, value: unknown): void {
  const { problems } = problemsIn(form, { [key]: value });
  const own = problems.filter((problem) => problem.key === key);
  if (own.length > 0) throw errorOf('input', form, own);
}

/**
 * Cleans and checks the input of a form: trims texts, cleans phone numbers and integers, adds defaults, leaves out empty values. The texts of
 * messages stay exactly as they were entered.
 *
 * @param form the operation or the settings
 * @param input the values by key, as entered
 * @param code the code of the error: `input` or `settings`
 * @param clean cleans phone numbers, if national ones are to be completed
 * @param furtherProblems finds problems in the cleaned values that their types don't rule out, and in the keys without a value
 * @throws {TelephonyError} that names every field to change; its `field` is the first one
 */
export function checkValues(
  form: Form,
  input: object,
  code: ErrorCode,
  clean?: CleanPhone,
  furtherProblems?: (values: Record<string, unknown>, blank: string[]) => Problem[],
): Values {
  // A list or a map has no values by key, so it would mean all.
  if (Object.prototype.toString.call(input) !== '[object Object]')
    throw new TelephonyError(code, 'The input must be an object with the values of the fields.');
  const { values, problems } = problemsIn(form, input, clean, furtherProblems);
  if (problems.length > 0) throw errorOf(code, form, problems);
  for (const [key, value] of Object.entries(values))
    if (Array.isArray(value)) values[key] = value.join('\n');
  return values as Values;
}
