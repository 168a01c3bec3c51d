import { type Block, freshId, gridModel } from './page-models.ts';
import type { Visitor } from './visitor.ts';

/** What a desk is made of, as its file describes it. */
export interface Desk {
  tables: Table[];
  pages: Page[];
  workflows: Workflow[];
}

/** A table of NocoBase's own. */
interface Table {
  name: string;
  title: string;
  columns: TableColumn[];
}

interface TableColumn {
  name: string;
  title: string;
  interface: string;
  /** A line of text unless said. */
  type?: string;
  /** What NocoBase is to know besides of how it is shown. */
  shown?: object;
}

export interface Page {
  title: string;
  icon: string;
  blocks: Block[];
}

interface Workflow {
  title: string;
  /** That of its trigger. */
  type: string;
  config: object;
  /** Whether whoever starts it waits for its end. */
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
  await visitor.ask('collections:create', {
    ...{ name, title, template: 'general', autoGenId: false, titleField: first?.name },
    fields: [id, ...fields],
  });
}

/** Adds a workflow to a NocoBase, and switches it on. */
export async function addWorkflow(visitor: Visitor, { nodes, ...own }: Workflow): Promise<void> {
  const { id } = (await visitor.ask('workflows:create', {
    ...{ sync: false, ...own, enabled: false },
  })) as { id: string };
  let upstreamId: string | null = null;
  for (const node of nodes) {
    const place = { upstreamId, branchIndex: null };
    const added = await visitor.ask(`workflows/${id}/nodes:create`, { ...node, ...place });
    upstreamId = (added as { id: string }).id;
  }
  await visitor.ask(`workflows:update?filterByTk=${id}`, { enabled: true });
}

/**
 * Adds pages to a NocoBase.
 *
 * @param dataSource the key of the data source whose collections they show, where a block does not say so
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
    await visitor.ask(`desktopRoutes:create?layout=${layout}`, {
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
    await visitor.ask('flowModels:save', gridModel(dataSource, blocks, { parentId: tab }));
    paths.push(`/v/admin/${place}`);
  }
  return paths;
}

/**
 * Adds a desk to a NocoBase.
 *
 * @param dataSource the key of the data source whose collections it shows
 * @param rows those of its tables, by their names
 */
export async function addDesk(
  visitor: Visitor,
  dataSource: string,
  { tables, pages, workflows }: Desk,
  rows: Record<string, object[]>,
): Promise<void> {
  for (const table of tables) {
    await addTable(visitor, table);
    for (const row of rows[table.name] ?? []) await visitor.ask(`${table.name}:create`, row);
  }
  await addPages(visitor, dataSource, pages);
  // From now on: rows that exist already trigger nothing.
  for (const workflow of workflows) await addWorkflow(visitor, workflow);
}

/** Lets SMS come in at the sandbox, which can be elsewhere at each start. */
export async function leadToSandbox(visitor: Visitor, sandbox: string): Promise<void> {
  await visitor.ask('environmentVariables:updateOrCreate?filterKeys[]=name', {
    ...{ name: 'SANDBOX', type: 'default', value: sandbox },
  });
}
