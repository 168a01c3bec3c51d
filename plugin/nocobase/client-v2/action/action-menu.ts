import { ActionModel, ActionSceneEnum } from '@nocobase/client-v2';
import {
  buildSubModelItem,
  type Collection,
  type MenuItem,
  type ModelContext,
  tExpr,
} from '@nocobase/flow-engine';
import { type Action, batchActions, definitions } from '../../../../src/builder.ts';
import { type ButtonKind, clickFlow, clickStep, modelName } from '../../button-models.ts';
import { namespace } from '../../namespace.ts';
import type { Host } from '../host.ts';
import { rowValues, suits } from './row-values.ts';

/** A button in a menu. */
interface Offered {
  action: Action;
  kind: ButtonKind;
  /** Whether the button has rows, whose values can fill in its fields. */
  hasRow: boolean;
}

const { actions, manifest } = definitions;

const all = (kind: ButtonKind, hasRow: boolean): Offered[] =>
  (kind === '' ? actions : batchActions).map((action) => ({ action, kind, hasRow }));

/** The initial configuration of a new button. */
const stored = ({ action, kind, hasRow }: Offered, collection: Collection | undefined) => ({
  use: modelName(action, kind),
  ...(hasRow &&
    collection && {
      stepParams: {
        [clickFlow]: { [clickStep]: { ...rowValues(action, collection), ask: true } },
      },
    }),
});

/** Creates the submenu with the plugin's buttons. */
function menuModel(host: Host, name: string, scene: unknown, offered: Offered[]) {
  async function itemOf(one: Offered, context: ModelContext): Promise<MenuItem[]> {
    const { flowEngine } = host;
    const collection = context.collection ?? context.blockModel?.collection;
    if (collection && !suits(one.action, collection)) return [];
    const model = flowEngine.getModelClass(modelName(one.action, one.kind));
    const item = await buildSubModelItem(model, context, true);
    if (!item) return [];
    const createModelOptions = () => stored(one, collection);
    return [{ ...item, createModelOptions }];
  }
  class TelephonyMenuModel extends ActionModel {
    static scene = scene;
  }
  Object.defineProperty(TelephonyMenuModel, 'name', { value: name });
  TelephonyMenuModel.define({
    label: tExpr(manifest.name, { ns: namespace }),
    sort: 5100,
    children: async (context: ModelContext) =>
      (await Promise.all(offered.map((one) => itemOf(one, context)))).flat(),
  });
  return TelephonyMenuModel;
}

/** Registers the menus of buttons: for a block and its selected rows, and for a row, record or form. */
export function registerActionMenus(host: Host): void {
  const { flowEngine } = host;
  const ofBlock = [...all('', false), ...all('SelectedRows', true)];
  const { collection, record } = ActionSceneEnum;
  const blockMenu = menuModel(host, 'TelephonyBlockMenuModel', collection, ofBlock);
  const rowMenu = menuModel(host, 'TelephonyRowMenuModel', record, all('', true));
  const models = { TelephonyBlockMenuModel: blockMenu, TelephonyRowMenuModel: rowMenu };
  flowEngine.registerModels(models);
  const menus: [group: string, models: object][] = [
    ['CollectionActionGroupModel', { TelephonyBlockMenuModel: blockMenu }],
    ['RecordActionGroupModel', { TelephonyRowMenuModel: rowMenu }],
    ['FormActionGroupModel', { TelephonyRowMenuModel: rowMenu }],
  ];
  for (const [group, menu] of menus)
    flowEngine.getModelClass(group)?.registerActionModels?.({ ...menu });
}
