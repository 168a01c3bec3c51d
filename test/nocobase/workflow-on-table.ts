import type { Visitor } from '../../demo/nocobase/visitor.ts';

export interface WorkflowNode {
  type: string;
  /** The values of its fields; gets the keys of the nodes before it. */
  input: object | ((keys: string[]) => object);
  /** The key of its account; the only account by default. */
  account?: string;
  /** The configuration of a node of NocoBase's own. */
  config?: object;
}

interface Workflow {
  title: string;
  /** The type of its trigger. */
  type: string;
  config: object;
  /** Whether its caller waits for its end. */
  isAwaited: boolean;
  nodes: WorkflowNode[];
}

/** A table in NocoBase's database, and a workflow that runs when a row is added. */
export interface TableWithWorkflow {
  name: string;
  columns: string[];
  /** Whether the workflow has ended when the row is added. */
  isAwaited: boolean;
  nodes: WorkflowNode[];
}

/** Its columns hold JSON, so any type of value. */
async function addTable(admin: Visitor, { name, columns }: TableWithWorkflow) {
  const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
  const fields = columns.map((column) => ({ name: column, type: 'json', interface: 'json' }));
  await admin.request('collections:create', {
    ...{ name, title: name, autoGenId: false, template: 'general', fields: [id, ...fields] },
  });
}

/** Adds and enables a workflow, and returns its id. */
export async function addWorkflow(admin: Visitor, { isAwaited, nodes, ...own }: Workflow) {
  const values = { ...own, sync: isAwaited, enabled: false };
  const workflow = (await admin.request('workflows:create', values)) as { id: string };
  const keys: string[] = [];
  let upstreamId: string | null = null;
  for (const { type, input, account, config: own } of nodes) {
    const config = { input: typeof input === 'function' ? input(keys) : input, account, ...own };
    const node = (await admin.request(`workflows/${workflow.id}/nodes:create`, {
      ...{ type, title: type, upstreamId, branchIndex: null, config },
    })) as { id: string; key: string };
    upstreamId = node.id;
    keys.push(node.key);
  }
  await admin.request(`workflows:update?filterByTk=${workflow.id}`, { enabled: true });
  return workflow.id;
}

/** Adds a table and its workflow. */
export async function addWorkflowOnTable(admin: Visitor, table: TableWithWorkflow) {
  await addTable(admin, table);
  const { name, isAwaited, nodes } = table;
  const config = { collection: name, mode: 1, appends: [] };
  return addWorkflow(admin, { title: name, type: 'collection', config, isAwaited, nodes });
}

/** The newest job of all workflows. */
export async function newestJob(admin: Visitor): Promise<{ status: number; result: unknown }> {
  const [job] = (await admin.request('jobs:list?sort=-id&pageSize=1')) as {
    status: number;
    result: unknown;
  }[];
  if (!job) throw new Error('No workflow has run.');
  return job;
}
