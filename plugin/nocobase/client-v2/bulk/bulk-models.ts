import { ActionModel, ActionSceneEnum } from '@nocobase/client-v2';
import { createCollectionContextMeta } from '@nocobase/flow-engine';
import { type Action, batchActions } from '../../../../src/builder.ts';
import { clickFlow, clickStep, modelName } from '../../button-models.ts';
import { hidingFlow } from '../action/hiding-flow.ts';
import type { Host } from '../host.ts';
import { bulkStep, bulkStepName, bulkTitle } from './bulk-step.ts';
import { offeredColumns } from './offered-columns.ts';

const bulkModelName = (action: Action) => modelName(action, 'SelectedRows');

/** Creates the button that runs an action for several rows of its block. */
function bulkModel(host: Host, action: Action) {
  const title = bulkTitle(action);
  class TelephonyRowsActionModel extends ActionModel {
    static scene = ActionSceneEnum.collection;
    override defaultProps = { title };
    override onInit(options: object) {
      super.onInit(options);
      // Offers the columns as variables. The server fills them in.
      const { context } = this;
      const collection = () => context.collection ?? null;
      const title = context.t('Current record');
      const all = createCollectionContextMeta(collection, title, true);
      const offered = async () => {
        const record = await all();
        return record && offeredColumns(record);
      };
      const meta = Object.assign(offered, { title });
      context.defineProperty('record', { get: () => undefined, meta });
    }
  }
  // NocoBase stores buttons under this name.
  Object.defineProperty(TelephonyRowsActionModel, 'name', { value: bulkModelName(action) });
  TelephonyRowsActionModel.define({
    label: title,
    hide: true,
    createModelOptions: { use: bulkModelName(action) },
  });
  TelephonyRowsActionModel.registerFlow({
    key: clickFlow,
    on: 'click',
    title,
    steps: { [clickStep]: { use: bulkStepName(action) } },
  });
  TelephonyRowsActionModel.registerFlow(hidingFlow(host, action));
  return TelephonyRowsActionModel;
}

/** Registers each action as a button for several rows. */
export function registerBulkActions(host: Host): void {
  const { flowEngine } = host;
  const steps = batchActions.map((action) => [bulkStepName(action), bulkStep(host, action)]);
  flowEngine.registerActions(Object.fromEntries(steps));
  const models = Object.fromEntries(
    batchActions.map((action) => [bulkModelName(action), bulkModel(host, action)]),
  );
  flowEngine.registerModels(models);
}
