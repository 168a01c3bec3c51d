import { randomBytes } from 'node:crypto';
import type { Visitor } from './visitor.ts';

/** A page, as the desk's file describes it. */
export interface Page {
  title: string;
  icon: string;
  blocks: Block[];
}

interface Block {
  collection: string;
  /** What columns are to be equal to; a value can be a variable. */
  where?: Record<string, string>;
  /** How many rows a page has. */
  pageSize?: number;
  buttons: Button[];
  rowButtons: Button[];
  columns: Column[];
}

interface Button {
  /** The name of its model. */
  use: string;
  title?: string;
  /** What its fields are filled in with. */
  run?: object;
  /** Event flows of it, as NocoBase keeps them. */
  flows?: object;
}

interface Column {
  field: string;
  /** The name of the model that shows it. */
  use: string;
  width?: number;
}

/** A model of NocoBase's pages, as its API takes it. */
interface Model {
  uid: string;
  use: string;
  parentId?: string;
  subKey: string;
  subType: 'object' | 'array';
  sortIndex: number;
  props: object;
  stepParams: object;
  flowRegistry: object;
  subModels: Record<string, Model | Model[]>;
}

const layout = 'admin-layout-model';
const freshId = () => randomBytes(6).toString('hex');

const model = (
  use: string,
  { subKey, subType = 'array', ...more }: Partial<Model> & { subKey: string },
  sortIndex = 0,
): Model => ({
  ...{ uid: freshId(), use, subKey, subType, sortIndex },
  ...{ props: {}, stepParams: {}, flowRegistry: {}, subModels: {}, ...more },
});

const buttonModel =
  (isLink: boolean) =>
  ({ use, title, run, flows = {} }: Button, index: number) => {
    const general = { ...(title && { title }), ...(isLink && { type: 'link', icon: null }) };
    const stepParams = { buttonSettings: { general }, ...(run && { telephonyClick: { run } }) };
    return model(use, { subKey: 'actions', stepParams, flowRegistry: flows }, index);
  };

function columnModel(dataSource: string, collection: string, column: Column, index: number) {
  const { field, use, width = 150 } = column;
  const init = { dataSourceKey: dataSource, collectionName: collection, fieldPath: field };
  return model(
    'TableColumnModel',
    {
      subKey: 'columns',
      props: { dataIndex: field, width },
      stepParams: {
        fieldSettings: { init },
        tableColumnSettings: { model: { use }, width: { width } },
      },
      subModels: { field: model(use, { subKey: 'field', subType: 'object' }) },
    },
    index + 1,
  );
}

function blockModel(dataSource: string, block: Block, index: number) {
  const { collection, where = {}, pageSize, buttons, rowButtons, columns } = block;
  const rowActions = model('TableActionsColumnModel', {
    subKey: 'columns',
    subModels: { actions: rowButtons.map(buttonModel(true)) },
  });
  const items = Object.entries(where).map(([path, value]) => ({ path, operator: '$eq', value }));
  const shown = columns.map((column, place) => columnModel(dataSource, collection, column, place));
  return model(
    'TableBlockModel',
    {
      subKey: 'items',
      stepParams: {
        resourceSettings: { init: { dataSourceKey: dataSource, collectionName: collection } },
        tableSettings: {
          ...(items.length > 0 && { dataScope: { filter: { logic: '$and', items } } }),
          ...(pageSize && { pageSize: { pageSize } }),
        },
      },
      subModels: {
        columns: rowButtons.length > 0 ? [rowActions, ...shown] : shown,
        actions: buttons.map(buttonModel(false)),
      },
    },
    index,
  );
}

/**
 * Adds pages to a NocoBase.
 *
 * @param dataSource the key of the data source whose collections they show
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
    const items = blocks.map((block, index) => blockModel(dataSource, block, index));
    const grid = {
      subKey: 'grid',
      subType: 'object',
      parentId: tab,
      subModels: { items },
    } as const;
    await visitor.ask('flowModels:save', model('BlockGridModel', grid));
    paths.push(`/v/admin/${place}`);
  }
  return paths;
}
