import type { Field } from '../../generated/definition-types.ts';
import { oncePer } from '../async/once.ts';
import { rangeEnd } from '../definition/fields.ts';
import { type ListSource, recordShape } from '../definition/operation.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import type { CleanPhone } from '../field-types/phone.ts';
import type { Values } from '../input/check-values.ts';
import type { RecordValue, TelephonyRecord } from '../response/read-record.ts';
import { isDay, spanOfDay } from '../text/whole-day.ts';

type FilterValue = string | number;
type Matcher = (wanted: FilterValue, found: RecordValue, clean?: CleanPhone) => boolean;

/** The range of values that match a day, a second or a number; the end is exclusive. */
function rangeOf(wanted: FilterValue): [start: number, end: number] {
  if (typeof wanted === 'number') return [wanted, wanted + 1];
  return isDay(wanted) ? spanOfDay(wanted) : [Date.parse(wanted), Date.parse(wanted) + 1_000];
}

const textMatcher =
  (isSame: (wanted: string, found: string, clean?: CleanPhone) => boolean = Object.is): Matcher =>
  (wanted, found, clean) =>
    isSame(String(wanted), String(found), clean);

const rangeMatcher =
  (side: ReturnType<typeof rangeEnd>): Matcher =>
  (wanted, found) => {
    const [start, end] = rangeOf(wanted);
    const [isAfterStart, isBeforeEnd] = [Number(found) >= start, Number(found) < end];
    return (isAfterStart || side === 'end') && (isBeforeEnd || side === 'start');
  };

function matcherOf(field: Field): Matcher {
  const { holds, isSame } = fieldTypes[field.type];
  const matches = holds === 'text' ? textMatcher(isSame) : rangeMatcher(rangeEnd(field));
  return (wanted, found, clean) => found !== null && matches(wanted, found, clean);
}

/** The fields that filter a list by a column of its records. */
const filtersOf = oncePer(({ fields, result }: ListSource) => {
  const columns = new Set(recordShape(result.of).fields.map(({ key }) => key));
  return fields
    .map((field) => ({
      key: field.key,
      column: field.column ?? field.key,
      matches: matcherOf(field),
    }))
    .filter(({ column }) => columns.has(column));
});

/**
 * Returns a function that says whether a record matches the filters of a list. Some services ignore filters that they don't know and
 * return all records, so the plugin checks each one.
 *
 * @param source the definition of the list, whose fields name the columns that they filter by
 * @param values the checked values of its fields
 * @param clean converts phone numbers to the form in which they are compared
 */
export function matchesFilters(
  source: ListSource,
  values: Values,
  clean?: CleanPhone,
): (record: TelephonyRecord) => boolean {
  const filters = filtersOf(source).flatMap(({ key, column, matches }) => {
    const wanted = values[key];
    return wanted === undefined ? [] : [{ wanted, column, matches }];
  });
  return (record) =>
    filters.every(({ wanted, column, matches }) => matches(wanted, record[column] ?? null, clean));
}
