import { type DataSource, definitions, type Telephony, TelephonyError } from '../../src/index.ts';
import type { Account } from './account.ts';
import { matchesRow, type Row, type Where } from './row-filter.ts';
import { columnOf, filterOnlyFields, recordFields } from './table-columns.ts';

/** How many of the newest records a table reads at most to answer one question. */
export const rowLimit = 1000;

/** What Saltcorn asks of a table besides a filter. */
export interface Selection {
  limit?: number;
  offset?: number;
}

type Values = Record<string, unknown>;
type AnyId = Parameters<Telephony['run']>[0];

const isPlain = (value: unknown) => ['string', 'number'].includes(typeof value) && value !== '';

/** What is asked of the service for a table, and what is left to be filtered here. */
interface Query {
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

function lookUpQuery(lookUp: DataSource, source: DataSource, fixed: Values, where: Where): Query {
  const { input } = listQuery(lookUp, {}, where);
  const inTable = source.fields.map((field): [string, unknown] => [
    columnOf(field),
    fixed[field.key],
  ]);
  const columns = new Set(recordFields(source).map((field) => field.key));
  return {
    source: lookUp,
    input,
    rest: { ...given(inTable.filter(([column]) => columns.has(column))), ...where },
  };
}

function queryOf(source: DataSource, fixed: Values, where: Where): Query {
  const lookUp = lookUpOf(source);
  return lookUp && isPlain(where.sid) && filterOnlyFields(source).length === 0
    ? lookUpQuery(lookUp, source, fixed, where)
    : listQuery(source, fixed, where);
}

async function* readOne(telephony: Telephony, { source, input }: Query) {
  try {
    yield [(await telephony.run(source.id as AnyId, input as never)) as object as Row];
  } catch (error) {
    if (!(error instanceof TelephonyError && error.code === 'not-found')) throw error;
  }
}

async function* readPages(telephony: Telephony, { source, input }: Query) {
  const pages = telephony.pages(source.id as never, input as never, { limit: rowLimit });
  for await (const { records } of pages) yield records as Row[];
}

function read({ telephony, reads }: Account, query: Query) {
  const start = query.source.result.list ? readPages : readOne;
  const key = JSON.stringify([query.source.id, query.input]);
  return reads.pages(key, () => start(telephony(), query));
}

/**
 * The rows of a data source's table, in the order of the service. Reads no page more than is needed.
 *
 * @param account the account that is read
 * @param source the data source
 * @param fixed the inputs fixed in the table's configuration
 * @param where Saltcorn's filter; what the service can filter by is sent to it, the rest is filtered here
 * @param selection how many rows, and from which on
 */
export async function readRows(
  account: Account,
  source: DataSource,
  fixed: Values,
  where: Where,
  { limit = rowLimit, offset = 0 }: Selection = {},
): Promise<Row[]> {
  const query = queryOf(source, fixed, where);
  const isMissing = query.source.fields.some(
    ({ key, required }) => required && query.input[key] === undefined,
  );
  if (isMissing) return [];
  const asked = Object.fromEntries(
    filterOnlyFields(source).map(({ key }) => [key, query.input[key] ?? null]),
  );
  const kept: Row[] = [];
  for await (const records of read(account, query)) {
    const rows = records.map((record) => ({ ...record, ...asked }));
    kept.push(...rows.filter((row) => matchesRow(row, query.rest)));
    if (kept.length >= offset + limit) break;
  }
  return kept.slice(offset, offset + limit);
}
