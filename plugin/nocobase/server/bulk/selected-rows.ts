import { TelephonyError } from '../../../../src/builder.ts';
import type { RowsRequest } from '../../run-view.ts';
import { Forbidden } from '../action/rights.ts';
import { TelephonyRepository } from '../data-source/repository.ts';
import type { Application, Collection, Context, DataSource, Model } from '../nocobase.ts';

/** How many rows can be selected. */
const most = 1000;

export type Row = Record<string, unknown>;

export interface SelectedRows {
  collection: Collection;
  /** Whether they are records of the service. */
  isOfService: boolean;
  rows: Row[];
}

const refused = (sentence: string) => new TelephonyError('input', `${sentence} Nothing was done.`);

const isKey = (key: unknown) => (typeof key === 'string' && key !== '') || Number.isInteger(key);

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isInteger = (bits: number) => (key: string) =>
  /^-?\d{1,19}$/.test(key) && BigInt.asIntN(bits, BigInt(key)) === BigInt(key);

/** What a database takes for a key, by the type of its column. It refuses anything else with an error of its own. */
const forms: Record<string, (key: string) => boolean> = {
  ...{ integer: isInteger(32), bigInt: isInteger(64), snowflakeId: isInteger(64) },
  uuid: (key) => uuid.test(key),
};

const isText = (key: string) => !key.includes('\0');

/** The column of a collection's keys. NocoBase finds no row by one value if several columns are its key. */
function keyOf({ name, filterTargetKey }: Collection): string {
  if (typeof filterTargetKey === 'string') return filterTargetKey;
  throw refused(`“${name}” needs one column as its record key, so that its rows can be selected.`);
}

/** Checks that keys can be those of a collection's rows. */
function assertKeys(collection: Collection, keys: string[]) {
  const column = keyOf(collection);
  const isKeyOf = forms[collection.getField(column)?.type ?? ''] ?? isText;
  const wrong = keys.find((key) => !isKeyOf(key));
  if (wrong !== undefined) throw refused(`“${wrong}” is not the key of a row.`);
}

/** The keys of rows, as a browser says them: nothing else than keys chooses rows. */
function keysIn(rows: unknown): unknown[] {
  if (!Array.isArray(rows) || rows.length === 0)
    throw refused('No row is selected. Select rows first.');
  if (!rows.every(isKey))
    throw refused('The request does not contain the selected rows. Reload the page.');
  if (rows.length > most) throw refused(`You selected more than ${most} rows. Select fewer.`);
  return rows;
}

/** The request that lists a collection in NocoBase, as far as its rights are concerned. */
interface Reading extends Context {
  permission: { can?: unknown };
}

function readingOf(context: Context, source: DataSource, { name, repository }: Collection) {
  const action = {
    ...{ name: 'list', actionName: 'list', resourceName: name, params: {} },
    mergeParams() {},
  };
  return Object.assign(Object.create(context), {
    ...{ action, permission: {}, dataSource: source, database: source.collectionManager.db },
    getCurrentRepository: () => repository,
  }) as Reading;
}

/**
 * What someone may read of a collection, as NocoBase works it out for its own list of it: which rows, and which columns.
 *
 * @throws NocoBase's error where they may not read it
 */
async function rightsOf(reading: Reading, source: DataSource): Promise<Rights> {
  await source.acl.middleware()(reading, async () => {});
  const { permission, state } = reading;
  // Some tables anyone may list, since NocoBase's own list leaves out what isn't theirs.
  if (!permission.can && !state.currentRoles?.includes('root'))
    throw new Forbidden('Your role may not see these rows.');
  return reading.action.params as Rights;
}

const plain = (row: Model | Row): Row =>
  typeof row.toJSON === 'function' ? row.toJSON() : (row as Row);

interface Rights {
  filter?: object;
  fields?: string[];
  except?: string[];
}

interface Selection extends Rights {
  context: Context;
}

/** The rows of some keys, as far as they are there to be seen: in one request of the database, or one for each page of the service. */
async function rowsByKey(
  collection: Collection,
  keys: string[],
  selection: Selection,
): Promise<Map<string, Row>> {
  const { repository } = collection;
  if (repository instanceof TelephonyRepository) return repository.findByKeys(keys, selection);
  const column = keyOf(collection);
  const { fields, except, ...rest } = selection;
  const found = await repository.find({
    ...rest,
    ...(fields && { fields: [...new Set([...fields, column])] }),
    ...(except && { except: except.filter((name) => name !== column) }),
    filterByTk: keys,
  });
  return new Map(found.map((row) => [String(plain(row)[column]), plain(row)]));
}

/**
 * The rows that someone selected, which they may read: all of them or none.
 *
 * @param filtersFor the filters that the rows have to fit besides, for the request that lists them
 * @throws {TelephonyError} when it is not known which these are
 */
export async function selectedRows(
  app: Application,
  context: Context,
  request: RowsRequest,
  filtersFor: (reading: Context) => Promise<object[]> = async () => [],
): Promise<SelectedRows> {
  const keys = keysIn(request.rows).map(String);
  const source = app.dataSourceManager.get(request.dataSource);
  const collection = source?.collectionManager.getCollection(request.collection);
  if (!source || !collection) throw refused(`There is no collection “${request.collection}”.`);
  assertKeys(collection, keys);
  const reading = readingOf(context, source, collection);
  const { filter, ...rights } = await rightsOf(reading, source);
  const filters = [...(filter ? [filter] : []), ...(await filtersFor(reading))];
  const { repository } = collection;
  // NocoBase takes the number 0 for no key, and gives any row.
  const found = await rowsByKey(collection, keys, {
    ...rights,
    ...(filters.length > 0 && { filter: { $and: filters } }),
    context,
  });
  const rows = keys.map((key) => {
    const row = found.get(key);
    if (!row)
      throw refused('A selected row no longer exists, or you may not see it. Reload the page.');
    return row;
  });
  return { collection, isOfService: repository instanceof TelephonyRepository, rows };
}
