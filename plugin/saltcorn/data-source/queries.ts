import {
  columnOf,
  type DataSource,
  definitions,
  type Field,
  fieldTypes,
  filterOnlyFields,
  filters,
  freePageSize,
  isList,
  keyColumn,
  rangeEnd,
  recordShape,
  TelephonyError,
  tableFields,
} from '../../../src/builder.ts';
import {
  and,
  type Condition,
  conjuncts,
  mentions,
  type Operator,
  possibleSpan,
  possibleValues,
} from '../where/condition.ts';

/** The inputs of a data source, by key. */
export type Inputs = Record<string, unknown>;

/** The maximum number of values of a column to request one by one. */
const mostValues = 100;

/** A request to the service for a table. */
export interface Query {
  source: DataSource;
  input: Inputs;
  /**
   * Whether the service applies the whole filter. For times it returns whole days, so some more records at both ends.
   */
  isExact: boolean;
}

// A choice that the service doesn't offer is no error: the filter may be for another list on the page.
const isAskable = ({ type, options }: Field, value: unknown) =>
  value !== null && (type !== 'choice' || options?.includes(String(value)) === true);

// A blank input isn't sent, so it would select all records.
const isBlankId = ({ type }: Field, value: unknown) =>
  fieldTypes[type].identifies === true && String(value).trim() === '';

/** The values that a condition allows for a field, without blank numbers and identifiers. */
const possibleOf = (field: Field, condition: Condition) =>
  possibleValues(condition, columnOf(field))?.filter((value) => !isBlankId(field, value));

/** The values to request for a field, one by one or as a list of choices; undefined to leave the field out. */
function valuesOf(field: Field, condition: Condition, isSplit: boolean): unknown[] | undefined {
  const possible = possibleOf(field, condition);
  const values = field.required ? possible?.filter((value) => value !== null) : possible;
  if (!values?.every((value) => isAskable(field, value))) return undefined;
  if (isSplit || values.length === 1) return values;
  return field.type === 'choice' ? [values] : undefined;
}

const dayLength = 86_400_000;

/**
 * The day to request as an end of the span; undefined if there is no such end. The service documents only UTC days, so
 * the response contains everything that matches; the plugin drops the rest.
 */
function dayOf(field: Field, condition: Condition): string[] | undefined {
  const [first, last] = possibleSpan(condition, columnOf(field));
  const end = rangeEnd(field) === 'start' ? first : last;
  const date = new Date(Math.floor(end / dayLength) * dayLength);
  const isInCalendar = date.getTime() >= 0 && date.getUTCFullYear() <= 9999;
  return isInCalendar ? [date.toISOString().slice(0, 10)] : undefined;
}

/** The ends of a range that a comparison needs, unless its value is requested. */
const endsOf: Record<Operator, ('start' | 'end')[]> = {
  '=': ['start', 'end'],
  '<': ['end'],
  '<=': ['end'],
  '>': ['start'],
  '>=': ['start'],
};

/** Whether the service applies a part of a condition, given these fields. */
function isAskedBy(filled: Field[], one: Condition): boolean {
  const has = (column: string, end?: 'start' | 'end') =>
    filled.some((field) => columnOf(field) === column && rangeEnd(field) === end);
  if (one.kind === 'constant') return one.truth === true;
  if (one.kind === 'list') return has(one.column);
  if (one.kind !== 'comparison') return false;
  const isValue = one.operator === '=' && has(one.column);
  return isValue || endsOf[one.operator].every((end) => has(one.column, end));
}

/** From this number on, searching the list of all records first is faster. */
const manyLookUps = 10;

/** @throws {TelephonyError} if there are too many values to request one by one */
export function assertFew(column: string, count: number) {
  if (count > mostValues)
    throw new TelephonyError(
      'input',
      `A filter can have at most ${mostValues} values of “${column}”. Use fewer.`,
    );
}

/** The requests to a data source; undefined if it requires more than the condition contains. */
function queriesTo(source: DataSource, condition: Condition): Query[] | undefined {
  const hidden = new Set(filterOnlyFields(source));
  const candidates = filters(source).map((field) => ({
    field,
    values: rangeEnd(field)
      ? dayOf(field, condition)
      : valuesOf(field, condition, field.required === true || hidden.has(field)),
  }));
  if (candidates.some(({ field, values }) => field.required && !values)) return undefined;
  const filled = candidates.flatMap(({ field, values }) => (values ? [{ field, values }] : []));
  const fields = filled.map(({ field }) => field);
  const isExact = conjuncts(condition).every((one) => isAskedBy(fields, one));
  let inputs: Inputs[] = [{}];
  for (const { field, values } of filled) {
    if (isList(source)) assertFew(columnOf(field), inputs.length * values.length);
    inputs = inputs.flatMap((input) => values.map((value) => ({ ...input, [field.key]: value })));
  }
  return inputs.map((input) => ({ source, input, isExact }));
}

/** Only the service can filter by a column that records lack, and only by single values. */
function assertSupported(source: DataSource, condition: Condition) {
  for (const field of filterOnlyFields(source)) {
    const column = columnOf(field);
    if (mentions(condition, column) && !valuesOf(field, condition, true))
      throw new TelephonyError('input', `“${field.label}” can be filtered only by an exact value.`);
  }
}

/** The data sources that list the same records and have at least the needed filters. */
function alternatives(source: DataSource, condition: Condition): DataSource[] {
  const needed = filterOnlyFields(source)
    .map(columnOf)
    .filter((column) => mentions(condition, column));
  return definitions.dataSources.filter(
    (other) =>
      other !== source &&
      other.result.of === source.result.of &&
      needed.every((column) => filters(other).some((field) => columnOf(field) === column)),
  );
}

/**
 * Ranks a request: more filters mean fewer records. Required filters count first, such as the SID of a single record.
 */
const narrowness = (query: Query | undefined, isLong: boolean): number[] =>
  query
    ? [
        filters(query.source).filter(({ required }) => required).length,
        Object.keys(query.input).length,
        isLong && freePageSize(query.source) ? 1 : 0,
      ]
    : [];

function isNarrower([one]: Query[], [other]: Query[], isLong: boolean): boolean {
  const mine = narrowness(one, isLong);
  const others = narrowness(other, isLong);
  const different = mine.findIndex((value, index) => value !== others[index]);
  return Number(mine[different]) > Number(others[different]);
}

const fitsNone = (source: DataSource, condition: Condition) =>
  possibleValues(condition, keyColumn(source))?.every((value) => value === null) ||
  tableFields(source).some(({ key }) => possibleValues(condition, key)?.length === 0) ||
  filters(source).some((field) => possibleOf(field, condition)?.length === 0);

/** Whether a condition names the rows that it allows, as a button does. */
const namesRows = (source: DataSource, condition: Condition) =>
  possibleValues(condition, keyColumn(source)) !== undefined;

/** The requests for the whole condition at once. */
function queriesAtOnce(source: DataSource, condition: Condition, isLong: boolean): Query[] {
  if (fitsNone(source, condition)) return [];
  assertSupported(source, condition);
  const own = queriesTo(source, condition);
  // Without a required filter, a list is empty. Only a row that is named may be searched in other lists.
  if (!own && !namesRows(source, condition)) return [];
  const others = alternatives(source, condition).map((other) => queriesTo(other, condition));
  const [first = [], ...rest] = [own, ...others].filter((queries) => queries !== undefined);
  return rest.reduce((best, other) => (isNarrower(other, best, isLong) ? other : best), first);
}

/** The maximum number of alternatives to request one by one, because each takes a request. */
const mostSides = 4;

const inputsOf = ({ input }: Query) => Object.keys(input).length;

/**
 * Requests each side of an “or” separately, such as messages from and to a number. At once, the service could filter by
 * neither, so the plugin would search only the newest records.
 *
 * @param atOnce the requests for the whole condition
 * @returns undefined if `atOnce` is no worse
 */
function queriesBySide(
  source: DataSource,
  condition: Condition,
  [atOnce, ...others]: Query[],
  isLong: boolean,
): Query[] | undefined {
  if (!atOnce || atOnce.isExact || others.length > 0) return undefined;
  // Merging the responses needs a date, and columns that the records have.
  if (!recordShape(source.result.of).createdAt) return undefined;
  if (filterOnlyFields(source).some((field) => mentions(condition, columnOf(field))))
    return undefined;
  const isMoreThanAtOnce = (query: Query) => inputsOf(query) > inputsOf(atOnce);
  const parts = conjuncts(condition);
  for (const part of parts) {
    if (part.kind !== 'or' || part.of.length > mostSides) continue;
    const rest = parts.filter((other) => other !== part);
    const sides = part.of.map((side) => queriesAtOnce(source, and([...rest, side]), isLong));
    if (sides.every((side) => side.length <= 1 && side.every(isMoreThanAtOnce)))
      return sides.flat();
  }
  return undefined;
}

/**
 * Determines the requests to the service: none if no row can match, usually one, and several if the service accepts
 * only one of several allowed values, or one side of an “or”, per request. Of the data sources that list the same
 * records, chooses the one that reads least.
 *
 * @param source the data source of the table
 * @param condition the condition that rows must match
 * @param isLong whether so many rows are wanted that the page size matters
 * @throws {TelephonyError} if there are too many values, or the service can't filter by them
 */
export function queriesOf(source: DataSource, condition: Condition, isLong: boolean): Query[] {
  const atOnce = queriesAtOnce(source, condition, isLong);
  return queriesBySide(source, condition, atOnce, isLong) ?? atOnce;
}

/**
 * The list to search for many single records first: one request instead of one for each.
 *
 * @param queries the requests for the records
 * @returns undefined if there are only a few, or they aren't single records
 */
export function listBefore(
  queries: Query[],
  source: DataSource,
  condition: Condition,
): Query[] | undefined {
  if (queries.length <= manyLookUps || queries.some((query) => isList(query.source)))
    return undefined;
  return [source, ...alternatives(source, condition)]
    .filter((other) => isList(other) && !other.fields.some(({ required }) => required))
    .map((other) => queriesTo(other, condition))
    .find((found) => found && freePageSize(found[0]?.source ?? source));
}
