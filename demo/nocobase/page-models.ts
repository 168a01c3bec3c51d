import { randomBytes } from 'node:crypto';

/** A block of a page, as in the desk's file. */
export interface Block {
  /** The name of its model; a table by default. */
  use?: 'DetailsBlockModel' | 'CreateFormModel' | 'TableBlockModel' | 'ChartBlockModel';
  title?: string;
  /** The key of its data source; that of the page by default. */
  dataSource?: string;
  collection: string;
  /** The values that columns must equal. A value can be a variable. */
  where?: Record<string, string | string[]>;
  /** The column that sorts the rows, newest first. */
  newestBy?: string;
  /** The number of rows per page. */
  pageSize?: number;
  /** Its event flows, as NocoBase stores them. */
  flows?: object;
  buttons?: Button[];
  rowButtons?: Button[];
  columns?: Column[];
  /** What a chart shows and how, as NocoBase stores it. */
  chart?: { query: object; option: object };
}

export interface Button {
  /** The name of its model. */
  use: string;
  title?: string;
  /** The values of its fields. */
  run?: object;
  /** Its event flows, as NocoBase stores them. */
  flows?: object;
  /** The blocks of the page that it opens. */
  popup?: Block[];
}

interface Column {
  /** `call.from` is a column of a related record. */
  field: string;
  /** The name of the model that displays or edits it. */
  use: string;
  width?: number;
}

/** A model of NocoBase's pages, in the form of its API. */
export interface Model {
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

/** The collection that a block shows. */
interface Shown {
  dataSourceKey: string;
  collectionName: string;
}

export const freshId = () => randomBytes(6).toString('hex');

const model = (
  use: string,
  { subKey, subType = 'array', ...more }: Partial<Model> & { subKey: string },
  sortIndex = 0,
): Model => ({
  ...{ uid: freshId(), use, subKey, subType, sortIndex },
  ...{ props: {}, stepParams: {}, flowRegistry: {}, subModels: {}, ...more },
});

/** The blocks of a page, or of a page that a button opens. */
export function gridModel(
  dataSource: string,
  blocks: Block[],
  place: Pick<Model, 'parentId'> = {},
): Model {
  const items = blocks.map((block, index) => blockModel(dataSource, block, index));
  return model('BlockGridModel', {
    ...{ ...place, subKey: 'grid', subType: 'object', subModels: { items } },
  });
}

/** A page that a button opens. */
function popupModel({ dataSourceKey }: Shown, blocks: Block[]): Model {
  const tab = model('ChildPageTabModel', {
    subKey: 'tabs',
    stepParams: { pageTabSettings: { tab: { title: '{{t("Details")}}' } } },
    subModels: { grid: gridModel(dataSourceKey, blocks) },
  });
  return model('ChildPageModel', {
    ...{ subKey: 'page', subType: 'object', subModels: { tabs: [tab] } },
    stepParams: { pageSettings: { general: { displayTitle: false, enableTabs: false } } },
  });
}

const buttonModel =
  (shown: Shown, isLink: boolean) =>
  ({ use, title, run, flows = {}, popup }: Button, index: number) => {
    const general = { ...(title && { title }), ...(isLink && { type: 'link', icon: null }) };
    const opened = { ...shown, mode: 'drawer', size: 'large', pageModelClass: 'ChildPageModel' };
    const stepParams = {
      buttonSettings: { general },
      ...(run && { telephonyClick: { run } }),
      ...(popup && { popupSettings: { openView: opened } }),
    };
    const subModels = popup ? { page: popupModel(shown, popup) } : {};
    return model(use, { subKey: 'actions', stepParams, flowRegistry: flows, subModels }, index);
  };

function initOf(shown: Shown, fieldPath: string) {
  const [head, column] = fieldPath.split('.');
  const related = column === undefined ? {} : { associationPathName: head };
  return { fieldSettings: { init: { ...shown, fieldPath, ...related } } };
}

const fieldModel = (use: string, stepParams: object = {}) =>
  model(use, { subKey: 'field', subType: 'object', stepParams });

function columnModel(shown: Shown, { field, use, width = 150 }: Column, index: number) {
  const tableColumnSettings = { model: { use }, width: { width } };
  return model(
    'TableColumnModel',
    {
      subKey: 'columns',
      props: { dataIndex: field.split('.').at(-1), width },
      stepParams: { ...initOf(shown, field), tableColumnSettings },
      subModels: { field: fieldModel(use) },
    },
    index + 1,
  );
}

/** The parts of a table. */
function tableParts(
  shown: Shown,
  { where = {}, newestBy: field, pageSize, rowButtons = [], columns = [] }: Block,
) {
  const rowActions = model('TableActionsColumnModel', {
    subKey: 'columns',
    subModels: { actions: rowButtons.map(buttonModel(shown, true)) },
  });
  const items = Object.entries(where).map(([path, value]) => ({
    ...{ path, value },
    operator: Array.isArray(value) ? '$in' : '$eq',
  }));
  const fields = columns.map((column, place) => columnModel(shown, column, place));
  return {
    tableSettings: {
      ...(items.length > 0 && { dataScope: { filter: { logic: '$and', items } } }),
      ...(field && { defaultSorting: { sort: [{ field, direction: 'desc' }] } }),
      ...(pageSize && { pageSize: { pageSize } }),
    },
    subModels: { columns: rowButtons.length > 0 ? [rowActions, ...fields] : fields },
  };
}

/** The parts of a form, or of the details of a record. */
function recordParts(shown: Shown, { columns = [] }: Block, kind: 'Details' | 'Form') {
  const items = columns.map(({ field, use }, index) => {
    const init = initOf(shown, field);
    const subModels = { field: fieldModel(use, init) };
    return model(`${kind}ItemModel`, { subKey: 'items', stepParams: init, subModels }, index);
  });
  return {
    subModels: {
      grid: model(`${kind}GridModel`, { subKey: 'grid', subType: 'object', subModels: { items } }),
    },
  };
}

/** The parts of a chart. */
function chartParts({ dataSourceKey, collectionName }: Shown, { chart }: Block) {
  const query = { mode: 'builder', collectionPath: [dataSourceKey, collectionName] };
  const configure = {
    query: { ...query, ...chart?.query },
    chart: { option: chart?.option },
  };
  return { chartSettings: { configure }, subModels: {} };
}

function partsOf(use: Block['use'], shown: Shown, block: Block) {
  if (use === 'ChartBlockModel') return chartParts(shown, block);
  if (use === 'TableBlockModel') return tableParts(shown, block);
  return recordParts(shown, block, use === 'DetailsBlockModel' ? 'Details' : 'Form');
}

/** The record of the row with the pressed button. */
const ofButton = { filterByTk: '{{ctx.view.inputArgs.filterByTk}}' };

function blockModel(dataSource: string, block: Block, index: number): Model {
  const { use = 'TableBlockModel', title, collection, buttons = [], flows = {} } = block;
  const shown = { dataSourceKey: block.dataSource ?? dataSource, collectionName: collection };
  const init = { ...shown, ...(use === 'DetailsBlockModel' && ofButton) };
  const { subModels, ...settings } = partsOf(use, shown, block);
  const stepParams = {
    resourceSettings: { init },
    ...(title && { cardSettings: { titleDescription: { title } } }),
    ...settings,
  };
  const actions = buttons.map(buttonModel(shown, false));
  return model(
    use,
    {
      ...{ subKey: 'items', stepParams, flowRegistry: flows },
      subModels: { ...subModels, actions },
    },
    index,
  );
}
