import type { Field } from '../../generated/definition-types.ts';
import { oncePer } from '../async/once.ts';
import { rangeEnd } from '../definition/fields.ts';
import { columnOf, type ListSource, recordFields } from '../definition/operation.ts';
import { isDay, spanOfDay } from '../field-types/days.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import type { CleanPhone } from '../field-types/phone.ts';
import type { Values } from '../input/check-values.ts';
import { fieldProblem } from '../input/problem.ts';
import { TelephonyError } from '../telephony-error.ts';
import { columnTypes, type Row } from './comparable.ts';
import { and, type Condition } from './condition.ts';
import { matcher } from './matcher.ts';

/** The range of values that match a number, a day or a second; the end is exclusive. */
function rangeOf(wanted: string | number): [start: number, end: number] {
  if (typeof wanted === 'number') return [wanted, wanted + 1];
  return isDay(wanted) ? spanOfDay(wanted) : [Date.parse(wanted), Date.parse(wanted) + 1_000];
}

/**
 * Returns the condition on records that a value of a filter means. A day is the whole day in UTC.
 *
 * @param wanted the cleaned value
 * @throws {TelephonyError} with code `input` if it is no value of the field's type
 */
export function fieldCondition(field: Field, wanted: string | number): Condition {
  const [column, side] = [columnOf(field), rangeEnd(field)];
  const { holds, requirement } = fieldTypes[field.type];
  if (holds === 'text' && field.type !== 'day')
    return { kind: 'list', column, values: [String(wanted)] };
  const [start, end] = rangeOf(wanted);
  if (Number.isNaN(start))
    throw new TelephonyError('input', fieldProblem(field, requirement(field)));
  if (!side && typeof wanted === 'number') return { kind: 'list', column, values: [wanted] };
  return and([
    ...(side === 'end' ? [] : [{ kind: 'bound', column, operator: '>=', value: start } as const]),
    ...(side === 'start' ? [] : [{ kind: 'bound', column, operator: '<', value: end } as const]),
  ]);
}

const typesOf = oncePer((source: ListSource) => columnTypes(recordFields(source)));

/**
 * Returns a function that says whether a record matches the filters of a list. Some services ignore filters that they don't know and
 * return all records, so the plugin checks each one.
 *
 * @param source the definition of the list, whose fields name the columns that they filter by
 * @param values the checked values of its fields
 * @param cleanPhone converts phone numbers to the form in which they are compared
 */
export function matchesFilters(
  source: ListSource,
  values: Values,
  cleanPhone?: CleanPhone,
): (record: Row) => boolean {
  const types = typesOf(source);
  const conditions = source.fields.flatMap((field) => {
    const wanted = values[field.key];
    const isChecked = wanted !== undefined && types.has(columnOf(field));
    return isChecked ? [fieldCondition(field, wanted)] : [];
  });
  return matcher(and(conditions), { types, cleanPhone });
}
