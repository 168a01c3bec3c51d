import { type Block, freshId, gridModel } from './page-models.ts';
import type { Visitor } from './visitor.ts';

/** A desk, as in its file. */
export interface Desk {
  tables: Table[];
  pages: Page[];
  workflows: Workflow[];
}

/** A table in NocoBase's database. */
interface Table {
  name: string;
  title: string;
  columns: TableColumn[];
}

interface TableColumn {
  name: string;
  title: string;
  interface: string;
  /** `input`, a line of text, by default. */
  type?: string;
  /** Further options of its display in NocoBase. */
  shown?: object;
}

export interface Page {
  title: string;
  icon: string;
  blocks: Block[];
}

interface Workflow {
  title: string;
  /** The configuration of its trigger. */
  type: string;
  config: object;
  /** Whether the request that starts it waits for its end. */
  sync?: boolean;
  nodes: { type: string; title: string; config: object }[];
}

const layout = 'admin-layout-model';

async function addTable(visitor: Visitor, { name, title, columns }: Table) {
  const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
  const fields = columns.map(({ title, shown, ...column }) => ({
    ...{ type: 'string', ...column },
    uiSchema: { title, type: 'string', 'x-component': 'Input', ...shown },
  }));
  const [first] = columns;
  await visitor.request('collections:create', {
    ...{ name, title, template: 'general', autoGenId: false, titleField: first?.name },
    fields: [id, ...fields],
  });
}

/** Adds a workflow to a NocoBase, and enables it. */
export async function addWorkflow(visitor: Visitor, { nodes, ...own }: Workflow): Promise<void> {
  const { id } = (await visitor.request('workflows:create', {
    ...{ sync: false, ...own, enabled: false },
  })) as { id: string };
  let upstreamId: string | null = null;
  for (const node of nodes) {
    const place = { upstreamId, branchIndex: null };
    const added = await visitor.request(`workflows/${id}/nodes:create`, { ...node, ...place });
    upstreamId = (added as { id: string }).id;
  }
  await visitor.request(`workflows:update?filterByTk=${id}`, { enabled: true });
}

/**
 * Adds pages to a NocoBase.
 *
 * @param dataSource the key of the data source of blocks that name none
 * @returns their paths
 */
export async function addPages(
  visitor: Visitor,
  dataSource: string,
  pages: Page[],
): Promise<string[]> {
  const paths: string[] = [];
  for (const { title, icon, blocks } of pages) {
    const [place, tab] = [freshId(), freshId()];
    await visitor.request(`desktopRoutes:create?layout=${layout}`, {
      ...{ type: 'flowPage', title, icon, enableTabs: false, uiLayouts: [layout] },
      ...{ schemaUid: place, menuSchemaUid: freshId() },
      children: [
        {
          type: 'tabs',
          schemaUid: tab,
          tabSchemaName: freshId(),
          hidden: true,
          uiLayouts: [layout],
        },
      ],
    });
    await visitor.request('flowModels:save', gridModel(dataSource, blocks, { parentId: tab }));
    paths.push(`/v/admin/${place}`);
  }
  return paths;
}

/**
 * Adds a desk to a NocoBase.
 *
 * @param dataSource the key of the data source whose collections it shows
 * @param rows the rows of its tables, by table name
 * @returns the paths of its pages
 */
export async function addDesk(
  visitor: Visitor,
  dataSource: string,
  { tables, pages, workflows }: Desk,
  rows: Record<string, object[]>,
): Promise<string[]> {
  for (const table of tables) {
    await addTable(visitor, table);
    for (const row of rows[table.name] ?? []) await visitor.request(`${table.name}:create`, row);
  }
  const paths = await addPages(visitor, dataSource, pages);
  // Last, so that the rows above trigger nothing.
  for (const workflow of workflows) await addWorkflow(visitor, workflow);
  return paths;
}

/** Sets the URL of the sandbox, which can differ at each start, in the workflow that lets SMS come in. */
export async function leadToSandbox(visitor: Visitor, sandbox: string): Promise<void> {
  await visitor.request('environmentVariables:updateOrCreate?filterKeys[]=name', {
    ...{ name: 'SANDBOX', type: 'default', value: sandbox },
  });
}
