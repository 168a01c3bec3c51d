import type { Field } from '../../generated/definition-types.ts';
import type { RecordValue, TelephonyRecord } from '../answer/read-record.ts';
import type { ListSource } from '../definition/operation.ts';
import { rangeEnd } from '../definition/range-end.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { CleanPhone } from '../field-types/clean-phone.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import type { Values } from '../input/check-values.ts';
import { oncePer } from '../once-per.ts';

type Asked = string | number;
type Fits = (asked: Asked, found: RecordValue, clean?: CleanPhone) => boolean;

/** What is asked for by a day, a second or a number, from the first instant to the one after the last. */
function rangeOf(asked: Asked): [start: number, end: number] {
  if (typeof asked === 'number') return [asked, asked + 1];
  const isDay = asked.length === 10;
  return [Date.parse(asked), Date.parse(asked) + (isDay ? 86_400_000 : 1_000)];
}

const textFits =
  (isSame: (asked: string, found: string, clean?: CleanPhone) => boolean = Object.is): Fits =>
  (asked, found, clean) =>
    isSame(String(asked), String(found), clean);

const rangeFits =
  (side: ReturnType<typeof rangeEnd>): Fits =>
  (asked, found) => {
    const [start, end] = rangeOf(asked);
    const [isLate, isEarly] = [Number(found) >= start, Number(found) < end];
    return (isLate || side === 'end') && (isEarly || side === 'start');
  };

function fitsOf(field: Field): Fits {
  const { holds, isSame } = fieldTypes[field.type];
  const fits = holds === 'text' ? textFits(isSame) : rangeFits(rangeEnd(field));
  return (asked, found, clean) => found !== null && fits(asked, found, clean);
}

/** The fields of a list that choose its records by one of their columns, and how. */
const filtersOf = oncePer(({ fields, result }: ListSource) => {
  const columns = new Set(recordShape(result.of).fields.map(({ key }) => key));
  return fields
    .map((field) => ({ key: field.key, column: field.column ?? field.key, fits: fitsOf(field) }))
    .filter(({ column }) => columns.has(column));
});

/**
 * Which records of a list were asked for. Some services ignore filters that they do not know, and answer the records of
 * everybody: whatever a service does, no others are shown.
 *
 * @param source the definition of the list, whose fields name the columns that they filter by
 * @param values the checked values of its fields
 * @param clean the form in which phone numbers are compared
 */
export function matchesFilters(
  source: ListSource,
  values: Values,
  clean?: CleanPhone,
): (record: TelephonyRecord) => boolean {
  const given = filtersOf(source).flatMap(({ key, column, fits }) => {
    const asked = values[key];
    return asked === undefined ? [] : [{ asked, column, fits }];
  });
  return (record) =>
    given.every(({ asked, column, fits }) => fits(asked, record[column] ?? null, clean));
}
