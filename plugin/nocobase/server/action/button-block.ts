import type { Application } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

/** The collection whose rows a block shows. */
export interface BlockCollection {
  dataSource: string;
  collection: string;
}

function shownIn(options: unknown): BlockCollection | undefined {
  const { dataSourceKey, collectionName } = Object(
    Object(options).stepParams?.resourceSettings?.init,
  );
  const [dataSource, collection] = [textOf(dataSourceKey), textOf(collectionName)];
  return dataSource && collection ? { dataSource, collection } : undefined;
}

/**
 * The collection of the block that a button is in, as it is stored: the nearest one around the button that shows a collection.
 *
 * @param uid which NocoBase knows the button by
 */
export async function blockOf(
  { db }: Pick<Application, 'db'>,
  uid: string,
): Promise<BlockCollection | undefined> {
  const paths = await db
    .getRepository('flowModelTreePath')
    .find({ filter: { descendant: uid }, sort: ['depth'] });
  for (const path of paths) {
    const filterByTk = textOf(path.get('ancestor'));
    const model = await db.getRepository('flowModels').findOne({ filterByTk });
    const shown = shownIn(model?.get('options'));
    if (shown) return shown;
  }
  return undefined;
}
