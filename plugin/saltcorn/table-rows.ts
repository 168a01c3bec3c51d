import { type DataSource, type Page, type Telephony, TelephonyError } from '../../src/index.ts';
import type { Account } from './account.ts';
import { mediaUrl } from './media-route.ts';
import { matchesRow, type Row, type Where } from './row-filter.ts';
import { sortRows } from './row-order.ts';
import { filterOnlyFields, mediaColumn, requiredColumns } from './table-columns.ts';
import { isMissing, type Query, queryOf } from './table-query.ts';

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
type AnyId = Parameters<Telephony['run']>[0];

async function* readOne(telephony: Telephony, { source, input }: Query): AsyncGenerator<RowPage> {
  try {
    const record = await telephony.run(source.id as AnyId, input as never);
    yield { records: [record as object as Row], more: false };
  } catch (error) {
    if (!(error instanceof TelephonyError && error.code === 'not-found')) throw error;
  }
}

/** Few sizes, so that a list, its next pages and its count are one read. */
function pageSize({ source, rest }: Query, wanted: number): Values {
  const field = source.fields.find((one) => one.key === 'pageSize' && one.default === undefined);
  const size = Object.keys(rest).length > 0 ? rowLimit : Math.ceil(wanted / 100) * 100;
  return field?.maximum === undefined ? {} : { pageSize: Math.min(size, field.maximum) };
}

function readPages(telephony: Telephony, query: Query, wanted: number) {
  const { source, input } = query;
  const sized = { ...pageSize(query, wanted), ...input };
  return telephony.pages(source.id as never, sized as never, {
    limit: rowLimit,
  }) as AsyncGenerator<RowPage>;
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
}

/**
 * The rows of a data source's table. Reads no page more than is needed. They are in the order of the service, newest
 * first, unless another order is asked for and the table has not more rows than are read at most.
 *
 * @param table the table
 * @param where Saltcorn's filter; what the service can filter by is sent to it, the rest is filtered here
 * @param selection how many rows, from which on, and in which order
 */
export async function readRows(
  { name, account, source, fixed }: SourceTable,
  where: Where,
  { limit = rowLimit, offset = 0, orderBy, orderDesc = false }: Selection = {},
): Promise<Row[]> {
  const query = queryOf(source, fixed, where);
  if (isMissing(query)) return [];
  const asked = Object.fromEntries(
    filterOnlyFields(source).map(({ key }) => [key, query.input[key] ?? null]),
  );
  const isSorted = typeof orderBy === 'string';
  const wanted = isSorted ? rowLimit : offset + limit;
  const kept: Row[] = [];
  let isWhole = true;
  for await (const { records, more } of await read(account, query, wanted)) {
    const rows = records.map((record) => ({
      ...record,
      ...asked,
      ...heardAt(name, source, record),
    }));
    kept.push(...rows.filter((row) => matchesRow(row, query.rest)));
    isWhole = !more;
    if (kept.length >= wanted) break;
  }
  const rows = isSorted && isWhole ? sortRows(kept, orderBy, orderDesc) : kept;
  return rows.slice(offset, offset + limit);
}

/**
 * How many rows a data source's table has. Right after a list was shown it is what is known from that: the rows read so
 * far, and one more if there are more, which is enough for the list's pager and costs no request.
 *
 * @param table the table
 * @param where Saltcorn's filter
 */
export async function countRows(table: SourceTable, where: Where): Promise<number> {
  const query = queryOf(table.source, table.fixed, where);
  const recent = table.account.reads.find(keyOf(query));
  if (!recent) return (await readRows(table, where)).length;
  const pages = await recent.soFar();
  const rows = pages.flatMap(({ records }) => records);
  const known = rows.filter((row) => matchesRow(row, query.rest)).length;
  return known + (pages.at(-1)?.more ? 1 : 0);
}
