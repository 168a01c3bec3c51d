import { type DataSource, type Page, type Telephony, TelephonyError } from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { mediaUrl } from '../media/media-route.ts';
import { matchesRow } from '../where/row-filter.ts';
import type { Row, Where } from '../where/where.ts';
import { mediaColumn } from './columns.ts';
import { withKeys, withoutKeys } from './key-values.ts';
import type { TableKey } from './keys.ts';
import { type Query, queriesOf } from './queries.ts';
import { sortRows } from './sort-rows.ts';
import { filterOnlyFields, recordFields, requiredColumns } from './source-fields.ts';

/** How many of the newest records a table reads at most to answer one question. */
export const rowLimit = 1000;

/** What Saltcorn asks of a table besides a filter. */
export interface Selection {
  limit?: number;
  offset?: number;
  orderBy?: unknown;
  orderDesc?: boolean;
}

type Values = Record<string, unknown>;
type RowPage = Page<Row>;

async function* readOne(telephony: Telephony, { source, input }: Query): AsyncGenerator<RowPage> {
  try {
    const record = await telephony.run(source.id, input);
    yield { records: [record], more: false };
  } catch (error) {
    if (!(error instanceof TelephonyError && error.code === 'not-found')) throw error;
  }
}

/** Few sizes, so that a list, its next pages and its count are one read. */
function pageSize({ source, rest }: Query, wanted: number): Values {
  const field = source.fields.find(
    (one) => one.purpose === 'page-size' && one.default === undefined,
  );
  const size = Object.keys(rest).length > 0 ? rowLimit : Math.ceil(wanted / 100) * 100;
  return field?.maximum === undefined ? {} : { [field.key]: Math.min(size, field.maximum) };
}

function readPages(telephony: Telephony, query: Query, wanted: number) {
  const { source, input } = query;
  const sized = { ...pageSize(query, wanted), ...input };
  return telephony.pages(source.id, sized, { limit: rowLimit });
}

const keyOf = ({ source, input }: Query) => JSON.stringify([source.id, input]);

async function read({ telephony, reads }: Account, query: Query, wanted: number) {
  const key = keyOf(query);
  const connected = await telephony();
  const start = () =>
    query.source.result.list ? readPages(connected, query, wanted) : readOne(connected, query);
  return reads.find(key) ?? reads.add(key, start());
}

const heardAt = (table: string, source: DataSource, row: Row): Row =>
  Object.fromEntries(
    mediaColumn(source).map(({ name }) => [name, mediaUrl(table, row, requiredColumns(source))]),
  );

/** A table of a data source, with what is fixed in its configuration. */
export interface SourceTable {
  name: string;
  account: Account;
  source: DataSource;
  fixed: Values;
  keys: TableKey[];
}

const asked = (source: DataSource, { input }: Query): Row =>
  Object.fromEntries(filterOnlyFields(source).map(({ key }) => [key, input[key] ?? null]));

interface Answer {
  rows: Row[];
  isWhole: boolean;
}

/** The rows that fit one query, until there are as many as wanted. */
async function answer(table: SourceTable, query: Query, wanted: number): Promise<Answer> {
  const { name, account, source } = table;
  const rows: Row[] = [];
  let isWhole = true;
  for await (const { records, more } of await read(account, query, wanted)) {
    const shown = records.map((record) => ({
      ...record,
      ...asked(source, query),
      ...heardAt(name, source, record),
    }));
    rows.push(...shown.filter((row) => matchesRow(row, query.rest)));
    isWhole = !more;
    if (rows.length >= wanted) break;
  }
  return { rows, isWhole };
}

/**
 * Whether an order has to be made here. The builder asks for rows in the order `RANDOM()`, and chooses the primary key for
 * every new list, which says nothing here: sids are random. Both are answered in the order of the service.
 */
const isOrder = ({ source }: SourceTable, column: unknown, isDescending: boolean) =>
  recordFields(source).some(({ key }) => key === column) && (column !== 'sid' || isDescending);

const queriesFor = async ({ source, fixed, keys }: SourceTable, where: Where) =>
  queriesOf(source, fixed, await withoutKeys(keys, where));

/**
 * The rows of a data source's table. Reads no page more than is needed. They are in the order of the service, newest
 * first, unless another order is asked for and the table has not more rows than are read at most. The order by sid is the
 * order of the service.
 *
 * @param table the table
 * @param where Saltcorn's filter; what the service can filter by is sent to it, the rest is filtered here
 * @param selection how many rows, from which on, and in which order
 */
export async function readRows(
  table: SourceTable,
  where: Where,
  { limit = rowLimit, offset = 0, orderBy, orderDesc = false }: Selection = {},
): Promise<Row[]> {
  const queries = await queriesFor(table, where);
  const isSorted = isOrder(table, orderBy, orderDesc);
  const wanted = isSorted ? rowLimit : offset + limit;
  const answers = await Promise.all(queries.map((query) => answer(table, query, wanted)));
  const read = answers.flatMap(({ rows }) => rows);
  const isWhole = answers.every((one) => one.isWhole);
  const rows = isSorted && isWhole ? sortRows(read, String(orderBy), orderDesc) : read;
  return withKeys(table.keys, rows.slice(offset, offset + limit));
}

async function countOf(table: SourceTable, query: Query): Promise<number> {
  const recent = table.account.reads.find(keyOf(query));
  if (!recent) return (await answer(table, query, rowLimit)).rows.length;
  const pages = await recent.soFar();
  const rows = pages.flatMap(({ records }) => records);
  const known = rows.filter((row) => matchesRow(row, query.rest)).length;
  return known + (pages.at(-1)?.more ? 1 : 0);
}

/**
 * How many rows a data source's table has. Right after a list was shown it is what is known from that: the rows read so
 * far, and one more if there are more, which is enough for the list's pager and costs no request.
 *
 * @param table the table
 * @param where Saltcorn's filter
 */
export async function countRows(table: SourceTable, where: Where): Promise<number> {
  const queries = await queriesFor(table, where);
  const counts = await Promise.all(queries.map((query) => countOf(table, query)));
  return counts.reduce((sum, count) => sum + count, 0);
}
