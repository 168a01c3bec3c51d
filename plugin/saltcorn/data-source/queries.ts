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

/** What the fields of a data source are filled in with, by their keys. */
export type Inputs = Record<string, unknown>;

/** The most values of a column that are requested one by one. */
const mostValues = 100;

/** Something to ask of the service for a table. */
export interface Query {
  source: DataSource;
  input: Inputs;
  /** Whether the service filters. For times it returns whole days, so some more records at both ends. */
  isExact: boolean;
}

// A choice that the service does not offer is no fault: the filter may be meant for another list of the page.
const isAskable = ({ type, options }: Field, value: unknown) =>
  value !== null && (type !== 'choice' || options?.includes(String(value)) === true);

// A blank input isn't sent, so it would select all records.
const isNobody = ({ type }: Field, value: unknown) =>
  fieldTypes[type].identifies === true && String(value).trim() === '';

/** The values that a condition leaves for a field; a number or an identifier that is blank is none. */
const possibleOf = (field: Field, condition: Condition) =>
  possibleValues(condition, columnOf(field))?.filter((value) => !isNobody(field, value));

/** The values that a field is to be filled in with; undefined where it is not filled in. */
function valuesOf(field: Field, condition: Condition, isSplit: boolean) {
  const possible = possibleOf(field, condition);
  const values = field.required ? possible?.filter((value) => value !== null) : possible;
  if (!values?.every((value) => isAskable(field, value))) return undefined;
  return isSplit || values.length === 1 ? values : undefined;
}

const dayLength = 86_400_000;

/**
 * The day to request as an end of the span; undefined if there is no such end.
 *
 * The service's documentation has days of UTC only, `YYYY-MM-DD`, and "on or before midnight" of one, whichever midnight
 * that is: the day is chosen so that what fits is always answered, and what is too much is left out here.
 */
function dayOf(field: Field, condition: Condition): string[] | undefined {
  const [first, last] = possibleSpan(condition, columnOf(field));
  const isStart = rangeEnd(field) === 'start';
  const day = isStart ? Math.floor(first / dayLength) : Math.floor(last / dayLength) + 1;
  const date = new Date(day * dayLength);
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

/** Whether a part of a condition is asked of the service by some filled-in fields. */
function isAskedBy(filled: Field[], one: Condition): boolean {
  const has = (column: string, end?: 'start' | 'end') =>
    filled.some((field) => columnOf(field) === column && rangeEnd(field) === end);
  if (one.kind === 'constant') return one.truth === true;
  if (one.kind === 'list') return has(one.column);
  if (one.kind !== 'comparison') return false;
  const isValue = one.operator === '=' && has(one.column);
  return isValue || endsOf[one.operator].every((end) => has(one.column, end));
}

/** From here on it is quicker to look for records in the list of all of them first. */
const manyLookUps = 10;

/** @throws {TelephonyError} when there are too many values to ask for one by one */
export function assertFew(column: string, count: number) {
  if (count > mostValues)
    throw new TelephonyError(
      'input',
      `A filter can have at most ${mostValues} values of “${column}”. Use fewer.`,
    );
}

/** What to ask of a data source; undefined when it needs more than the condition says. */
function queriesTo(source: DataSource, condition: Condition): Query[] | undefined {
  const hidden = new Set(filterOnlyFields(source));
  const asked = filters(source).map((field) => ({
    field,
    values: rangeEnd(field)
      ? dayOf(field, condition)
      : valuesOf(field, condition, field.required === true || hidden.has(field)),
  }));
  if (asked.some(({ field, values }) => field.required && !values)) return undefined;
  const filled = asked.flatMap(({ field, values }) => (values ? [{ field, values }] : []));
  const fields = filled.map(({ field }) => field);
  const isExact = conjuncts(condition).every((one) => isAskedBy(fields, one));
  let inputs: Inputs[] = [{}];
  for (const { field, values } of filled) {
    if (isList(source)) assertFew(columnOf(field), inputs.length * values.length);
    inputs = inputs.flatMap((input) => values.map((value) => ({ ...input, [field.key]: value })));
  }
  return inputs.map((input) => ({ source, input, isExact }));
}

/** Only the service can filter by what no record shows, and only by single values. */
function assertAnswerable(source: DataSource, condition: Condition) {
  for (const field of filterOnlyFields(source)) {
    const column = columnOf(field);
    if (mentions(condition, column) && !valuesOf(field, condition, true))
      throw new TelephonyError(
        'input',
        `“${source.name}” can be filtered by “${field.label}” only with an exact value.`,
      );
  }
}

/** The data sources that list the same records, filtered by at least as much. */
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

/** The more filters, the fewer records: first those that need a value, such as the one record of a SID. */
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
  filters(source).some((field) => possibleOf(field, condition)?.length === 0);

/** What to ask where all of a condition is asked at once. */
function queriesAtOnce(source: DataSource, condition: Condition, isLong: boolean): Query[] {
  if (fitsNone(source, condition)) return [];
  assertAnswerable(source, condition);
  const own = queriesTo(source, condition);
  if (!own) return [];
  return alternatives(source, condition)
    .flatMap((other) => [queriesTo(other, condition) ?? []])
    .reduce((best, other) => (isNarrower(other, best, isLong) ? other : best), own);
}

/** So many conditions, one of which is enough, are asked about one by one at most: each takes a request. */
const mostSides = 4;

const inputsOf = ({ input }: Query) => Object.keys(input).length;

/**
 * What to ask about each side of an “or”, such as messages from someone and those to them. At once the service could not be asked
 * for both, so that they would be looked for among the newest records only.
 *
 * @param atOnce what would be asked at once
 * @returns undefined where that is no worse
 */
function queriesBySide(
  source: DataSource,
  condition: Condition,
  [atOnce, ...others]: Query[],
  isLong: boolean,
): Query[] | undefined {
  if (!atOnce || atOnce.isExact || others.length > 0) return undefined;
  // What is asked for apart is put together by its dates, and told apart by what the records show.
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
 * Works out what to ask of the service: nothing when no row can fit, as a rule one thing, and more when several values
 * are allowed for what can only be asked for one by one, or one of several conditions is enough. Of the data sources that list the
 * same records it is the one that reads least.
 *
 * @param source the data source of the table
 * @param condition what the rows must be like
 * @param isLong whether so many rows are wanted that it matters how many come at a time
 * @throws {TelephonyError} when there are too many values to ask for, or the service cannot be asked for them
 */
export function queriesOf(source: DataSource, condition: Condition, isLong: boolean): Query[] {
  const atOnce = queriesAtOnce(source, condition, isLong);
  return queriesBySide(source, condition, atOnce, isLong) ?? atOnce;
}

/**
 * The list in which many single records are looked for first: one request, where each of them would be one.
 *
 * @param queries what to ask of the service
 * @returns undefined when they are few, or no single records
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
