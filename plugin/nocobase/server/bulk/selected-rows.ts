import {
  maxBatchRows,
  type Sentence,
  sentence,
  sentences,
  TelephonyError,
} from '../../../../src/builder.ts';
import type { RowsRequest } from '../../run-view.ts';
import { type ListRights, listRights } from '../data-source/list-rights.ts';
import { isReadable, rowsPerQuery, withColumns } from '../data-source/related-records.ts';
import { TelephonyRepository } from '../data-source/repository.ts';
import type { Application, Collection, Context, Model } from '../nocobase.ts';
import { columnAt, relatedValues } from './related-columns.ts';

export type Row = Record<string, unknown>;

export interface SelectedRows {
  collection: Collection;
  /** Whether the rows are records of the service. */
  isOfService: boolean;
  /** The label of a column; undefined if the rows have no such column. A path such as `customer.phone` is one of a related record. */
  titleOf(column: string): string | undefined;
  rows: Row[];
}

const refused = (said: Sentence) =>
  new TelephonyError('input', sentences(said, sentence('Nothing was done.')));

const isKey = (key: unknown) => (typeof key === 'string' && key !== '') || Number.isInteger(key);

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isInteger = (bits: number) => (key: string) =>
  /^-?\d{1,19}$/.test(key) && BigInt.asIntN(bits, BigInt(key)) === BigInt(key);

/** Checks, by column type, which keys a database accepts. It rejects others with an error of its own. */
const forms: Record<string, (key: string) => boolean> = {
  ...{ integer: isInteger(32), bigInt: isInteger(64), snowflakeId: isInteger(64) },
  uuid: (key) => uuid.test(key),
};

const isText = (key: string) => !key.includes('\0');

/** Returns a collection's key column. With several key columns, NocoBase finds no row by one value. */
function keyOf({ name, filterTargetKey }: Collection): string {
  if (typeof filterTargetKey === 'string') return filterTargetKey;
  throw refused(
    sentence('“{name}” needs one column as its record key, so that its rows can be selected.', {
      name,
    }),
  );
}

/** Checks that the keys are valid for the collection. */
function assertKeys(collection: Collection, keys: string[]) {
  const column = keyOf(collection);
  const isKeyOf = forms[collection.getField(column)?.type ?? ''] ?? isText;
  const wrong = keys.find((key) => !isKeyOf(key));
  if (wrong !== undefined)
    throw refused(sentence('“{key}” is not the key of a row.', { key: wrong }));
}

/** Validates the row keys that the browser sent. Only keys select rows. */
function keysIn(rows: unknown, maxRows: number): unknown[] {
  if (!Array.isArray(rows) || rows.length === 0)
    throw refused(sentence('No row is selected. Select rows first.'));
  if (!rows.every(isKey))
    throw refused(sentence('The request does not contain the selected rows. Reload the page.'));
  if (rows.length > maxRows)
    throw refused(sentence('You selected more than {most} rows. Select fewer.', { most: maxRows }));
  return rows;
}

const plain = (row: Model | Row): Row =>
  typeof row.toJSON === 'function' ? row.toJSON() : (row as Row);

interface Selection extends ListRights {
  context: Context;
}

/**
 * Reads the rows with these keys that exist and that the user may see. Needs a database query for every thousand, or one request
 * per page of the service.
 */
async function rowsByKey(
  collection: Collection,
  keys: string[],
  selection: Selection,
): Promise<Map<string, Row>> {
  const { repository } = collection;
  if (repository instanceof TelephonyRepository) return repository.findByKeys(keys, selection);
  const column = keyOf(collection);
  const options = withColumns(selection, [column]);
  const found = new Map<string, Row>();
  for (let start = 0; start < keys.length; start += rowsPerQuery) {
    const filterByTk = keys.slice(start, start + rowsPerQuery);
    for (const row of (await repository.find({ ...options, filterByTk })).map(plain))
      found.set(String(row[column]), row);
  }
  return found;
}

const columnsIn = (input: unknown) =>
  Object.values(Object(input))
    .flat()
    .flatMap((part) => Object(part).column ?? [])
    .map(String);

/**
 * Reads the selected rows with the user's rights: all of them or none. Also reads the columns of related records that the input uses.
 *
 * @param filtersFor returns more filters that the rows must match, given the request that lists them
 * @param maxRows the maximum number of rows
 * @throws {TelephonyError} if the rows can't be determined
 */
export async function selectedRows(
  app: Application,
  context: Context,
  request: RowsRequest,
  filtersFor: (reading: Context) => Promise<object[]> = async () => [],
  maxRows = maxBatchRows,
): Promise<SelectedRows> {
  const keys = keysIn(request.rows, maxRows).map(String);
  const source = app.dataSourceManager.get(request.dataSource);
  const collection = source?.collectionManager.getCollection(request.collection);
  if (!source || !collection)
    throw refused(sentence('There is no collection “{name}”.', { name: request.collection }));
  assertKeys(collection, keys);
  const wanted = columnsIn(request.input).flatMap((path) => {
    const { relation } = columnAt(source, collection, path) ?? {};
    return relation ? [[path, relation] as const] : [];
  });
  const names = wanted.map(([, { name }]) => name);
  const { rights, reading } = await listRights(context, source, collection, names);
  const { filter, appends = [], ...columns } = rights;
  const filters = [...(filter ? [filter] : []), ...(await filtersFor(reading))];
  const { repository } = collection;
  const related = new Map(wanted.filter(([, { name }]) => appends.includes(name)));
  const owns = [...related.values()].map(({ own }) => own);
  // NocoBase treats the number 0 as no key and returns any row, so keys are strings.
  const found = await rowsByKey(collection, keys, {
    ...withColumns(columns, owns),
    ...(filters.length > 0 && { filter: { $and: filters } }),
    context,
  });
  const rows = keys.map((key) => {
    const row = found.get(key);
    if (!row)
      throw refused(
        sentence('A selected row no longer exists, or you may not see it. Reload the page.'),
      );
    return row;
  });
  const valuesOf =
    related.size > 0 ? await relatedValues(source, related, rows, context) : undefined;
  const unreadable = new Set(owns.filter((own) => !isReadable(columns, own)));
  const shown = (row: Row) =>
    Object.fromEntries(
      Object.entries({ ...row, ...valuesOf?.(row) }).filter(([name]) => !unreadable.has(name)),
    );
  return {
    ...{ collection, isOfService: repository instanceof TelephonyRepository },
    titleOf: (path) => columnAt(source, collection, path)?.title,
    rows: valuesOf ? rows.map(shown) : rows,
  };
}
