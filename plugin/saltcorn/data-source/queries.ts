import {
  cleanPhone,
  type DataSource,
  definitions,
  type Field,
  TelephonyError,
} from '../../../src/index.ts';
import type { Where } from '../where/where.ts';
import { columnOf, filterOnlyFields, recordFields, requiredColumns } from './source-fields.ts';

type Values = Record<string, unknown>;

/** How many values of a column are asked for one by one at most. */
const mostValues = 100;

const isPlain = (value: unknown) => ['string', 'number'].includes(typeof value) && value !== '';

/** What is asked of the service for a table, and what is left to be filtered here. */
export interface Query {
  source: DataSource;
  input: Values;
  rest: Where;
}

/** The values that a condition allows, where it lists them. */
function listed(condition: unknown): unknown[] | undefined {
  if (isPlain(condition)) return [condition];
  if (Array.isArray(condition)) return condition.length === 1 ? listed(condition[0]) : undefined;
  const { in: among, or } = (condition ?? {}) as { in?: unknown; or?: unknown };
  const values = among ?? or;
  return Array.isArray(values) && values.every(isPlain) ? values : undefined;
}

/** The one value that a condition allows, where it allows just one. */
function only(condition: unknown): unknown {
  const values = listed(condition);
  return values?.length === 1 ? values[0] : undefined;
}

const given = (pairs: [string, unknown][]): Values =>
  Object.fromEntries(pairs.filter(([, value]) => isPlain(value)));

function listQuery(source: DataSource, fixed: Values, where: Where): Query {
  const filters = source.fields.filter(
    (field) => !isPlain(fixed[field.key]) && isPlain(only(where[columnOf(field)])),
  );
  const filtered = new Set(filters.map(columnOf));
  return {
    source,
    input: given([
      ...source.fields.map(({ key }): [string, unknown] => [key, fixed[key]]),
      ...filters.map((field): [string, unknown] => [field.key, only(where[columnOf(field)])]),
    ]),
    rest: Object.fromEntries(Object.entries(where).filter(([column]) => !filtered.has(column))),
  };
}

/**
 * The data source that answers a filter more exactly than the table's own: it needs what is filtered by, a sid or the
 * call of a recording. None where the table is filtered by what its records do not show.
 */
function narrower(source: DataSource, fixed: Values, where: Where): DataSource | undefined {
  const isHidden = ({ key }: Field) => isPlain(fixed[key]) || where[key] !== undefined;
  if (filterOnlyFields(source).some(isHidden)) return undefined;
  return definitions.dataSources.find((other) => {
    const needed = other.result.of === source.result.of ? requiredColumns(other) : [];
    return needed.length > 0 && needed.every((column) => listed(where[column]));
  });
}

// A record holds the number as it is dialled, however it was typed into the configuration.
const asInRecord = ({ type }: Field, value: unknown) =>
  type === 'phone' && typeof value === 'string' ? cleanPhone(value.trim()) : value;

/** What is fixed in the table's configuration, as a filter of its records. */
function fixedFilter(source: DataSource, fixed: Values): Where {
  const columns = new Set(recordFields(source).map((field) => field.key));
  return given(
    source.fields
      .filter((field) => columns.has(columnOf(field)))
      .map((field) => [columnOf(field), asInRecord(field, fixed[field.key])]),
  );
}

/** The same filter once for each of the values of a column. */
function split(where: Where, column: string): Where[] {
  const values = listed(where[column]);
  if (!values) return [where];
  if (values.length > mostValues)
    throw new TelephonyError(
      'input',
      `A filter by more than ${mostValues} values of “${column}” is too much at once. Narrow it down.`,
    );
  return [...new Set(values)].map((value) => ({ ...where, [column]: value }));
}

const within = (known: Where, rest: Where): Where =>
  Object.keys(known).length > 0 ? { ...rest, and: [known, rest.and ?? {}].flat() } : rest;

const isMissing = ({ source, input }: Query) =>
  source.fields.some(({ key, required }) => required && input[key] === undefined);

/**
 * Works out what to ask of the service: nothing when no row can fit, as a rule one thing, and more when several values
 * are allowed for what can only be asked for one by one.
 *
 * @param source the data source of the table
 * @param fixed the inputs fixed in the table's configuration, which come first
 * @param where Saltcorn's filter, of the columns of the records
 * @throws {TelephonyError} when there are too many values to ask for
 */
export function queriesOf(source: DataSource, fixed: Values, where: Where): Query[] {
  const fitsNone =
    where.sid === null || Object.values(where).some((one) => listed(one)?.length === 0);
  if (fitsNone) return [];
  const asked = narrower(source, fixed, where) ?? source;
  const isOwn = asked === source;
  const wheres = requiredColumns(asked).reduce(
    (all, column) => all.flatMap((one) => split(one, column)),
    [where],
  );
  const queries = wheres.map((one) => listQuery(asked, isOwn ? fixed : {}, one));
  const known = isOwn ? {} : fixedFilter(source, fixed);
  return queries
    .filter((query) => !isMissing(query))
    .map((query) => ({ ...query, rest: within(known, query.rest) }));
}
