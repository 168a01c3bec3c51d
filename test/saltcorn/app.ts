import { type Loose, model, saltcorn, state } from './host.ts';

/** The role of visitors who are not logged in. */
const everyone = 100;

export const forEveryone = { min_role_read: everyone };

/** The type of a column, or its whole definition. */
type Column = string | object;

export const findTable = (name: string): Loose => model('table').findOne({ name });

/** Creates a table of a provider, like *Tables → Create table*. */
export async function createTable(name: string, provider: string, configuration: object = {}) {
  await model('table').create(name, { provider_name: provider, provider_cfg: configuration });
  await state().refresh_tables();
  return findTable(name);
}

/** Creates a table in Saltcorn's database. */
export async function createNative(
  name: string,
  columns: Record<string, Column>,
  rows: object[] = [],
  options: object = {},
) {
  const table = await model('table').create(name, options);
  for (const [column, type] of Object.entries(columns))
    await model('field').create({
      ...{ table, name: column, label: column },
      ...(typeof type === 'string' ? { type } : type),
    });
  const created = findTable(name);
  for (const row of rows) await created.insertRow(row);
  return created;
}

/** Installs a pack, like the demo and the page of packs. */
export async function installPack(pack: object) {
  const { install_pack } = saltcorn('admin-models/models/pack');
  const install = (plugin: Loose) => model('plugin').loadAndSaveNewPlugin(plugin);
  await saltcorn('data/db').withTransaction(() => install_pack(pack, 'telephony', install));
  await state().refresh(true);
}

export async function createTrigger(trigger: object) {
  const created = await model('trigger').create(trigger);
  await state().refresh_triggers();
  return created;
}

/** A trigger that Saltcorn has loaded, as it runs it. */
export const loadedTrigger = (name: string): Loose => model('trigger').findOne({ name });

export const createAdministrator = () =>
  model('user').create({ email: 'a@example.com', password: 'Not-a-real-1', role_id: 1 });

/** A button that runs an action. */
export const button = (rndid: string, action_name: string, configuration: object, rest = {}) => ({
  ...{ type: 'action', rndid, action_name, action_label: rndid, minRole: everyone },
  ...{ configuration, ...rest },
});

export async function createView(
  name: string,
  viewtemplate: string,
  table: Loose,
  configuration: object,
  min_role = everyone,
): Promise<Loose> {
  await model('view').create({ name, viewtemplate, table_id: table.id, configuration, min_role });
  await state().refresh_views();
  return model('view').findOne({ name });
}

/** Creates a view in which someone changes a column of a row. */
export async function createEdit(name: string, table: Loose, column: string): Promise<string> {
  const field = { type: 'field', field_name: column, fieldview: 'edit' };
  const shown = { columns: [{ ...field, type: 'Field' }], layout: { above: [field] }, fixed: {} };
  await createView(name, 'Edit', table, shown);
  return name;
}

/** A list of columns, with buttons in each row. */
export const createList = (
  name: string,
  table: Loose,
  columns: string[],
  { buttons = [], ...default_state }: Loose = {},
) =>
  createView(name, 'List', table, {
    columns: [
      ...columns.map((field_name) => ({ type: 'Field', field_name, fieldview: 'as_text' })),
      ...buttons.map((one: object) => ({ ...one, type: 'Action' })),
    ],
    layout: {
      list_columns: true,
      besides: [
        ...columns.map((field_name) => ({
          header_label: field_name,
          contents: { type: 'field', field_name, fieldview: 'as_text' },
        })),
        ...buttons.map((contents: object) => ({ contents })),
      ],
    },
    default_state,
  });

/** Creates a view of any template, with buttons only. */
export const createButtons = (
  name: string,
  viewtemplate: string,
  table: Loose,
  buttons: object[],
  rest: object = {},
) =>
  createView(name, viewtemplate, table, {
    columns: buttons.map((one) => ({ ...one, type: 'Action' })),
    layout: { above: buttons },
    ...rest,
  });

/** A view in a page. */
export const embedded = (view: string, embed_state = 'shared', configuration: object = {}) => ({
  ...{ type: 'view', name: view, view, state: embed_state, configuration },
});

export async function createPage(name: string, ...above: object[]): Promise<void> {
  await model('page').create({
    ...{ name, title: name, description: '', min_role: everyone, fixed_states: {} },
    layout: { above },
  });
  await state().refresh_pages();
}
