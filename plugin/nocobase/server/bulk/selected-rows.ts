import { TelephonyError } from '../../../../src/builder.ts';
import type { RowsRequest } from '../../run-view.ts';
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

/** The keys of rows, as a browser says them: nothing else than keys chooses rows. */
function keysIn(rows: unknown): unknown[] {
  if (!Array.isArray(rows) || rows.length === 0)
    throw refused('No row is selected. Select those for which it is to be done.');
  if (!rows.every(isKey)) throw refused('It is not known which rows are selected.');
  if (rows.length > most) throw refused(`More than ${most} rows are selected.`);
  return rows;
}

/**
 * What someone may read of a collection, as NocoBase works it out for its own list of it: which rows, and which columns.
 *
 * @throws NocoBase's error where they may not read it
 */
async function rightsOf(context: Context, source: DataSource, collection: Collection) {
  const action = {
    ...{ name: 'list', actionName: 'list', resourceName: collection.name, params: {} },
    mergeParams() {},
  };
  const reading = Object.assign(Object.create(context), {
    ...{ action, permission: {}, dataSource: source },
    getCurrentRepository: () => collection.repository,
  });
  await source.acl.middleware()(reading, async () => {});
  return action.params;
}

const plain = (row: Model | Row): Row =>
  typeof row.toJSON === 'function' ? row.toJSON() : (row as Row);

interface Selection {
  fields?: string[];
  except?: string[];
  context: Context;
}

/** The rows of some keys, as far as they are there to be seen: in one request of the database, or one for each page of the service. */
async function rowsByKey(
  { repository, filterTargetKey }: Collection,
  keys: string[],
  selection: Selection,
): Promise<Map<string, Row>> {
  if (repository instanceof TelephonyRepository) return repository.findByKeys(keys, selection);
  if (typeof filterTargetKey !== 'string') {
    const rows = new Map<string, Row>();
    for (const filterByTk of keys) {
      const row = await repository.findOne({ ...selection, filterByTk });
      if (row) rows.set(filterByTk, plain(row));
    }
    return rows;
  }
  const { fields, except, ...rest } = selection;
  const found = await repository.find({
    ...rest,
    ...(fields && { fields: [...new Set([...fields, filterTargetKey])] }),
    ...(except && { except: except.filter((name) => name !== filterTargetKey) }),
    filterByTk: keys,
  });
  return new Map(found.map((row) => [String(plain(row)[filterTargetKey]), plain(row)]));
}

/**
 * The rows that someone selected, which they may read: all of them or none.
 *
 * @throws {TelephonyError} when it is not known which these are
 */
export async function selectedRows(
  app: Application,
  context: Context,
  request: RowsRequest,
): Promise<SelectedRows> {
  const keys = keysIn(request.rows);
  const source = app.dataSourceManager.get(request.dataSource);
  const collection = source?.collectionManager.getCollection(request.collection);
  if (!source || !collection) throw refused(`There is no collection “${request.collection}”.`);
  const rights = await rightsOf(context, source, collection);
  const { repository } = collection;
  // NocoBase takes the number 0 for no key, and gives any row.
  const found = await rowsByKey(collection, keys.map(String), { ...rights, context });
  const rows = keys.map((key) => {
    const row = found.get(String(key));
    if (!row) throw refused('A selected row is not there any more, or is not yours to see.');
    return row;
  });
  return { collection, isOfService: repository instanceof TelephonyRepository, rows };
}
