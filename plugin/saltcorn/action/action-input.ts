import { interpolate } from '@saltcorn/data/utils';
import {
  type Action,
  checkInput,
  emptySenderField,
  fieldTypes,
  TelephonyError,
} from '../../../src/index.ts';
import type { Configuration } from '../account/account.ts';
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

// `{{ name }}` escapes for HTML in Saltcorn, which a message must not carry; `{{! name }}` does not. Browsers
// send the line breaks that were typed into a form as two characters.
function fill(
  template: unknown,
  { row, user }: RunArguments,
  { label, type }: Action['fields'][number],
): unknown {
  if (typeof template !== 'string') return template;
  const values = fieldTypes[type].holds === 'date' ? withPlainDates(row) : row;
  // Saltcorn starts a machine of its own to fill in a template, which takes its time.
  const filled = template.includes('{{')
    ? patiently(() => interpolate(template.replace(/\{\{[!=]?/g, '{{!'), values, user, label))
    : template;
  return filled.replaceAll('\r\n', '\n');
}

const isBlank = (value: unknown) => String(value ?? '').trim() === '';

/**
 * The input of an action: its fields with the row's values filled in. A sender that is left empty is the one of the
 * settings; one that is a row's value, and missing there, is missing.
 *
 * @throws {TelephonyError} when a field asks for a value that the row does not have, or the row stands in for the fields
 */
export function inputOf(
  action: Pick<Action, 'fields' | 'name'>,
  { defaultSender }: Configuration,
  run: RunArguments,
): Row {
  const { fields, name } = action;
  assertFilledInByBuilder(run);
  const sender = emptySenderField(action, (key) => !isBlank(run.configuration?.[key]));
  try {
    const values = fields.map((field) => {
      const typed = run.configuration?.[field.key];
      const template = field === sender ? defaultSender : typed;
      return [field.key, fill(template, run, field)];
    });
    return Object.fromEntries(values);
  } catch (error) {
    const reason = (error as Error).message.replace(/\s+/g, ' ');
    throw new TelephonyError('input', `A field of “${name}” has an invalid formula: ${reason}`);
  }
}

/**
 * The values that an action would send: the same ones where the same is asked for, however it was typed.
 *
 * @throws {TelephonyError} when a field asks for a value that the row does not have, or its value cannot be sent
 */
export const valuesOf = (action: Action, configuration: Configuration, run: RunArguments): Row =>
  checkInput(action, inputOf(action, configuration, run));
