import { interpolate } from '@saltcorn/data/utils';
import {
  type Action,
  checkInput,
  emptySenderField,
  fieldTypes,
  TelephonyError,
  withCountryCodes,
} from '../../../src/builder.ts';
import type { Configuration } from '../account/account.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import type { Row } from '../where/where.ts';
import { assertFilledInByBuilder } from './filled-in-by-builder.ts';
import type { RunArguments } from './run-arguments.ts';

const isTimeout = (error: unknown) =>
  (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

// Saltcorn gives it 200 ms, which pass for the simplest template when the machine is busy.
function patiently<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (isTimeout(error)) return act();
    throw error;
  }
}

// A date in a text is its day and time in words, in which no service reads it.
const withPlainDates = (row: Row = {}): Row =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      value instanceof Date && !Number.isNaN(value.getTime())
        ? Object.assign(new Date(value), { toString: () => value.toISOString() })
        : value,
    ]),
  );

type ActionField = Action['fields'][number];

const placeholders = /\{\{[!=]?([\s\S]+?)\}\}/g;

/** A value as it is, not a calculation that may mean to give nothing, such as `name || ""`. */
const isName = (code: string) => /^[\p{L}\p{N}_$.?\s]+$/u.test(code);

const isBlank = (value: unknown) => String(value ?? '').trim() === '';

/** Whether a placeholder leaves a gap. A field that is nothing but a placeholder may be empty, as its column is. */
function leavesGap(value: unknown, code: string, isWholeField: boolean): boolean {
  if (value === undefined) return true;
  return !isWholeField && (value === null || (isName(code) && isBlank(value)));
}

const placeholderError = (code: string, { key, label }: ActionField, problem: string) =>
  new TelephonyError('input', `{{ ${code} }} in "${label}" ${problem}`, { field: key });

// `{{ name }}` escapes for HTML in Saltcorn, which a message must not carry; `{{! name }}` does not.
function evaluate(
  template: string,
  values: Row | undefined,
  user: RunArguments['user'],
  field: ActionField,
): string {
  const codes = [...template.matchAll(placeholders)].map(([, code = '']) => code.trim());
  const isWholeField = template.replace(placeholders, '').trim() === '' && codes.length === 1;
  let gaps: string[] = [];
  let evaluated = 0;
  const placed = (value: unknown) => {
    const code = codes[evaluated++] ?? '';
    if (leavesGap(value, code, isWholeField)) gaps.push(code);
    return value;
  };
  const checked = template.replace(placeholders, (_, code) => `{{! telephonyPlaced((${code})) }}`);
  let filled = '';
  try {
    filled = patiently(() => {
      gaps = [];
      evaluated = 0;
      return interpolate(checked, { row: values, ...values, telephonyPlaced: placed }, user);
    });
  } catch (error) {
    const reason = String((error as Error).message)
      .split('\n\n')
      .at(-1);
    throw placeholderError(codes[evaluated] ?? '', field, `is not a valid formula: ${reason}`);
  }
  const [gap] = gaps;
  if (gap === undefined) return filled;
  const advice = `has no value. Check the name, or add a default: {{ ${gap} || "" }}.`;
  throw placeholderError(gap, field, advice);
}

// Browsers send the line breaks that were typed into a form as two characters.
function fill(template: unknown, { row, user }: RunArguments, field: ActionField): unknown {
  if (typeof template !== 'string') return template;
  const values = fieldTypes[field.type].holds === 'date' ? withPlainDates(row) : row;
  const filled = template.includes('{{') ? evaluate(template, values, user, field) : template;
  return filled.replaceAll('\r\n', '\n');
}

/**
 * The input of an action: its fields with the row's values filled in. A sender that is left empty is the one of the
 * settings; one that is a row's value, and missing there, is missing.
 *
 * @throws {TelephonyError} if a field needs a value that the row does not have, or the row replaces the fields
 */
export function inputOf(
  action: Pick<Action, 'fields' | 'name'>,
  settings: Configuration,
  run: RunArguments,
): Row {
  const { fields } = action;
  const { defaultSender } = settings;
  assertFilledInByBuilder(run);
  const sender = emptySenderField(action, (key) => !isBlank(run.configuration?.[key]));
  const values = fields.map((field) => {
    const typed = run.configuration?.[field.key];
    const template = field === sender ? defaultSender : typed;
    return [field.key, fill(template, run, field)];
  });
  const { defaultCountry } = effectiveSettings(settings, {}).typed;
  return withCountryCodes(action, Object.fromEntries(values), defaultCountry);
}

/**
 * The values that an action would send: equal for equal requests, however they were typed.
 *
 * @throws {TelephonyError} when a field asks for a value that the row does not have, or its value cannot be sent
 */
export const valuesOf = (action: Action, configuration: Configuration, run: RunArguments): Row =>
  checkInput(action, inputOf(action, configuration, run));
