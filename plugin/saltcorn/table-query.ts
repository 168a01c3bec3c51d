import { cleanPhone, type DataSource, definitions, type Field } from '../../src/index.ts';
import type { Where } from './row-filter.ts';
import { columnOf, filterOnlyFields, recordFields } from './table-columns.ts';

type Values = Record<string, unknown>;

const isPlain = (value: unknown) => ['string', 'number'].includes(typeof value) && value !== '';

/** What is asked of the service for a table, and what is left to be filtered here. */
export interface Query {
  source: DataSource;
  input: Values;
  rest: Where;
}

const given = (pairs: [string, unknown][]): Values =>
  Object.fromEntries(pairs.filter(([, value]) => isPlain(value)));

/** The data source that looks up one record of the same kind by its sid. */
const lookUpOf = ({ result }: DataSource) =>
  definitions.dataSources.find(
    ({ result: other, fields }) =>
      other.of === result.of && !other.list && fields.length === 1 && fields[0]?.column === 'sid',
  );

function listQuery(source: DataSource, fixed: Values, where: Where): Query {
  const filters = source.fields.filter(
    (field) => !isPlain(fixed[field.key]) && isPlain(where[columnOf(field)]),
  );
  const filtered = new Set(filters.map(columnOf));
  return {
    source,
    input: given([
      ...source.fields.map(({ key }): [string, unknown] => [key, fixed[key]]),
      ...filters.map((field): [string, unknown] => [field.key, where[columnOf(field)]]),
    ]),
    rest: Object.fromEntries(Object.entries(where).filter(([column]) => !filtered.has(column))),
  };
}

// A record holds the number as it is dialled, however it was typed into the configuration.
const asInRecord = ({ type }: Field, value: unknown) =>
  type === 'phone' && typeof value === 'string' ? cleanPhone(value.trim()) : value;

function lookUpQuery(lookUp: DataSource, source: DataSource, fixed: Values, where: Where): Query {
  const { input } = listQuery(lookUp, {}, where);
  const inTable = source.fields.map((field): [string, unknown] => [
    columnOf(field),
    asInRecord(field, fixed[field.key]),
  ]);
  const columns = new Set(recordFields(source).map((field) => field.key));
  return {
    source: lookUp,
    input,
    rest: { ...given(inTable.filter(([column]) => columns.has(column))), ...where },
  };
}

/**
 * Works out what to ask of the service. A row that is looked up by its sid is asked for by the data source that looks
 * up one record, where there is one.
 *
 * @param source the data source of the table
 * @param fixed the inputs fixed in the table's configuration, which come first
 * @param where Saltcorn's filter
 */
export function queryOf(source: DataSource, fixed: Values, where: Where): Query {
  const lookUp = lookUpOf(source);
  return lookUp && isPlain(where.sid) && filterOnlyFields(source).length === 0
    ? lookUpQuery(lookUp, source, fixed, where)
    : listQuery(source, fixed, where);
}

/** Whether an input is missing without which there is nothing to ask for. */
export const isMissing = ({ source, input }: Query) =>
  source.fields.some(({ key, required }) => required && input[key] === undefined);
