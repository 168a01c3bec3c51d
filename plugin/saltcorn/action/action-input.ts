import { expressionValidator } from '@saltcorn/data/models/expression';
import { interpolate } from '@saltcorn/data/utils';
import {
  type Action,
  checkInput,
  checkValue,
  type EventReply,
  emptySenderField,
  fieldTypes,
  mapValue,
  type Said,
  sentence,
  TelephonyError,
  withCountryCodes,
} from '../../../src/builder.ts';
import type { Configuration } from '../account/account.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import { location } from '../settings/location.ts';
import type { Row } from '../where/where.ts';
import { assertFilledInByBuilder } from './filled-in-by-builder.ts';
import { columnsBehind, insertable, placeholders } from './joined-rows.ts';
import { missingRow } from './missing-row.ts';
import type { RunArguments } from './run-arguments.ts';

const isTimeout = (error: unknown) =>
  (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

// Retries once: Saltcorn's limit of 200 ms can end even for the simplest template on a busy machine.
function withOneRetry<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (isTimeout(error)) return act();
    throw error;
  }
}

// Writes dates as ISO 8601. As text, they would be a day and time in words, which no service can read.
const withPlainDates = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      value instanceof Date && !Number.isNaN(value.getTime())
        ? Object.assign(new Date(value), { toString: () => value.toISOString() })
        : value,
    ]),
  );

type ActionField = Action['fields'][number];

/** Whether code is only a name, not an expression that may be empty on purpose, such as `name || ""`. */
const isName = (code: string) => /^[\p{L}\p{N}_$.?\s]+$/u.test(code);

const isBlank = (value: unknown) => String(value ?? '').trim() === '';

const codesIn = (template: string): string[] =>
  [...template.matchAll(placeholders)].map(([, code = '']) => code.trim());

/** Whether a placeholder leaves a gap. A field that is one placeholder may be empty, like its column. */
function leavesGap(value: unknown, code: string, isWholeField: boolean): boolean {
  if (value === undefined) return true;
  return !isWholeField && (value === null || (isName(code) && isBlank(value)));
}

const placeholderError = (code: string, { key, label }: ActionField, problem: Said) =>
  new TelephonyError(
    'input',
    sentence('{code} in "{label}" {problem}', {
      ...{ code: `{{ ${code} }}`, label: { text: label }, problem },
    }),
    { field: key },
  );

const invalidFormula = (code: string, field: ActionField, reason: string) =>
  placeholderError(code, field, sentence('is not a valid formula: {reason}', { reason }));

const timeoutError = ({ key, label }: ActionField) =>
  new TelephonyError(
    'timeout',
    sentence(
      'Filling in "{label}" took Saltcorn too long, so nothing was sent. Try again when the machine is less busy.',
      { label: { text: label } },
    ),
    { field: key },
  );

const names = /^[\p{L}_$][\p{L}\p{N}_$]*(\??\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/** The values of the columns that formulas name, such as `name` or `patient.phone`; undefined if one is not only a name. */
function columnsNamed(values: Row, codes: string[]): unknown[] | undefined {
  const found: unknown[] = [];
  for (const code of codes) {
    if (!names.test(code)) return undefined;
    let value: unknown = values;
    for (const name of code.split(/\??\./)) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
        return undefined;
      value = (value as Row)[name];
    }
    found.push(value);
  }
  return found;
}

/** Why a formula such as `patient.fone` is wrong, where `patient` refers to a row of another table. */
function unknownColumn(run: RunArguments, code: string): Said | undefined {
  const unknown = columnsBehind(run, code).find(({ isKnown }) => !isKnown);
  return (
    unknown &&
    sentence('has no value: “{table}” has no column “{column}”.', {
      ...{ table: unknown.table, column: unknown.column },
    })
  );
}

/**
 * Why a formula such as `patient.phone` has no value if `patient` refers to no row.
 *
 * @param otherwise a default that its field takes
 */
function noRowBehind(run: RunArguments, code: string, otherwise: string): Said | undefined {
  const { key, rest, table, isGone } =
    columnsBehind(run, code).find((one) => one.isEmpty || one.isGone) ?? {};
  if (key === undefined) return undefined;
  const why = isGone
    ? sentence('“{table}” has no row to which “{column}” refers, or you may not read it', {
        ...{ table: table ?? '', column: key },
      })
    : sentence('“{column}” is empty', { column: key });
  return sentence('has no value: {reason}. You can add a default: {example}.', {
    ...{ reason: why, example: `{{ ${key}?.${rest} || ${otherwise} }}` },
  });
}

// In Saltcorn, `{{ name }}` escapes for HTML, which would alter a message; `{{! name }}` does not.
function evaluate(template: string, values: Row, run: RunArguments, field: ActionField): string {
  const codes = codesIn(template);
  for (const code of codes) {
    const problem = unknownColumn(run, code);
    if (problem) throw placeholderError(code, field, problem);
  }
  const isWholeField = template.replace(placeholders, '').trim() === '' && codes.length === 1;
  const isInMap = field.type === 'map' && !isWholeField;
  const [before = ''] = template.split('{{');
  // A value of a map can't be empty.
  const otherwise = isInMap ? '"-"' : '""';
  let gaps: string[] = [];
  let evaluated = 0;
  const placed = (value: unknown) => {
    const code = codes[evaluated++] ?? '';
    if (leavesGap(value, code, isWholeField)) gaps.push(code);
    if (isInMap) return mapValue(String(value ?? ''), before);
    return field.maxValues && Array.isArray(value) ? value.join('\n') : value;
  };
  const checked = template.replace(placeholders, (_, code) => `{{! telephonyPlaced((${code})) }}`);
  // Saltcorn creates a sandbox for each template, which takes milliseconds, also if it only names columns.
  const named = columnsNamed(values, codes);
  const fillIn = named
    ? () => template.replace(placeholders, () => String(placed(named[evaluated]) ?? ''))
    : () => interpolate(checked, { row: values, ...values, telephonyPlaced: placed }, run.user);
  let filled = '';
  try {
    filled = withOneRetry(() => {
      gaps = [];
      evaluated = 0;
      return fillIn();
    });
  } catch (error) {
    if (isTimeout(error)) throw timeoutError(field);
    const reason = String((error as Error).message)
      .split('\n\n')
      .at(-1);
    const code = codes[evaluated] ?? '';
    const known = missingRow(run, String(reason)) ?? noRowBehind(run, code, otherwise);
    throw known
      ? placeholderError(code, field, known)
      : invalidFormula(code, field, String(reason));
  }
  const [gap] = gaps;
  if (gap === undefined) return filled;
  const advice = sentence('has no value. Check the name, or add a default: {example}.', {
    example: `{{ ${gap} || ${otherwise} }}`,
  });
  throw placeholderError(gap, field, noRowBehind(run, gap, otherwise) ?? advice);
}

// Browsers send a line break in a form as two characters.
function fill(template: unknown, run: RunArguments, field: ActionField): unknown {
  if (typeof template !== 'string') return template;
  if (!template.includes('{{')) return template.replaceAll('\r\n', '\n');
  const valuesIn = fieldTypes[field.type].holds === 'date' ? withPlainDates : (row: Row) => row;
  const filled = evaluate(template, insertable(template, run, valuesIn), run, field);
  return filled.replaceAll('\r\n', '\n');
}

/** Completes national phone numbers by the account's default country. */
const completed = (form: Pick<Action, 'fields'>, settings: Configuration, input: Row): Row =>
  withCountryCodes(form, input, effectiveSettings(settings, {}).typed.defaultCountry);

/**
 * Checks what can be checked of a field before there is a row: a value without formulas, and whether its formulas can be read.
 *
 * @throws {TelephonyError} as the action would
 */
export function checkTyped(
  form: Action | EventReply,
  field: ActionField,
  settings: Configuration,
  typed: unknown,
): void {
  const template = String(typed ?? '');
  for (const code of codesIn(template)) {
    const valid = expressionValidator(code);
    if (valid !== true) throw invalidFormula(code, field, valid);
  }
  if (isBlank(template) || template.includes('{{')) return;
  const { [field.key]: value } = completed(form, settings, { [field.key]: typed });
  checkValue(form, field.key, value);
}

/** Whether a field may be empty: nothing was entered, or only formulas with a default, such as `{{ from || "" }}`. */
const mayBeEmpty = (template: unknown) =>
  codesIn(String(template ?? '')).every((code) => !isName(code));

const noSenderError = ({ key, label }: ActionField) =>
  new TelephonyError(
    'input',
    sentence('"{label}" is empty. Enter one of your numbers, or set "{setting}" in {settings}.', {
      ...{ label: { text: label }, setting: { text: 'Default sender' }, settings: location },
    }),
    { field: key },
  );

/**
 * Fills the row's values into the fields of an action. The default sender replaces an empty sender, but not a
 * placeholder without a value.
 *
 * @throws {TelephonyError} if the row lacks a value that a field needs, or replaces the fields
 */
export function inputOf(
  action: Pick<Action, 'fields' | 'name'>,
  settings: Configuration,
  run: RunArguments,
): Row {
  assertFilledInByBuilder(run);
  const templates = run.configuration ?? {};
  const input: Row = Object.fromEntries(
    action.fields.map((field) => [field.key, fill(templates[field.key], run, field)]),
  );
  const isGiven = (key: string) => !isBlank(input[key]) || !mayBeEmpty(templates[key]);
  const sender = emptySenderField(action, isGiven);
  if (sender?.required && isBlank(settings.defaultSender)) throw noSenderError(sender);
  if (sender) input[sender.key] = fill(settings.defaultSender, run, sender);
  return completed(action, settings, input);
}

/**
 * The values that an action would send: equal for equal requests, however they were typed.
 *
 * @throws {TelephonyError} if the row lacks a value that a field needs, or a value is invalid
 */
export const valuesOf = (action: Action, configuration: Configuration, run: RunArguments): Row =>
  checkInput(action, inputOf(action, configuration, run));
