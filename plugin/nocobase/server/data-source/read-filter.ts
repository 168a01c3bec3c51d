import {
  columnOf,
  type DataSource,
  type Field,
  fieldTypes,
  filters,
  TelephonyError,
} from '../../../../src/index.ts';
import { exactFilters } from '../../exact-filters.ts';
import { isMissing } from '../../is-missing.ts';

/** The values of a filter by column. */
export type Conditions = Map<string, unknown>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

function notUnderstood(source: DataSource, column: string): TelephonyError {
  const known = [...new Set(exactFilters(source).map(({ label }) => label))].join(', ');
  return new TelephonyError(
    'input',
    `“${source.name}” cannot be filtered by “${column}” in this way. ${known ? `It can be filtered by: ${known}, each with “is”.` : 'It has no filters.'}`,
  );
}

/** The value that a condition asks for; `null` when it is bound to nothing. */
function valueIn(source: DataSource, column: string, condition: unknown): unknown {
  if (!isObject(condition)) return Array.isArray(condition) ? onlyOf(condition) : condition;
  const operators = Object.keys(condition);
  // Of a value that is not there, JSON keeps nothing.
  if (operators.length === 0) return null;
  if (operators.length > 1) throw notUnderstood(source, column);
  if ('$eq' in condition) return condition.$eq;
  if ('$in' in condition && Array.isArray(condition.$in)) return onlyOf(condition.$in);
  throw notUnderstood(source, column);

  function onlyOf(values: unknown[]): unknown {
    if (values.length > 1) throw notUnderstood(source, column);
    return values[0] ?? null;
  }
}

function collect(source: DataSource, filter: unknown, found: Conditions): boolean {
  if (!isObject(filter)) throw notUnderstood(source, String(filter));
  return Object.entries(filter).every(([key, condition]) => {
    if (key === '$and' && Array.isArray(condition))
      return condition.every((one) => collect(source, one, found));
    const [column = '', operator] = key.split('.');
    const value = valueIn(source, column, operator ? { [operator]: condition } : condition);
    if (found.has(column) && found.get(column) !== value) return false;
    found.set(column, value);
    return true;
  });
}

/** @returns undefined when nothing can be like that */
function conditionsOf(source: DataSource, filter: unknown): Map<Field, unknown> | undefined {
  const conditions: Conditions = new Map();
  if (!collect(source, filter ?? {}, conditions)) return undefined;
  const known = new Map(exactFilters(source).map((field) => [columnOf(field), field]));
  const asked = new Map<Field, unknown>();
  for (const [column, value] of conditions) {
    const field = known.get(column);
    if (!field) throw notUnderstood(source, column);
    if (isMissing(value)) return undefined;
    asked.set(field, fieldTypes[field.type].clean(value));
  }
  return asked;
}

/**
 * What is to be asked of the service for a filter of NocoBase.
 *
 * @returns the input of the data source, by key; undefined when no record can fit
 * @throws {TelephonyError} for a filter that cannot be kept
 */
export function readFilter(
  source: DataSource,
  filter: unknown,
): Record<string, unknown> | undefined {
  const asked = conditionsOf(source, filter);
  if (!asked) return undefined;
  const input = Object.fromEntries([...asked].map(([{ key }, value]) => [key, value]));
  return filters(source).every(({ key, required }) => !required || key in input)
    ? input
    : undefined;
}

/**
 * Whether a record is one of those that a filter of NocoBase lets through, such as the one of a role's rights.
 *
 * @throws {TelephonyError} for a filter that cannot be kept
 */
export function fitsFilter(source: DataSource, filter: unknown, record: object): boolean {
  const values = new Map(Object.entries(record));
  const asked = conditionsOf(source, filter);
  return (
    asked !== undefined &&
    [...asked].every(([field, value]) => {
      const found = values.get(columnOf(field));
      const { isSame = Object.is } = fieldTypes[field.type];
      return found !== undefined && found !== null && isSame(String(value), String(found));
    })
  );
}
