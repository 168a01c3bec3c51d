import type { Field } from '../../generated/definition-types.ts';
import { oncePer } from '../async/once.ts';
import { rangeEnd } from '../definition/fields.ts';
import { columnOf, type ListSource, recordFields } from '../definition/operation.ts';
import type { CleanPhone } from '../field-types/clean-phone.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import type { Values } from '../input/check-values.ts';
import { columnTypes } from '../records/comparable.ts';
import { and, type Condition } from '../records/condition.ts';
import { matcher } from '../records/matcher.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import { isDay, spanOfDay } from '../text/whole-day.ts';

type FilterValue = string | number;

/** The range of values that match a day, a second or a number; the end is exclusive. */
function rangeOf(wanted: FilterValue): [start: number, end: number] {
  if (typeof wanted === 'number') return [wanted, wanted + 1];
  return isDay(wanted) ? spanOfDay(wanted) : [Date.parse(wanted), Date.parse(wanted) + 1_000];
}

function conditionOf(field: Field, wanted: FilterValue): Condition {
  const column = columnOf(field);
  if (fieldTypes[field.type].holds === 'text')
    return { kind: 'list', column, values: [String(wanted)] };
  const [start, end] = rangeOf(wanted);
  const side = rangeEnd(field);
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
): (record: TelephonyRecord) => boolean {
  const types = typesOf(source);
  const conditions = source.fields.flatMap((field) => {
    const wanted = values[field.key];
    return wanted === undefined || !types.has(columnOf(field)) ? [] : [conditionOf(field, wanted)];
  });
  return matcher(and(conditions), { types, cleanPhone });
}
