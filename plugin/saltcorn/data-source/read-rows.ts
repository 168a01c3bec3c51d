import db from '@saltcorn/data/db';
import {
  type CleanPhone,
  cleanPhone,
  columnOf,
  type DataSource,
  filterOnlyFields,
  filters,
  keyColumn,
  pageSizeField,
  rangeEnd,
  recordShape,
  unplayableReason,
  usualPageSize,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import { mediaUrl } from '../media/media-route.ts';
import { type Columns, isDate } from '../where/comparable.ts';
import { and, type Condition, possibleValues } from '../where/condition.ts';
import { parseWhere } from '../where/parse-where.ts';
import { withoutSubSelects } from '../where/sub-select.ts';
import { truthOf } from '../where/truth-of.ts';
import type { Row, Where } from '../where/where.ts';
import { mediaColumn } from './columns.ts';
import { withKeys, withoutKeys } from './key-values.ts';
import type { TableKey } from './keys.ts';
import { numberHint } from './number-hint.ts';
import { showPart } from './page-notice.ts';
import { assertFew, type Inputs, listBefore, type Query, queriesOf } from './queries.ts';
import { readQuery } from './read-query.ts';
import { mostRows, type RowLimit, rowLimit, sayPartly } from './row-limit.ts';
import type { Reader, RowRights } from './row-rights.ts';
import { sortRows } from './sort-rows.ts';

/** A table of a data source, with what is fixed in its configuration. */
export interface SourceTable {
  name: string;
  account: Account;
  source: DataSource;
  fixed: Inputs;
  keys: TableKey[];
  /** The tables that its keys lead to, by their columns. */
  references: Map<string, string>;
  columns: Columns;
  rights: RowRights;
}

/** What Saltcorn asks of a table besides a filter. */
export interface Selection extends Reader {
  limit?: number;
  offset?: number;
  orderBy?: unknown;
  orderDesc?: boolean;
}

/**
 * Saltcorn hands the key of the row that a view shows on to the lists in the view, next to the key by which their rows
 * belong to it. It is not the key of any of these.
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
  isDate(value) || (['string', 'number'].includes(typeof value) && value !== '');

const bound = { start: 'gt', end: 'lt' };

/** The form in which an account compares phone numbers. What is wrong with its settings is said where it is read. */
export const phoneForm = (account: Account): Promise<CleanPhone> =>
  account.telephony().then(
    (telephony) => telephony.cleanPhone,
    () => cleanPhone,
  );

/** A table, as it is read for one purpose. */
interface OpenTable extends SourceTable {
  limit: RowLimit;
}

async function open(table: SourceTable, limit: RowLimit): Promise<OpenTable> {
  const { account, columns } = table;
  return { ...table, limit, columns: { ...columns, cleanPhone: await phoneForm(account) } };
}

/** What is fixed in the table's configuration holds for all of its rows. */
const fixedFilters = ({ source, fixed }: SourceTable): Where[] =>
  filters(source)
    .filter(({ key }) => isPlain(fixed[key]))
    .map((field) => {
      const [value, end] = [fixed[field.key], rangeEnd(field)];
      return { [columnOf(field)]: end ? { [bound[end]]: value, equal: true } : value };
    });

async function conditionOf(table: OpenTable, where: Where): Promise<Condition> {
  const { columns, keys } = table;
  const asked = withoutInheritedKey(keys, columns.key, parseWhere(where, columns));
  const selected = await withoutSubSelects(asked, columns);
  const known = await withoutKeys(keys, selected, columns.cleanPhone);
  return and([...fixedFilters(table).map((one) => parseWhere(one, columns)), known]);
}

// Saltcorn writes the key of a row into scripts and addresses as it is.
const asKey = (value: unknown) => String(value).replace(/[^\w.:=+/~-]/g, '_');

/** A row of a record, with the filter's values where the record does not contain them. */
function asRow({ name, source }: SourceTable, input: Inputs, record: Row): Row {
  const asked = filterOnlyFields(source).map((field) => [
    columnOf(field),
    input[field.key] ?? null,
  ]);
  const key = keyColumn(source);
  const row = { ...record, [key]: asKey(record[key]), ...Object.fromEntries(asked) };
  const soundOrReason = unplayableReason(source.result.of, record) ?? mediaUrl(name, source, row);
  const media = mediaColumn(source).map((column) => [column.name, soundOrReason]);
  return { ...row, ...Object.fromEntries(media) };
}

// Someone chose it for the rows that are shown; what is counted or sorted is read in pages as large as they can be.
function fixedPageSize({ source, fixed, limit }: OpenTable, wanted: number): Inputs {
  const key = pageSizeField(source)?.key ?? '';
  return wanted < limit.readLimit && isPlain(fixed[key]) ? { [key]: fixed[key] } : {};
}

interface Answer {
  rows: Row[];
  /** Whether there are no more. */
  isWhole: boolean;
  /** Whether all that was read fits, so that what was not read does too. */
  isExact: boolean;
}

/** Those of some rows that fit, and that the reader may see. */
type Fitting = (rows: Row[]) => Promise<Row[]>;

/** The rows of a query that fit, until there are as many as wanted. */
async function rowsOf(
  table: OpenTable,
  query: Query,
  wanted: number,
  fitting: Fitting,
  readLimit = table.limit.readLimit,
): Promise<Answer> {
  const rows: Row[] = [];
  let isWhole = true;
  let read = 0;
  // What is gone through in vain, where only what fits is asked for.
  let passed = 0;
  const pages = await readQuery(table.account, query, query.isExact ? wanted : readLimit);
  for await (const { records, more } of pages) {
    read += records.length;
    rows.push(...(await fitting(records.map((record) => asRow(table, query.input, record)))));
    isWhole = !more;
    passed = query.isExact ? read - rows.length : read;
    if (rows.length >= wanted || passed >= readLimit) break;
  }
  return { rows, isWhole, isExact: query.isExact && passed < readLimit };
}

/** Reading so many more records is worth it to find one of them: of the requests that finds them all, it takes a tenth. */
const worthOne = 100;

/** Looks for many single records in a list first, and tells which ones are not in it. */
async function lookInList(
  table: OpenTable,
  condition: Condition,
  queries: Query[],
  fitting: Fitting,
): Promise<{ listed: Answer[]; missing: Query[] }> {
  const list = listBefore(queries, table.source, condition);
  if (!list) return { listed: [], missing: queries };
  const deepest = Math.min(queries.length * worthOne, 10 * table.limit.readLimit);
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

/** The rows of several answers in one, newest first as each of them is. A record can be in several. */
function merged({ source, columns }: SourceTable, answers: Answer[]): Row[] {
  const rows = answers.flatMap((one) => one.rows);
  const { createdAt } = recordShape(source.result.of);
  if (answers.length === 1 || !createdAt) return rows;
  const compared = [columns.key, ...filterOnlyFields(source).map(columnOf)];
  const different = new Map(rows.map((row) => [compared.map((name) => row[name]).join(), row]));
  return sortRows([...different.values()], createdAt, true);
}

async function answer(
  table: OpenTable,
  where: Where,
  wanted: number,
  reader: Reader,
): Promise<Answer> {
  const condition = await conditionOf(table, where);
  const mayRead = table.rights(reader);
  const fitting: Fitting = (rows) =>
    mayRead(rows.filter((row) => truthOf(condition, row, table.columns) === true));
  const size = fixedPageSize(table, wanted);
  const queries = queriesOf(table.source, condition, wanted > usualPageSize).map((query) =>
    query.source === table.source ? { ...query, input: { ...query.input, ...size } } : query,
  );
  const { listed, missing } = await lookInList(table, condition, queries, fitting);
  const asked = await Promise.all(missing.map((query) => rowsOf(table, query, wanted, fitting)));
  const answers = [...listed, ...asked];
  const found = {
    rows: merged(table, answers),
    isWhole: answers.every(({ isWhole }) => isWhole),
    isExact: answers.every(({ isExact }) => isExact),
  };
  if (!found.isExact && !found.isWhole && found.rows.length < wanted)
    sayPartly(table.source.name, table.limit);
  const { defaultCountry } = effectiveSettings(table.account.configuration, {}).typed;
  const hint =
    found.rows.length === 0 &&
    numberHint(table.source, condition, table.columns, Boolean(defaultCountry));
  if (hint) showPart(hint);
  return found;
}

/** How many rows of its tables a page reads while it is rendered. */
const reach = new WeakMap<object, Map<string, number>>();

function reachOf({ name }: SourceTable, rows = 0): number {
  const request = db.getRequestContext()?.req;
  if (!request) return rows;
  const reached = reach.get(request) ?? new Map<string, number>();
  reach.set(request, reached.set(name, Math.max(reached.get(name) ?? 0, rows)));
  return reached.get(name) ?? 0;
}

/** Columns that rows get here, and what gives them these. */
export interface Extra {
  columns: string[];
  fill: (rows: Row[]) => Promise<Row[]>;
}

const noExtra: Extra = { columns: [], fill: async (rows) => rows };

/**
 * The rows of a data source's table. Reads no page more than is needed. They are in the order of the service, newest
 * first, unless another order is asked for, in which the newest of them are that are read at most. The order by the key,
 * which a new list has and which says nothing here, and the order `RANDOM()` of the builder are the order of the service.
 *
 * @param sourceTable the table
 * @param where Saltcorn's filter; what the service can filter by is sent to it, the rest is filtered here
 * @param selection how many rows, from which on, in which order, and for which user
 * @param extra further columns, which rows can be sorted by too
 */
export async function readRows(
  sourceTable: SourceTable,
  where: Where,
  selection: Selection = {},
  extra = noExtra,
): Promise<Row[]> {
  const { limit: most, offset = 0, orderBy, orderDesc = false, ...reader } = selection;
  const isAll = most === undefined;
  const table = await open(sourceTable, rowLimit(sourceTable.account.readLimit, isAll));
  const { readLimit } = table.limit;
  const limit = most ?? readLimit;
  const order = String(orderBy);
  const type = table.columns.types.get(order);
  const isLate = type === 'key' || extra.columns.includes(order);
  const isSorted = isLate || (type !== undefined && (order !== table.columns.key || orderDesc));
  const wanted = offset + limit;
  reachOf(table, wanted);
  const deep = isSorted ? Math.max(readLimit, wanted) : wanted;
  const { rows, isWhole } = await answer(table, where, deep, reader);
  const isCut = !isWhole || (isAll && rows.length > wanted);
  if ((isSorted || isAll) && isCut) sayPartly(table.source.name, table.limit);
  const fill = async (some: Row[]) =>
    extra.fill(await withKeys(table.keys, some, table.columns.cleanPhone));
  const sorted = (all: Row[]) => [
    ...sortRows(all.slice(0, readLimit), order, orderDesc),
    ...all.slice(readLimit),
  ];
  const page = (all: Row[]) => (isSorted ? sorted(all) : all).slice(offset, offset + limit);
  return isLate ? page(await fill(rows)) : fill(page(rows));
}

/**
 * How many rows a data source's table has. For a long list it is at least so many, one more than are read, and on a page
 * further on one more than lead there, so that a list has a next page as long as there is one.
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
  // The pager of a list needs to know of one more page. Everything else wants the number itself.
  const isAll = reached === 0;
  const limit = rowLimit(isAll ? Math.max(readLimit, mostRows) : readLimit, isAll);
  const table = await open(sourceTable, limit);
  const wanted = Math.max(limit.readLimit, reached + 1);
  const { rows, isWhole, isExact } = await answer(table, where, wanted, reader);
  if (isAll && !isWhole) sayPartly(table.source.name, limit);
  return rows.length + (isExact && !isWhole ? 1 : 0);
}
