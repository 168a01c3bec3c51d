import type { DataSource, TelephonyRecord } from '../../../../src/builder.ts';
import { collectionName } from '../../collection-name.ts';
import { type Relation, relations } from '../../relations.ts';
import type { Collection, Context, DataSource as HostDataSource } from '../nocobase.ts';
import { type ListRights, listRights } from './list-rights.ts';

type Row = Record<string, unknown>;

/** A collection of the service's records, and its data source. */
export interface RelatedCollection extends Omit<Collection, 'repository'> {
  collectionManager: { dataSource: HostDataSource };
}

/** Reads records of the service by key. */
interface Reader {
  findExisting(
    keys: string[],
    selection: ListRights & { context: Context },
  ): Promise<Map<string, Row>>;
}

const isForbidden = (error: unknown) => Object(error).status === 403;

/** How many rows one query reads. More at a time would hold up other requests. */
export const rowsPerQuery = 1_000;

/** Adds columns to those that a query reads. */
export const withColumns = <Of extends ListRights>(rights: Of, names: string[]): Of => ({
  ...rights,
  ...(rights.fields && { fields: [...new Set([...rights.fields, ...names])] }),
  ...(rights.except && { except: rights.except.filter((name) => !names.includes(name)) }),
});

/** Whether a user may read a column or a relation. */
export const isReadable = ({ fields, except }: ListRights, column: string): boolean =>
  (fields?.includes(column) ?? true) && !except?.includes(column);

/** Reads rows of a table whose column has one of the values. */
async function rowsWith(
  { repository }: Collection,
  column: string,
  values: string[],
  { filter, ...rights }: ListRights & { context: Context },
): Promise<Map<string, Row>> {
  const selection = withColumns(rights, [column]);
  const isHidden = !isReadable(rights, column);
  const found = new Map<string, Row>();
  for (let start = 0; start < values.length; start += rowsPerQuery) {
    const own = { [column]: { $in: values.slice(start, start + rowsPerQuery) } };
    const options = { ...selection, filter: { $and: [own, ...(filter ? [filter] : [])] } };
    for (const row of await repository.find(options))
      found.set(String(row.get(column)), {
        ...row.toJSON(),
        ...(isHidden && { [column]: undefined }),
      });
  }
  return found;
}

/**
 * Reads rows of a collection by key with the user's rights on its list; none if they may not read it.
 *
 * @param column the column of a table with the keys
 */
export async function readableRows(
  source: HostDataSource,
  name: string,
  keys: string[],
  context: Context,
  column = '',
): Promise<Map<string, Row>> {
  const collection = source.collectionManager.getCollection(name);
  if (!collection || keys.length === 0) return new Map();
  try {
    const { rights } = await listRights(context, source, collection);
    const reader = collection.repository as unknown as Partial<Reader>;
    const selection = { ...rights, context };
    return reader.findExisting
      ? await reader.findExisting(keys, selection)
      : await rowsWith(collection, column, keys, selection);
  } catch (error) {
    if (isForbidden(error)) return new Map();
    throw error;
  }
}

/**
 * Reads the records that rows refer to, such as the calls of recordings, with the user's rights on their lists.
 *
 * @param known the relations
 * @returns the related record of a row, by relation; null if there is none, or the user may not read it
 */
export async function relatedRecords(
  collection: RelatedCollection,
  known: Relation[],
  rows: TelephonyRecord[],
  context: Context,
): Promise<(row: TelephonyRecord) => Row> {
  const found = await Promise.all(
    known.map(async (relation) => {
      const keys = rows.flatMap(({ [relation.key]: key }) => (key ? [String(key)] : []));
      const { dataSource } = collection.collectionManager;
      const name = collectionName(relation.target);
      const records = await readableRows(dataSource, name, [...new Set(keys)], context);
      return [relation, records] as const;
    }),
  );
  return (row) =>
    Object.fromEntries(
      found.map(([{ name, key }, records]) => [name, records.get(String(row[key])) ?? null]),
    );
}

/** The relations that a request names: `call`, or columns in it such as `call.from`. */
export function namedRelations(
  source: DataSource,
  names: string[] | string | undefined,
): Relation[] {
  const heads = [names ?? []].flat().flatMap((text) => text.split(','));
  return relations(source).filter(({ name }) => heads.some((one) => one.split('.')[0] === name));
}
