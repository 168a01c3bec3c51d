import { ActionModel, ActionSceneEnum } from '@nocobase/client-v2';
import { tExpr } from '@nocobase/flow-engine';
import { type Action, definitions } from '../../../../src/builder.ts';
import { clickFlow, clickStep, modelName } from '../../button-models.ts';
import { namespace } from '../../namespace.ts';
import type { Host } from '../host.ts';
import { actionStep, stepName } from './action-step.ts';
import { hidingFlow } from './hiding-flow.ts';

/** Creates the button of an action, for blocks and for their rows. */
function actionModel(host: Host, action: Action) {
  const title = tExpr(action.name, { ns: namespace });
  class TelephonyActionModel extends ActionModel {
    static scene = ActionSceneEnum.all;
    override defaultProps = { title };
  }
  // NocoBase stores buttons under this name.
  Object.defineProperty(TelephonyActionModel, 'name', { value: modelName(action) });
  TelephonyActionModel.define({
    label: title,
    // The plugin's own menu lists it.
    hide: true,
    createModelOptions: { use: modelName(action) },
  });
  TelephonyActionModel.registerFlow({
    key: clickFlow,
    on: 'click',
    title,
    steps: { [clickStep]: { use: stepName(action) } },
  });
  TelephonyActionModel.registerFlow(hidingFlow(host, action));
  return TelephonyActionModel;
}

/** Registers each action as a button, and as a step of event flows. */
export function registerActions(host: Host): void {
  const { flowEngine } = host;
  const steps = definitions.actions.map((action) => [stepName(action), actionStep(host, action)]);
  flowEngine.registerActions(Object.fromEntries(steps));
  const models = Object.fromEntries(
    definitions.actions.map((action) => [modelName(action), actionModel(host, action)]),
  );
  flowEngine.registerModels(models);
}
