import type { OpenPopup } from '@nocobase/flow-engine';
import { definitions, isMissing } from '../../../../src/builder.ts';
import { popupScope } from '../../popup-scope.ts';
import type { Host } from '../host.ts';

/** NocoBase's block setting that filters the rows. */
interface DataScope {
  defaultParams?: unknown;
  handler(context: ScopeContext, params: { filter?: unknown }): Promise<void>;
}

interface ScopeContext {
  model?: {
    uid: string;
    collection?: { name: string; dataSource?: { key: string; options?: { type?: string } } };
    resource?: {
      addFilterGroup(key: string, filter: object): void;
      removeFilterGroup(key: string): void;
    };
  };
  /** The open popup. */
  popup?: Promise<OpenPopup | undefined> | undefined;
  resolveJsonTemplate(template: unknown): Promise<unknown>;
}

/** A condition, or a group of conditions. */
interface Condition {
  path?: string;
  value?: unknown;
  items?: Condition[];
}

const name = 'dataScope';

const isOfAccount = ({ model }: ScopeContext) =>
  model?.collection?.dataSource?.options?.type === definitions.manifest.id;

/** The data scope of a new block. NocoBase also shows it in the block's settings. */
async function newScope(context: ScopeContext) {
  const { collection } = context.model ?? {};
  const { dataSourceKey, collectionName = '' } = (await context.popup)?.resource ?? {};
  const isHere = isOfAccount(context) && dataSourceKey === collection?.dataSource?.key;
  return { filter: popupScope(collection?.name ?? '', isHere ? collectionName : '') };
}

/** The column of the first condition whose variable has no value. */
function unboundColumn(typed: Condition, filled: Condition): string | undefined {
  const { path, value, items = [] } = typed;
  if (path && String(value).includes('{{') && isMissing(filled.value)) return path;
  const inItems = items.map((item, index) => unboundColumn(item, Object(filled.items?.[index])));
  return inItems.find((column) => column !== undefined);
}

/**
 * Gives blocks of an account in a popup their scope, and makes blocks empty if a condition's variable has no value: NocoBase
 * drops such a condition, so the block would show every row.
 */
export function registerDataScope({ flowEngine }: Host): void {
  const scope = flowEngine.getAction(name) as DataScope | undefined;
  if (!scope) return;
  const handler: DataScope['handler'] = async (context, params) => {
    await scope.handler(context, params);
    const { uid, resource } = context.model ?? {};
    if (!resource || !isOfAccount(context)) return;
    const filled = Object(await context.resolveJsonTemplate(params.filter));
    const column = unboundColumn(Object(params.filter), filled);
    const group = `${uid}-unbound`;
    if (column) resource.addFilterGroup(group, { [column]: null });
    else resource.removeFilterGroup(group);
  };
  flowEngine.registerActions({
    [name]: { ...scope, defaultParams: newScope, handler },
  });
}
