import {
  type CleanPhone,
  cleanPhone,
  columnOf,
  type DataSource,
  emptyHint,
  type Field,
  fieldTypes,
  filters,
  isMissing,
  recordFields,
  TelephonyError,
} from '../../../../src/builder.ts';
import { exactFilters, rangeFilters } from '../../filters.ts';
import { relations } from '../../relations.ts';
import { boundsOf, commonRange, type DateRange, dateRange, isDateOperator } from './date-range.ts';

/** A column and what it is compared with, as NocoBase writes it. */
type Condition = [column: string, condition: unknown];

/** The most conditions of a filter, and values of a condition. Comparing thousands would occupy the server. */
const most = 100;

/** What a filter requires: one of a field's values, and the dates of a column. */
interface Wanted {
  values: Map<Field, unknown[]>;
  ranges: Map<string, DateRange>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** A data source's filters by the names that users know: their keys and their columns. */
const byName = (fields: Field[]): Map<string, Field> =>
  new Map([
    ...fields.map((field) => [field.key, field] as const),
    ...fields.map((field) => [columnOf(field), field] as const),
  ]);

/** The label of a column. */
const labelOf = (source: DataSource, column: string): string =>
  recordFields(source).find(({ key }) => key === column)?.label ??
  byName(filters(source)).get(column)?.label ??
  relations(source).find(({ name }) => name === column)?.label ??
  column;

function notUnderstood(source: DataSource, column: string): TelephonyError {
  const labels = (fields: Field[]) => [...new Set(fields.map(({ label }) => label))].join(', ');
  const known = labels(exactFilters(source));
  const choices = labels(exactFilters(source).filter(hasChoices));
  const dates = [...rangeFilters(source).keys()].map((one) => labelOf(source, one)).join(', ');
  const operators = [
    ...(known ? [`Use “is” with: ${known}.`] : []),
    ...(choices ? [`Use “is any of” with: ${choices}.`] : []),
    ...(dates ? [`Use “is”, “is before”, “is after” or “is between” with: ${dates}.`] : []),
    ...(known || dates ? [] : ['It has no filters.']),
  ];
  const problem =
    column === '$or'
      ? 'cannot be filtered by “Any” of these conditions. Choose “All”, and in a calendar no end date.'
      : `cannot be filtered by “${labelOf(source, column)}” in this way.`;
  return new TelephonyError('input', `“${source.name}” ${problem} ${operators.join(' ')}`);
}

const tooMany = ({ name }: DataSource, what: string) =>
  new TelephonyError('input', `“${name}” cannot be filtered by more than ${most} ${what}`);

/** Whether a filter can have several values. */
const hasChoices = ({ options }: Field) => options !== undefined;

/** The values that a condition compares with; `null` if a variable has no value. */
function valuesIn(source: DataSource, column: string, condition: unknown): unknown[] {
  if (Array.isArray(condition)) {
    if (condition.length > most)
      throw tooMany(source, `values of “${labelOf(source, column)}”. Choose fewer.`);
    return condition.length > 0 ? condition : [null];
  }
  if (!isObject(condition)) return [condition];
  const operators = Object.keys(condition);
  // JSON drops an operator whose value is undefined.
  if (operators.length === 0) return [null];
  if (operators.length > 1) throw notUnderstood(source, column);
  if ('$eq' in condition) return [condition.$eq];
  // The value of a variable can be one instead of a list. NocoBase's own tables accept it, too.
  if ('$in' in condition && !isObject(condition.$in))
    return valuesIn(source, column, condition.$in);
  throw notUnderstood(source, column);
}

const isOfDates = ([, condition]: Condition) =>
  isObject(condition) && Object.keys(condition).some(isDateOperator);

/**
 * Returns the conditions of the only alternative, or values of one column as one condition: “busy” or “failed”.
 *
 * @throws {TelephonyError} if the alternatives differ otherwise
 */
function alternatives(source: DataSource, filters: unknown[]): Condition[] {
  const all = filters.map((filter) => collect(source, filter));
  const [only, ...others] = all;
  if (only && only.length > 0 && others.length === 0) return only;
  const column = only?.[0]?.[0];
  const values = all.flatMap(([one, ...more]) => {
    if (!one || one[0] !== column || more.length > 0 || isOfDates(one))
      throw notUnderstood(source, '$or');
    return valuesIn(source, one[0], one[1]);
  });
  return [[column ?? '$or', { $in: values }]];
}

/** Flattens a filter to conditions that must all hold. */
function collect(source: DataSource, filter: unknown): Condition[] {
  if (!isObject(filter)) throw notUnderstood(source, String(filter));
  const conditions = Object.entries(filter).flatMap(([key, condition]): Condition[] => {
    if (key === '$and' && Array.isArray(condition))
      return condition.flatMap((one) => collect(source, one));
    if (key === '$or' && Array.isArray(condition)) return alternatives(source, condition);
    const [column = '', operator] = key.split('.');
    return [[column, operator ? { [operator]: condition } : condition]];
  });
  if (conditions.length > most) throw tooMany(source, 'conditions. Remove some.');
  return conditions;
}

/** Returns each field of a filter with its cleaned values, or without any if one is missing. */
function wantedIn(source: DataSource, filter: unknown, clean: CleanPhone): [Field, unknown[]][] {
  const known = byName(exactFilters(source));
  const conditions = collect(source, filter ?? {}).filter((one) => !isOfDates(one));
  return conditions.map(([column, condition]) => {
    const values = valuesIn(source, column, condition);
    const field = known.get(column);
    if (!field || (values.length > 1 && !hasChoices(field))) throw notUnderstood(source, column);
    const { clean: cleaned } = fieldTypes[field.type];
    return [field, values.some(isMissing) ? [] : values.map((value) => cleaned(value, clean))];
  });
}

/** @returns undefined if no record can match */
function valuesOf(
  source: DataSource,
  filter: unknown,
  clean: CleanPhone,
): Map<Field, unknown[]> | undefined {
  const wantedValues = new Map<Field, unknown[]>();
  for (const [field, values] of wantedIn(source, filter, clean)) {
    // A role's rights and a filter can name the same column.
    const known = new Set(wantedValues.get(field) ?? values);
    const common = values.filter((value) => known.has(value));
    if (common.length === 0) return undefined;
    wantedValues.set(field, common);
  }
  return wantedValues;
}

/** @returns undefined if no record can match */
function rangesOf(source: DataSource, filter: unknown): Map<string, DateRange> | undefined {
  const known = rangeFilters(source);
  const ranges = new Map<string, DateRange>();
  let isPossible = true;
  for (const [column, condition] of collect(source, filter ?? {}).filter(isOfDates)) {
    if (!known.has(column)) throw notUnderstood(source, column);
    for (const [operator, value] of Object.entries(Object(condition))) {
      const wanted = isMissing(value) ? undefined : dateRange(operator, value);
      if (!wanted && !isMissing(value)) throw notUnderstood(source, column);
      const common = wanted && commonRange(ranges.get(column) ?? wanted, wanted);
      if (common) ranges.set(column, common);
      else isPossible = false;
    }
  }
  return isPossible ? ranges : undefined;
}

/** @returns undefined if no record can match */
function wantedOf(source: DataSource, filter: unknown, clean: CleanPhone): Wanted | undefined {
  const [values, ranges] = [valuesOf(source, filter, clean), rangesOf(source, filter)];
  return values && ranges ? { values, ranges } : undefined;
}

/**
 * Converts a NocoBase filter to the input of a data source.
 *
 * @param clean normalises phone numbers
 * @returns the input by key; undefined if no record can match
 * @throws {TelephonyError} if the service can't apply the filter
 */
export function readFilter(
  source: DataSource,
  filter: unknown,
  clean: CleanPhone = cleanPhone,
): Record<string, unknown> | undefined {
  const wanted = wantedOf(source, filter, clean);
  if (!wanted) return undefined;
  const known = rangeFilters(source);
  const bounds = [...wanted.ranges].flatMap(([column, range]) => {
    const { start, end } = known.get(column) ?? {};
    const [first, last] = boundsOf(range);
    return [
      ...(start && first ? [[start.key, first]] : []),
      ...(end && last ? [[end.key, last]] : []),
    ];
  });
  const input: Record<string, unknown> = Object.fromEntries([
    ...[...wanted.values].map(([{ key }, values]) => [key, values.length > 1 ? values : values[0]]),
    ...bounds,
  ]);
  return filters(source).every(({ key, required }) => !required || key in input)
    ? input
    : undefined;
}

/**
 * Explains why no record matches a filter and what to change: a required condition is missing, or two conditions name
 * the same number and one lacks the country code.
 *
 * @param hasDefault whether the account has a default country
 */
export function filterHint(
  source: DataSource,
  filter: unknown,
  clean: CleanPhone,
  hasDefault: boolean,
): string | undefined {
  const conditions = wantedIn(source, filter, clean);
  const isSet = ({ key }: Field) => conditions.some(([field]) => field.key === key);
  const unset = filters(source).find((field) => field.required && !isSet(field));
  if (unset) return `Set “${unset.label}” in the block's data scope to show “${source.name}”.`;
  const hints = conditions.map(([{ key }, [wanted]]) =>
    emptyHint(source, { [key]: String(wanted) }, hasDefault),
  );
  return hints.find((hint) => hint !== undefined);
}

/**
 * Returns a function that checks whether a record matches a NocoBase filter, such as one from a role's rights.
 *
 * @param clean normalises phone numbers
 * @throws {TelephonyError} if the filter can't be applied
 */
export function recordFilter(
  source: DataSource,
  filter: unknown,
  clean: CleanPhone = cleanPhone,
): (record: object) => boolean {
  const wanted = wantedOf(source, filter, clean);
  if (!wanted) return () => false;
  return (record) => {
    const values = new Map(Object.entries(record));
    const hasValue = [...wanted.values].every(([field, wantedValues]) => {
      const found = values.get(columnOf(field));
      const { isSame = Object.is } = fieldTypes[field.type];
      const isFound = (value: unknown) => isSame(String(value), String(found), clean);
      return found !== undefined && found !== null && wantedValues.some(isFound);
    });
    const isInRange = [...wanted.ranges].every(([column, [start, end]]) => {
      const found = values.get(column);
      const time = found instanceof Date ? found.getTime() : Date.parse(String(found));
      return time >= start && time < end;
    });
    return hasValue && isInRange;
  };
}
