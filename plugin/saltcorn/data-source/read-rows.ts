import db from '@saltcorn/data/db';
import {
  and,
  assertFew,
  type CleanPhone,
  type Condition,
  cleanPhone,
  columnOf,
  type DataSource,
  fieldCondition,
  fieldTypes,
  filterOnlyFields,
  filters,
  type Inputs,
  isDateObject,
  keyColumn,
  listBefore,
  matcher,
  numberHint,
  oncePer,
  pageSizeField,
  possibleValues,
  type Query,
  queriesOf,
  recordShape,
  requiredColumns,
  sentence,
  sorted,
  unplayableReason,
  unreadableHint,
  usualPageSize,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import { mediaUrl } from '../media/media-route.ts';
import { say } from '../translated.ts';
import { parseWhere } from '../where/parse-where.ts';
import { withoutSubSelects } from '../where/sub-select.ts';
import type { Row, TableColumns, Where } from '../where/where.ts';
import { filterColumns, mediaColumn } from './columns.ts';
import { withKeys, withoutKeys } from './key-values.ts';
import type { TableKey } from './keys.ts';
import { ownerColumn, withOwnerValues } from './owner-values.ts';
import { showWarning } from './page-notice.ts';
import { readQuery } from './read-query.ts';
import { mostRows, type RowLimit, reportIncomplete, rowLimit } from './row-limit.ts';
import type { Reader, RowRights } from './row-rights.ts';

/** A table of a data source, with the values fixed in its configuration. */
export interface SourceTable {
  name: string;
  account: Account;
  source: DataSource;
  fixed: Inputs;
  keys: TableKey[];
  /** The tables that its keys refer to, by column. */
  references: Map<string, string>;
  columns: TableColumns;
  rights: RowRights;
}

/** Saltcorn's options for reading rows, besides the filter. */
export interface Selection extends Reader {
  limit?: number;
  offset?: number;
  orderBy?: unknown;
  orderDesc?: boolean;
}

/**
 * Saltcorn passes the key of the row in a view to the lists in that view, together with the key that relates their rows
 * to it. It isn't the key of a row in the list.
 */
function withoutInheritedKey(keys: TableKey[], key: string, condition: Condition): Condition {
  if (condition.kind !== 'and') return condition;
  const only = (column: string) => possibleValues(condition, column)?.join();
  const isInherited = keys.some(
    ({ column, own }) => column === own && only(column) && only(column) === only(key),
  );
  return isInherited
    ? and(condition.of.filter((one) => !('column' in one && one.column === key)))
    : condition;
}

const isPlain = (value: unknown) =>
  isDateObject(value) || (['string', 'number'].includes(typeof value) && value !== '');

/** How an account normalises phone numbers. The read itself reports invalid settings. */
export const phoneForm = (account: Account): Promise<CleanPhone> =>
  account.telephony().then(
    (telephony) => telephony.cleanPhone,
    () => cleanPhone,
  );

/** A table opened for one read. */
interface OpenTable extends SourceTable {
  limit: RowLimit;
}

async function open(table: SourceTable, limit: RowLimit): Promise<OpenTable> {
  const { account, columns } = table;
  return { ...table, limit, columns: { ...columns, cleanPhone: await phoneForm(account) } };
}

/** The filters fixed in the table's configuration, which apply to all of its rows. */
const fixedFilters = ({ source, fixed, columns }: OpenTable): Condition[] =>
  filters(source)
    .filter(({ key }) => isPlain(fixed[key]))
    .map((field) => {
      const value = fieldTypes[field.type].clean(fixed[field.key], columns.cleanPhone);
      return fieldCondition(field, value as string | number);
    });

async function conditionOf(table: OpenTable, where: Where): Promise<Condition> {
  const { columns, keys } = table;
  const requested = withoutInheritedKey(keys, columns.key, parseWhere(where, columns));
  const selected = await withoutSubSelects(requested, columns);
  const known = await withoutKeys(keys, selected, columns.cleanPhone);
  return and([...fixedFilters(table), known]);
}

// Saltcorn writes row keys into scripts and URLs unescaped.
const asKey = (value: unknown) => String(value).replace(/[^\w.:=+/~-]/g, '_');

/** Converts a record to a row, with the filter's values for columns that the record lacks. */
function asRow({ name, source }: SourceTable, input: Inputs, record: Row): Row {
  const requested = filterOnlyFields(source).map((field) => [
    columnOf(field),
    input[field.key] ?? null,
  ]);
  const key = keyColumn(source);
  const row = { ...record, [key]: asKey(record[key]), ...Object.fromEntries(requested) };
  const audioOrReason = unplayableReason(source.result.of, record) ?? mediaUrl(name, source, row);
  const media = mediaColumn(source).map((column) => [column.name, audioOrReason]);
  return { ...row, ...Object.fromEntries(media) };
}

// The configured page size applies to rows that are shown. Counting and sorting use the largest pages.
function fixedPageSize({ source, fixed, limit }: OpenTable, wanted: number): Inputs {
  const key = pageSizeField(source)?.key ?? '';
  return wanted < limit.readLimit && isPlain(fixed[key]) ? { [key]: fixed[key] } : {};
}

interface ReadResult {
  rows: Row[];
  /** Whether there are no more rows. */
  isWhole: boolean;
  /** Whether the service applied the whole filter, so that unread rows match, too. */
  isExact: boolean;
}

/** Returns the rows that match and that the reader may see. */
type Fitting = (rows: Row[]) => Promise<Row[]>;

/** Reads the matching rows of a request, until there are as many as wanted. */
async function rowsOf(
  table: OpenTable,
  query: Query,
  wanted: number,
  fitting: Fitting,
  readLimit = table.limit.readLimit,
): Promise<ReadResult> {
  const rows: Row[] = [];
  let isWhole = true;
  let read = 0;
  let unread = 0;
  // How many rows count towards the limit; if the service applies the whole filter, only those that don't match.
  let passed = 0;
  const pages = await readQuery(table.account, query, query.isExact ? wanted : readLimit);
  for await (const { records, more, unreadable = 0 } of pages) {
    read += records.length;
    unread = unreadable;
    rows.push(...(await fitting(records.map((record) => asRow(table, query.input, record)))));
    isWhole = !more;
    passed = query.isExact ? read - rows.length : read;
    if (rows.length >= wanted || passed >= readLimit) break;
  }
  const name = table.name || query.source.name;
  if (unread > 0) {
    const problem = unreadableHint(query.source, unread);
    showWarning(say(sentence('“{name}”: {problem}', { name, problem })));
  }
  return { rows, isWhole, isExact: query.isExact && passed < readLimit };
}

/**
 * How many list records to read for each wanted record. In pages of a thousand, this takes a tenth of the requests that
 * fetching them one by one takes.
 */
const readsPerRecord = 100;

/** Searches a list for many single records first, and returns the requests for those that are missing. */
async function lookInList(
  table: OpenTable,
  condition: Condition,
  queries: Query[],
  fitting: Fitting,
): Promise<{ listed: ReadResult[]; missing: Query[] }> {
  const list = listBefore(queries, table.source, condition);
  if (!list) return { listed: [], missing: queries };
  const deepest = Math.min(queries.length * readsPerRecord, 10 * table.limit.readLimit);
  const listed = await Promise.all(
    list.map((query) => rowsOf(table, query, queries.length, fitting, deepest)),
  );
  if (listed.every(({ isWhole }) => isWhole)) return { listed, missing: [] };
  const found = new Set(listed.flatMap(({ rows }) => rows.map((row) => row[table.columns.key])));
  const isFound = (value: unknown) => found.has(value);
  const missing = queries.filter(({ input }) => !Object.values(input).some(isFound));
  assertFew(table.columns.key, missing.length);
  return { listed: listed.map((one) => ({ ...one, isWhole: true })), missing };
}

/** Merges the rows of several responses, newest first like each of them. A record can be in several. */
function merged({ source, columns }: SourceTable, results: ReadResult[]): Row[] {
  const rows = results.flatMap((one) => one.rows);
  const { createdAt } = recordShape(source.result.of);
  if (results.length === 1 || !createdAt) return rows;
  const compared = [columns.key, ...filterOnlyFields(source).map(columnOf)];
  const different = new Map(rows.map((row) => [compared.map((name) => row[name]).join(), row]));
  return sorted([...different.values()], [{ column: createdAt, isDescending: true }]);
}

async function readMatching(
  table: OpenTable,
  where: Where,
  wanted: number,
  reader: Reader,
): Promise<ReadResult> {
  const condition = await conditionOf(table, where);
  const mayRead = table.rights(reader);
  const required = requiredColumns(table.source);
  // Another list can also have records that no value of a required filter selects.
  const isInTable = (row: Row) => required.every((column) => row[column] !== null);
  const isMatching = matcher(condition, table.columns);
  const fitting: Fitting = (rows) =>
    mayRead(rows.filter((row) => isInTable(row) && isMatching(row)));
  const size = fixedPageSize(table, wanted);
  const queries = queriesOf(table.source, condition, wanted > usualPageSize).map((query) =>
    query.source === table.source ? { ...query, input: { ...query.input, ...size } } : query,
  );
  const { listed, missing } = await lookInList(table, condition, queries, fitting);
  const requested = await Promise.all(
    missing.map((query) => rowsOf(table, query, wanted, fitting)),
  );
  const results = [...listed, ...requested];
  const found = {
    rows: merged(table, results),
    isWhole: results.every(({ isWhole }) => isWhole),
    isExact: results.every(({ isExact }) => isExact),
  };
  if (!found.isExact && !found.isWhole && found.rows.length < wanted)
    reportIncomplete(table.name, table.limit);
  const { defaultCountry } = effectiveSettings(table.account.configuration, {}).typed;
  const hint =
    found.rows.length === 0 && numberHint(table.source, condition, Boolean(defaultCountry));
  if (hint) {
    const { name } = table;
    showWarning(say(sentence('“{name}”: nothing found. {hint}', { name, hint })));
  }
  return found;
}

/** How many rows of its tables a page reads during rendering. */
const reachIn = oncePer((_request: object) => new Map<string, number>());

function reachOf({ name }: SourceTable, rows = 0): number {
  const request = db.getRequestContext()?.req;
  if (!request) return rows;
  const reached = Math.max(reachIn(request).get(name) ?? 0, rows);
  reachIn(request).set(name, reached);
  return reached;
}

/** Additional columns of the rows in a view, and the function that fills them. */
export interface Extra {
  columns: string[];
  fill: (rows: Row[]) => Promise<Row[]>;
}

/** Reads records of another data source by their keys, as from a table that no user has. */
const readByKeys = (account: Account) => (source: DataSource, keys: unknown[]) =>
  readRows(
    {
      ...{ name: '', account, source, fixed: {}, keys: [], references: new Map() },
      ...{ columns: filterColumns(source, [], {}), rights: () => async (rows) => rows },
    },
    { [keyColumn(source)]: { in: keys } },
    { limit: keys.length },
  );

/**
 * Reads the rows of a data source's table, with no more pages than necessary. They are in the service's order, newest
 * first. In any other order, only the newest rows within the read limit are sorted. Sorting by the key, the default of
 * a new list, and by `RANDOM()`, which the builder uses, mean the service's order.
 *
 * @param sourceTable the table
 * @param where Saltcorn's filter; the service applies what it can, the plugin the rest
 * @param selection the limit, offset, order and reader
 * @param extra additional columns, which can also be sorted by. With them, the column of the rows' owners is filled, too
 */
export async function readRows(
  sourceTable: SourceTable,
  where: Where,
  selection: Selection = {},
  extra?: Extra,
): Promise<Row[]> {
  const { limit: most, offset = 0, orderBy, orderDesc = false, ...reader } = selection;
  const isAll = most === undefined;
  const table = await open(sourceTable, rowLimit(sourceTable.account.readLimit, isAll));
  const { readLimit } = table.limit;
  const limit = most ?? readLimit;
  const order = String(orderBy);
  const type = table.columns.types.get(order);
  // An export of thousands of rows must not look up the owner of each.
  const ownedColumn = extra && !isAll ? ownerColumn(table.source) : undefined;
  const isLate = type === 'key' || order === ownedColumn || extra?.columns.includes(order) === true;
  const isSorted = isLate || (type !== undefined && (order !== table.columns.key || orderDesc));
  const wanted = offset + limit;
  reachOf(table, wanted);
  const deep = isSorted ? Math.max(readLimit, wanted) : wanted;
  const { rows, isWhole } = await readMatching(table, where, deep, reader);
  const isCut = !isWhole || (isAll && rows.length > wanted);
  if ((isSorted || isAll) && isCut) reportIncomplete(table.name, table.limit);
  const fill = async (some: Row[]) => {
    const owned = ownedColumn
      ? await withOwnerValues(table.source, some, readByKeys(table.account))
      : some;
    const keyed = await withKeys(table.keys, owned, table.columns.cleanPhone);
    return extra ? extra.fill(keyed) : keyed;
  };
  const inOrder = (all: Row[]) => [
    ...sorted(all.slice(0, readLimit), [{ column: order, isDescending: orderDesc }]),
    ...all.slice(readLimit),
  ];
  const page = (all: Row[]) => (isSorted ? inOrder(all) : all).slice(offset, offset + limit);
  return isLate ? page(await fill(rows)) : fill(page(rows));
}

/**
 * Counts the rows of a data source's table. For a long list, the count is at least one more than the rows that were
 * read or, on a later page, than the rows up to that page. So the list has a next page as long as there is one.
 *
 * @param sourceTable the table
 * @param where Saltcorn's filter
 * @param reader who reads the count
 */
export async function countRows(
  sourceTable: SourceTable,
  where: Where,
  reader: Reader,
): Promise<number> {
  const { readLimit } = sourceTable.account;
  const reached = reachOf(sourceTable);
  // The pager of a list only needs to know whether there is another page. Everything else needs the exact count.
  const isAll = reached === 0;
  const limit = rowLimit(isAll ? Math.max(readLimit, mostRows) : readLimit, isAll);
  const table = await open(sourceTable, limit);
  const wanted = Math.max(limit.readLimit, reached + 1);
  const { rows, isWhole, isExact } = await readMatching(table, where, wanted, reader);
  if (isAll && !isWhole) reportIncomplete(table.name, limit);
  return rows.length + (isExact && !isWhole ? 1 : 0);
}
