import { definitions, isMissing } from '../../../../src/builder.ts';
import type { Host } from '../host.ts';

/** NocoBase's block setting that filters the rows. */
interface DataScope {
  handler(context: ScopeContext, params: { filter?: unknown }): Promise<void>;
}

interface ScopeContext {
  model?: {
    uid: string;
    collection?: { dataSource?: { options?: { type?: string } } };
    resource?: {
      addFilterGroup(key: string, filter: object): void;
      removeFilterGroup(key: string): void;
    };
  };
  resolveJsonTemplate(template: unknown): Promise<unknown>;
}

/** A condition, or a group of conditions. */
interface Condition {
  path?: string;
  value?: unknown;
  items?: Condition[];
}

const name = 'dataScope';

/** The column of the first condition whose variable has no value. */
function unboundColumn(typed: Condition, filled: Condition): string | undefined {
  const { path, value, items = [] } = typed;
  if (path && String(value).includes('{{') && isMissing(filled.value)) return path;
  const inItems = items.map((item, index) => unboundColumn(item, Object(filled.items?.[index])));
  return inItems.find((column) => column !== undefined);
}

/**
 * Makes blocks of an account empty if a condition's variable has no value. NocoBase drops a condition whose variable is
 * a missing URL parameter, so the block would show every row.
 */
export function registerDataScope({ flowEngine }: Host): void {
  const scope = flowEngine.getAction(name) as DataScope | undefined;
  if (!scope) return;
  const handler: DataScope['handler'] = async (context, params) => {
    await scope.handler(context, params);
    const { uid, collection, resource } = context.model ?? {};
    if (!resource || collection?.dataSource?.options?.type !== definitions.manifest.id) return;
    const filled = Object(await context.resolveJsonTemplate(params.filter));
    const column = unboundColumn(Object(params.filter), filled);
    const group = `${uid}-unbound`;
    if (column) resource.addFilterGroup(group, { [column]: null });
    else resource.removeFilterGroup(group);
  };
  flowEngine.registerActions({ [name]: { ...scope, handler } });
}
