import type { Application } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

/** A collection of NocoBase. */
export interface BlockCollection {
  dataSource: string;
  collection: string;
}

/** What a block shows. */
export interface ButtonBlock extends BlockCollection {
  /** The data scopes that its rows have to fit, as NocoBase stores them. */
  scopes: unknown[];
  /** The popup that it is in. */
  popup: Popup | undefined;
  /** Whether it shows the record of that popup. */
  isOfPopup: boolean;
}

/** A popup that shows a record. */
export interface Popup extends BlockCollection {
  /** The model that opens it, by which NocoBase's client knows it, too. */
  uid: string;
  /** The block whose row opens it; undefined if none does, as in a popup template. */
  opener: ButtonBlock | undefined;
}

/** Where a button is. */
export interface ButtonPlace {
  /** The nearest block around it that shows a collection. */
  block: ButtonBlock | undefined;
  /** The nearest popup around it. */
  popup: Popup | undefined;
}

/** The variable that stands for the record of a popup, in a block that shows it. */
const ofPopup = /^\{\{\s*ctx\.view\.inputArgs\.filterByTk\s*\}\}$/;

type Flows = Record<string, unknown>;

function blockIn(flows: Flows): Omit<ButtonBlock, 'popup'> | undefined {
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

/** What a model opens, as it is stored: NocoBase's client takes the record's collection from there, too. */
function popupIn(flows: Flows): BlockCollection | undefined {
  if (!flows.popupSettings) return undefined;
  const { dataSourceKey, collectionName } = Object(Object(flows.popupSettings).openView);
  return { dataSource: textOf(dataSourceKey) || 'main', collection: textOf(collectionName) };
}

/**
 * Where a button is, as it is stored.
 *
 * @param uid which NocoBase knows the button by
 */
export async function placeOf({ db }: Pick<Application, 'db'>, uid: string): Promise<ButtonPlace> {
  const paths = await db
    .getRepository('flowModelTreePath')
    .find({ filter: { descendant: uid }, sort: ['-depth'] });
  const ancestors = paths.map((path) => textOf(path.get('ancestor')));
  const models = await db.getRepository('flowModels').find({ filter: { uid: { $in: ancestors } } });
  const stored = new Map(models.map((model) => [model.get('uid'), Object(model.get('options'))]));
  let place: ButtonPlace = { block: undefined, popup: undefined };
  for (const ancestor of ancestors) {
    const flows: Flows = Object(stored.get(ancestor)?.stepParams);
    const [block, popup] = [blockIn(flows), popupIn(flows)];
    if (block) place = { ...place, block: { ...block, popup: place.popup } };
    if (popup) place = { ...place, popup: { ...popup, uid: ancestor, opener: place.block } };
  }
  return place;
}
