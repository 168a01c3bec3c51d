import type { Application } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

/** The collection whose rows a block shows. */
export interface BlockCollection {
  dataSource: string;
  collection: string;
}

/** What a block shows. */
export interface ButtonBlock extends BlockCollection {
  /** The data scopes that its rows have to fit, as NocoBase stores them. */
  scopes: unknown[];
}

/** The variable that stands for the record of a popup, in a block that shows it. */
const ofPopup = /^\{\{\s*ctx\.view\.inputArgs\.filterByTk\s*\}\}$/;

interface Shown extends ButtonBlock {
  /** Whether it shows the record of the popup that it is in, which is a row of the block that opens the popup. */
  isOfPopup: boolean;
}

function shownIn(options: unknown): Shown | undefined {
  const flows = Object(Object(options).stepParams) as Record<string, unknown>;
  const init = Object(Object(flows.resourceSettings).init);
  const [dataSource, collection] = [textOf(init.dataSourceKey), textOf(init.collectionName)];
  if (!dataSource || !collection) return undefined;
  const steps = Object.values(flows).map((flow) => Object(flow).dataScope);
  return {
    ...{ dataSource, collection },
    scopes: steps.flatMap((step) => Object(step).filter ?? []),
    isOfPopup: ofPopup.test(textOf(init.filterByTk)) && !init.associationName,
  };
}

/**
 * The block that a button is in, as it is stored: the nearest one around the button that shows a collection. If that shows the record
 * of a popup, the data scope of the block that opens the popup counts, too.
 *
 * @param uid which NocoBase knows the button by
 */
export async function blockOf(
  { db }: Pick<Application, 'db'>,
  uid: string,
): Promise<ButtonBlock | undefined> {
  const paths = await db
    .getRepository('flowModelTreePath')
    .find({ filter: { descendant: uid }, sort: ['depth'] });
  let block: ButtonBlock | undefined;
  for (const path of paths) {
    const filterByTk = textOf(path.get('ancestor'));
    const model = await db.getRepository('flowModels').findOne({ filterByTk });
    const shown = shownIn(model?.get('options'));
    if (!shown) continue;
    const { isOfPopup, ...own } = shown;
    const isSame = own.dataSource === block?.dataSource && own.collection === block.collection;
    if (!block) block = own;
    else if (isSame) block.scopes.push(...own.scopes);
    if (!isOfPopup) break;
  }
  return block;
}
