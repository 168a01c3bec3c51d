import {
  and,
  type CleanPhone,
  type Condition,
  cleanPhone,
  columnOf,
  columnTypes,
  type DataSource,
  type Field,
  fieldTypes,
  filters,
  fitsNone,
  isMissing,
  leaves,
  matcher,
  mentions,
  numberHint,
  pushDown,
  recordFields,
  type Said,
  type Sentence,
  sentence,
  sentences,
  TelephonyError,
  type TelephonyRecord,
  tableFields,
} from '../../../../src/builder.ts';
import { exactFilters, rangeFilters } from '../../filters.ts';
import { relations } from '../../relations.ts';
import { dateBounds, isDateOperator } from './date-bounds.ts';

/** A column and what it is compared with, as NocoBase writes it. */
type Comparison = [column: string, condition: unknown];

/** The most conditions of a filter, and values of a condition. Comparing thousands would occupy the server. */
const most = 100;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** A data source's filters by the names that users know: their keys and their columns. */
const byName = (fields: Field[]): Map<string, Field> =>
  new Map([
    ...fields.map((field) => [field.key, field] as const),
    ...fields.map((field) => [columnOf(field), field] as const),
  ]);

const knownLabel = (source: DataSource, column: string): string | undefined =>
  recordFields(source).find(({ key }) => key === column)?.label ??
  byName(filters(source)).get(column)?.label ??
  relations(source).find(({ name }) => name === column)?.label;

/** The label of a column; its name, which has no translation, if it isn't known. */
function labelOf(source: DataSource, column: string): Said {
  const text = knownLabel(source, column);
  return text === undefined ? column : { text };
}

function notUnderstood(source: DataSource, column: string): TelephonyError {
  const inWords = (labels: string[]): Said => [...new Set(labels)].map((text) => ({ text }));
  const labels = (fields: Field[]) => inWords(fields.map(({ label }) => label));
  const known = exactFilters(source);
  const choices = known.filter(hasChoices);
  const dates = [...rangeFilters(source).keys()].map((one) => knownLabel(source, one) ?? one);
  const name = { text: source.name };
  const problem =
    column === '$or'
      ? sentence(
          '“{name}” cannot be filtered by “Any” of these conditions. Choose “All”, and in a calendar no end date.',
          { name },
        )
      : sentence('“{name}” cannot be filtered by “{label}” in this way.', {
          ...{ name, label: labelOf(source, column) },
        });
  const operators = [
    known.length > 0 && sentence('Use “is” with: {labels}.', { labels: labels(known) }),
    choices.length > 0 && sentence('Use “is any of” with: {labels}.', { labels: labels(choices) }),
    dates.length > 0 &&
      sentence('Use “is”, “is before”, “is after” or “is between” with: {labels}.', {
        labels: inWords(dates),
      }),
    known.length === 0 && dates.length === 0 && sentence('It has no filters.'),
  ];
  return new TelephonyError(
    'input',
    sentences(problem, ...operators.filter((one) => one !== false)),
  );
}

const refused = (said: Sentence) => new TelephonyError('input', said);

/** Whether a filter can have several values. */
const hasChoices = ({ options }: Field) => options !== undefined;

/** The values that a condition compares with; `null` if a variable has no value. */
function valuesIn(source: DataSource, column: string, condition: unknown): unknown[] {
  if (Array.isArray(condition)) {
    if (condition.length > most)
      throw refused(
        sentence(
          '“{name}” cannot be filtered by more than {most} values of “{label}”. Choose fewer.',
          { name: { text: source.name }, most, label: labelOf(source, column) },
        ),
      );
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

const isOfDates = ([, condition]: Comparison) =>
  isObject(condition) && Object.keys(condition).some(isDateOperator);

/**
 * Returns the conditions of the only alternative, or values of one column as one condition: “busy” or “failed”.
 *
 * @throws {TelephonyError} if the alternatives differ otherwise
 */
function alternatives(source: DataSource, filters: unknown[]): Comparison[] {
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
function collect(source: DataSource, filter: unknown): Comparison[] {
  if (!isObject(filter)) throw notUnderstood(source, String(filter));
  const conditions = Object.entries(filter).flatMap(([key, condition]): Comparison[] => {
    if (key === '$and' && Array.isArray(condition))
      return condition.flatMap((one) => collect(source, one));
    if (key === '$or' && Array.isArray(condition)) return alternatives(source, condition);
    const [column = '', operator] = key.split('.');
    return [[column, operator ? { [operator]: condition } : condition]];
  });
  if (conditions.length > most)
    throw refused(
      sentence('“{name}” cannot be filtered by more than {most} conditions. Remove some.', {
        ...{ name: { text: source.name }, most },
      }),
    );
  return conditions;
}

/** A condition that no record matches, because a value is missing. */
const none = (column: string): Condition => ({ kind: 'list', column, values: [] });

function datesOf(source: DataSource, column: string, condition: object): Condition {
  const isDay = rangeFilters(source).get(column)?.start.type === 'day';
  const parts = Object.entries(condition).flatMap(([operator, value]) => {
    if (isMissing(value)) return none(column);
    const bounds = dateBounds(column, operator, value, isDay);
    if (!bounds) throw notUnderstood(source, column);
    return bounds;
  });
  return and(parts);
}

function valuesOf(source: DataSource, [name, condition]: Comparison, clean: CleanPhone): Condition {
  const values = valuesIn(source, name, condition);
  const field = byName(exactFilters(source)).get(name);
  if (!field) throw notUnderstood(source, name);
  const column = columnOf(field);
  if (values.some(isMissing)) return none(column);
  const cleaned = values.map((value) => String(fieldTypes[field.type].clean(value, clean)));
  return { kind: 'list', column, values: cleaned };
}

/**
 * Converts a NocoBase filter, such as a block's or one from a role's rights, to a condition that the service can apply.
 *
 * @param clean normalises phone numbers
 * @throws {TelephonyError} if the service can't apply it
 */
export function readFilter(
  source: DataSource,
  filter: unknown,
  clean: CleanPhone = cleanPhone,
): Condition {
  const condition = and(
    collect(source, filter ?? {}).map((one) =>
      isOfDates(one) ? datesOf(source, one[0], Object(one[1])) : valuesOf(source, one, clean),
    ),
  );
  const [other] = leaves(and(pushDown(source, condition, true).rest), true);
  if (other) throw notUnderstood(source, other.column);
  return condition;
}

/**
 * Returns the input of a data source for a condition, by key.
 *
 * @returns undefined if no record can match
 */
export function inputOf(
  source: DataSource,
  condition: Condition,
): Record<string, unknown> | undefined {
  const { values, isComplete } = pushDown(source, condition, true);
  if (!isComplete || fitsNone(source, condition)) return undefined;
  return Object.fromEntries([...values].map(([{ key }, [value]]) => [key, value]));
}

/**
 * Explains why no record matches a condition and what to change: a required condition is missing, or a number lacks the country code.
 *
 * @param hasDefault whether the account has a default country
 */
export function filterHint(
  source: DataSource,
  condition: Condition,
  hasDefault: boolean,
): Sentence | undefined {
  const unset = filters(source).find(
    (field) => field.required && !mentions(condition, columnOf(field)),
  );
  if (unset)
    return sentence("Set “{label}” in the block's data scope to show “{name}”.", {
      ...{ label: { text: unset.label }, name: { text: source.name } },
    });
  const hint = numberHint(source, condition, hasDefault);
  return hint && sentence('Nothing found. {hint}', { hint });
}

/** Returns a function that checks whether a record matches a condition. */
export const recordFilter = (
  source: DataSource,
  condition: Condition,
  cleanPhone?: CleanPhone,
): ((record: TelephonyRecord) => boolean) =>
  matcher(condition, { types: columnTypes(tableFields(source)), cleanPhone });
