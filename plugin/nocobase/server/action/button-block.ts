import { popupScope } from '../../popup-scope.ts';
import type { Application } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

/** Identifies a collection. */
export interface BlockCollection {
  dataSource: string;
  collection: string;
}

/** The block that a button is in. */
export interface ButtonBlock extends BlockCollection {
  /** The data scopes that its rows must match, as NocoBase stores them. */
  scopes: unknown[];
  /** The popup that the block is in. */
  popup: Popup | undefined;
  /** Whether the block shows that popup's record. */
  isOfPopup: boolean;
}

/** A popup that shows a record. */
export interface Popup extends BlockCollection {
  /** The uid of the model that opens the popup. NocoBase's client identifies the popup by it, too. */
  uid: string;
  /** The block whose row opens the popup; undefined if none does, as in a popup template. */
  opener: ButtonBlock | undefined;
}

/** The location of a button on its page. */
export interface ButtonPlace {
  /** The nearest enclosing block that shows a collection. */
  block: ButtonBlock | undefined;
  /** The nearest enclosing popup. */
  popup: Popup | undefined;
}

/** The variable with which a block selects the record of its popup. */
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

/** The collection of the popup that a model opens. NocoBase's client reads it from here, too. */
function popupIn(flows: Flows): BlockCollection | undefined {
  if (!flows.popupSettings) return undefined;
  const { dataSourceKey, collectionName } = Object(Object(flows.popupSettings).openView);
  return { dataSource: textOf(dataSourceKey) || 'main', collection: textOf(collectionName) };
}

type OwnBlock = NonNullable<ReturnType<typeof blockIn>>;

/** The scopes of a block. Without a stored one, NocoBase's client uses the default in a popup. */
function scopesOf({ dataSource, collection, scopes }: OwnBlock, popup: Popup | undefined) {
  if (scopes.length > 0 || popup?.dataSource !== dataSource) return scopes;
  const scope = popupScope(collection, popup.collection);
  return scope.items.length > 0 ? [scope] : [];
}

/**
 * Finds the block and the popup of a button among its stored ancestors.
 *
 * @param uid the button's uid
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
    if (block) {
      const scopes = scopesOf(block, place.popup);
      place = { ...place, block: { ...block, scopes, popup: place.popup } };
    }
    if (popup) place = { ...place, popup: { ...popup, uid: ancestor, opener: place.block } };
  }
  return place;
}
