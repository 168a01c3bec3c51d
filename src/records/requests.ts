import type { DataSource, Field } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { rangeEnd } from '../definition/fields.ts';
import {
  columnOf,
  filterOnlyFields,
  filters,
  freePageSize,
  isList,
  keyColumn,
  recordShape,
  tableFields,
} from '../definition/operation.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { isNational } from '../field-types/phone.ts';
import { countryCodeHint } from '../input/phone-problem.ts';
import { TelephonyError } from '../telephony-error.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import {
  and,
  type Condition,
  conjuncts,
  leaves,
  mentions,
  type Order,
  possibleSpan,
  possibleValues,
} from './condition.ts';

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

/** What the service can apply of a condition. */
export interface PushDown {
  /** The values to request for each field, one by one. One value can be a list of choices. */
  values: Map<Field, unknown[]>;
  /** The conditions that the service can't apply. */
  rest: Condition[];
  /** Whether it has all values that the data source requires. Without them, no record matches. */
  isComplete: boolean;
}

// A choice that the service doesn't offer is no error: the filter may be for another list on the page.
const isOffered = ({ type, options }: Field, value: unknown) =>
  type !== 'choice' || options?.includes(String(value)) === true;

const isAskable = (field: Field, values: unknown[], isExact: boolean) =>
  values.flat().every((value) => value !== null && (isExact || isOffered(field, value)));

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
  if (isSplit || !values || values.length <= 1) return values;
  return field.type === 'choice' ? [values] : undefined;
}

const [dayMs, secondMs] = [86_400_000, 1000];

/**
 * The time to request as an end of the possible span, none if no record's time is possible, such as between two seconds; undefined if there
 * is no such end.
 */
function endOf(field: Field, condition: Condition, isExact: boolean): string[] | undefined {
  const [first, last] = possibleSpan(condition, columnOf(field));
  const hasTime = isExact && field.type !== 'day';
  const unit = hasTime ? secondMs : dayMs;
  const start = (isExact || field.type === 'day' ? Math.ceil : Math.floor)(first / unit);
  const end = Math.floor(last / unit);
  if (first > last || start > end) return [];
  const date = new Date((rangeEnd(field) === 'start' ? start : end) * unit);
  const isInCalendar = date.getTime() >= 0 && date.getUTCFullYear() <= 9999;
  if (!isInCalendar) return undefined;
  return [hasTime ? `${date.toISOString().slice(0, 19)}Z` : date.toISOString().slice(0, 10)];
}

/** The ends of a range that a comparison needs. */
const endsOf: Record<Order, 'start' | 'end'> = {
  '<': 'end',
  '<=': 'end',
  '>': 'start',
  '>=': 'start',
};

/** Whether the service applies a part of a condition, given these fields. */
function isAskedBy(filled: Field[], one: Condition): boolean {
  const has = (column: string, end?: 'start' | 'end') =>
    filled.some((field) => columnOf(field) === column && rangeEnd(field) === end);
  if (one.kind === 'constant') return one.truth === true;
  if (one.kind === 'bound') return has(one.column, endsOf[one.operator]);
  if (one.kind !== 'list') return false;
  if (one.values.length === 0) return true;
  const isTime = one.values.length === 1 && has(one.column, 'start') && has(one.column, 'end');
  return isTime || has(one.column);
}

/**
 * Determines what of a condition the service can apply: for each filter, the values or the end of a range that matching records can have.
 *
 * @param source the data source
 * @param condition the condition that records must match
 * @param isExact whether the builder shows what the service returns. Otherwise it applies the condition itself, so it requests whole
 * days, which are all that the service documents, leaves out choices that the service doesn't offer, and requests several values one by one
 */
export function pushDown(source: DataSource, condition: Condition, isExact: boolean): PushDown {
  const hidden = new Set(filterOnlyFields(source));
  const values = new Map<Field, unknown[]>();
  for (const field of filters(source)) {
    const isSplit = !isExact && (field.required === true || hidden.has(field));
    const found = rangeEnd(field)
      ? endOf(field, condition, isExact)
      : valuesOf(field, condition, isSplit);
    if (found && isAskable(field, found, isExact)) values.set(field, found);
  }
  return {
    values,
    rest: conjuncts(condition).filter((one) => !isAskedBy([...values.keys()], one)),
    isComplete: filters(source).every((field) => !field.required || values.has(field)),
  };
}

/** From this number on, searching the list of all records first is faster. */
const manyLookUps = 10;

/** @throws {TelephonyError} if there are too many values to request one by one */
export function assertFew(column: string, count: number): void {
  if (count > mostValues)
    throw new TelephonyError(
      'input',
      sentence('A filter can have at most {most} values of “{column}”. Use fewer.', {
        ...{ most: mostValues, column },
      }),
    );
}

/** The requests to a data source; undefined if it requires more than the condition contains. */
function queriesTo(source: DataSource, condition: Condition): Query[] | undefined {
  const { values: wanted, rest, isComplete } = pushDown(source, condition, false);
  if (!isComplete) return undefined;
  let inputs: Inputs[] = [{}];
  for (const [field, values] of wanted) {
    if (isList(source)) assertFew(columnOf(field), inputs.length * values.length);
    inputs = inputs.flatMap((input) => values.map((value) => ({ ...input, [field.key]: value })));
  }
  return inputs.map((input) => ({ source, input, isExact: rest.length === 0 }));
}

/** Only the service can filter by a column that records lack, and only by single values. */
function assertSupported(source: DataSource, condition: Condition) {
  for (const field of filterOnlyFields(source)) {
    const values = valuesOf(field, condition, true);
    const isPossible = values && isAskable(field, values, false);
    if (mentions(condition, columnOf(field)) && !isPossible)
      throw new TelephonyError(
        'input',
        sentence('“{label}” can be filtered only by an exact value.', {
          label: { text: field.label },
        }),
      );
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
 * Ranks requests: more filters mean fewer records. Required filters count first, such as the SID of a single record.
 */
function narrowness([query]: Query[], isLong: boolean): number {
  if (!query) return Number.NaN;
  const required = filters(query.source).filter((field) => field.required).length;
  const hasLargePages = isLong && freePageSize(query.source) !== undefined;
  return 1000 * required + 2 * Object.keys(query.input).length + Number(hasLargePages);
}

/** Whether no record can match a condition. */
export const fitsNone = (source: DataSource, condition: Condition): boolean =>
  possibleValues(condition, keyColumn(source))?.every((value) => value === null) ||
  tableFields(source).some(({ key }) => possibleValues(condition, key)?.length === 0) ||
  filters(source).some((field) => {
    const [first, last] = possibleSpan(condition, columnOf(field));
    return rangeEnd(field) ? first > last : possibleOf(field, condition)?.length === 0;
  });

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
  return rest.reduce(
    (best, other) => (narrowness(other, isLong) > narrowness(best, isLong) ? other : best),
    first,
  );
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

/**
 * A hint for the first phone number in a condition that has no country code, so that no record may match.
 *
 * @param hasDefault whether the account has a default country
 */
export function numberHint(
  source: DataSource,
  condition: Condition,
  hasDefault: boolean,
): Sentence | undefined {
  const phones = new Map(
    tableFields(source).flatMap((field) =>
      field.type === 'phone' ? [[columnOf(field), field]] : [],
    ),
  );
  for (const leaf of leaves(condition, false)) {
    const field = phones.get(leaf.column);
    if (!field || leaf.kind !== 'list') continue;
    const number = leaf.values.map(String).find(isNational);
    if (number !== undefined) return countryCodeHint(field.label, number, hasDefault);
  }
  return undefined;
}
