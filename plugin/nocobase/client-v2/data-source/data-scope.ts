import type { OpenPopup } from '@nocobase/flow-engine';
import { definitions } from '../../../../src/builder.ts';
import { popupScope } from '../../popup-scope.ts';
import type { Host } from '../host.ts';
import { type Condition, columnWithoutValue } from './conditions.ts';

/** NocoBase's block setting, or step of an event flow, that filters the rows of a block. */
interface Scope {
  defaultParams?: unknown;
  handler(context: ScopeContext, params: ScopeParams): Promise<void>;
}

interface ScopeParams {
  filter?: Condition;
  /** The block that the step of an event flow filters. */
  targetBlockUid?: string;
}

interface Resource {
  addFilterGroup(key: string, filter: object): void;
  removeFilterGroup(key: string): void;
}

interface ScopedModel {
  uid: string;
  collection?: { name: string; dataSource?: { key: string; options?: { type?: string } } };
  resource?: Resource;
}

interface ScopeContext {
  model?: ScopedModel & {
    /** Runs as soon as there is a model with this uid. */
    scheduleModelOperation(uid: string, run: (model: ScopedModel) => void): void;
  };
  /** The open popup. */
  popup?: Promise<OpenPopup | undefined> | undefined;
  resolveJsonTemplate(template: unknown): Promise<unknown>;
}

/** The columns of conditions without a value, by the data scope that they are in, of each block's resource. */
const unbound = new WeakMap<object, Map<string, string>>();

/** Returns the column of a condition without a value in the data scopes of a block. */
export const unboundColumn = (resource: object): string | undefined =>
  unbound.get(resource)?.values().next().value;

const isOfAccount = (model: ScopedModel | undefined) =>
  model?.collection?.dataSource?.options?.type === definitions.manifest.id;

/** The data scope of a new block. NocoBase also shows it in the block's settings. */
async function newScope({ model, popup }: ScopeContext) {
  const { collection } = model ?? {};
  const { dataSourceKey, collectionName = '' } = (await popup)?.resource ?? {};
  const isHere = isOfAccount(model) && dataSourceKey === collection?.dataSource?.key;
  return { filter: popupScope(collection?.name ?? '', isHere ? collectionName : '') };
}

/**
 * Notes the column of a data scope's condition without a value, and makes blocks of an account empty: NocoBase drops such a condition,
 * so the block would show every row.
 *
 * @param scope a name for the data scope
 */
function noteUnbound(model: ScopedModel | undefined, scope: string, column: string | undefined) {
  const { resource } = model ?? {};
  if (!resource) return;
  const columns = unbound.get(resource) ?? new Map<string, string>();
  unbound.set(resource, columns);
  if (column === undefined) columns.delete(scope);
  else columns.set(scope, column);
  if (!isOfAccount(model)) return;
  const group = `${scope}-unbound`;
  if (column === undefined) resource.removeFilterGroup(group);
  else resource.addFilterGroup(group, { [column]: null });
}

async function unboundIn({ filter = {} }: ScopeParams, context: ScopeContext) {
  return columnWithoutValue(filter, Object(await context.resolveJsonTemplate(filter)));
}

/** Gives blocks of an account in a popup their scope, and notes the conditions of all data scopes that have no value. */
export function registerDataScope({ flowEngine }: Host): void {
  const [scope, step] = ['dataScope', 'setTargetDataScope'].map(
    (name) => flowEngine.getAction(name) as Scope | undefined,
  );
  if (scope) {
    const handler: Scope['handler'] = async (context, params) => {
      await scope.handler(context, params);
      const { model } = context;
      noteUnbound(model, model?.uid ?? '', await unboundIn(params, context));
    };
    flowEngine.registerActions({ dataScope: { ...scope, defaultParams: newScope, handler } });
  }
  if (step) {
    const handler: Scope['handler'] = async (context, params) => {
      const { model } = context;
      const column = await unboundIn(params, context);
      const target = String(await context.resolveJsonTemplate(params.targetBlockUid ?? ''));
      // Before NocoBase's handler, which reloads the block.
      if (target)
        model?.scheduleModelOperation(target, (block) =>
          noteUnbound(block, `step-${model.uid}`, column),
        );
      await step.handler(context, params);
    };
    flowEngine.registerActions({ setTargetDataScope: { ...step, handler } });
  }
}
