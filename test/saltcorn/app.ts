import { type Loose, model, state } from './host.ts';

/** The type of a column, or all that Saltcorn knows of it. */
type Column = string | object;

export const findTable = (name: string): Loose => model('table').findOne({ name });

/** Makes a table of a provider, as *Tables → Create table* does. */
export async function createTable(name: string, provider: string, configuration: object = {}) {
  await model('table').create(name, { provider_name: provider, provider_cfg: configuration });
  await state().refresh_tables();
  return findTable(name);
}

/** Makes a table of Saltcorn's own. */
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
  const made = findTable(name);
  for (const row of rows) await made.insertRow(row);
  return made;
}

export async function createTrigger(trigger: object) {
  const made = await model('trigger').create(trigger);
  await state().refresh_triggers();
  return made;
}

export const createAdministrator = () =>
  model('user').create({ email: 'a@example.com', password: 'Not-a-real-1', role_id: 1 });
