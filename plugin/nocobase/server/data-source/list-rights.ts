import { sentence } from '../../../../src/builder.ts';
import { Forbidden } from '../action/rights.ts';
import type { Collection, Context, DataSource } from '../nocobase.ts';

/** The rows and columns that a user may read. */
export interface ListRights {
  filter?: object;
  fields?: string[];
  except?: string[];
  /** The relations that were asked for, of those that they may read. */
  appends?: string[];
}

/** A request that lists a collection, for NocoBase's rights check. */
interface Reading extends Context {
  permission: { can?: unknown };
}

function readingOf(
  context: Context,
  source: DataSource,
  { name, repository }: Collection,
  appends: string[],
) {
  const params = appends.length > 0 ? { appends } : {};
  const action = {
    ...{ name: 'list', actionName: 'list', resourceName: name, params },
    mergeParams() {},
  };
  return Object.assign(Object.create(context), {
    ...{ action, permission: {}, dataSource: source, database: source.collectionManager.db },
    getCurrentRepository: () => repository,
  }) as Reading;
}

/**
 * Returns the rows and columns that the user may read, as NocoBase's own list request determines them, and that request.
 *
 * @param relations the names of relations that are wanted: NocoBase keeps those that the user may read
 * @throws NocoBase's error, with the status 403, if they may not read the collection
 */
export async function listRights(
  context: Context,
  source: DataSource,
  collection: Collection,
  relations: string[] = [],
): Promise<{ rights: ListRights; reading: Context }> {
  const reading = readingOf(context, source, collection, relations);
  await source.acl.middleware()(reading, async () => {});
  const { permission, state } = reading;
  // NocoBase lets everyone list some tables, because its own list handler leaves out other users' rows.
  if (!permission.can && !state.currentRoles?.includes('root'))
    throw new Forbidden(sentence('Your role may not see these rows.'));
  return { rights: reading.action.params as ListRights, reading };
}
