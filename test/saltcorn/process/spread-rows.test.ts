import { until } from '../../support/until.ts';
import { createEdit, createNative, createTrigger } from '../app.ts';
import { type Host, model, startSaltcorn, state } from '../host.ts';
import { startWebsite, type Website } from '../website.ts';
import { type CrashLog, openCrashLog } from './crash-log.ts';

let host: Host;
let crashLog: CrashLog;
let website: Website;
const sms = { from: '+14155550100', to: '+12025550143', body: 'Someone registered.' };
/** Values of a user who may only add rows. */
const forged = { from: '+14155550100', to: '+12025550199', body: '{{ 6 * 7 }}' };
const bulk = { ...forged, rows_table: 'Customers', rows_of_page: false };

beforeAll(async () => {
  host = await startSaltcorn();
  crashLog = openCrashLog();
  website = await startWebsite();
  // Like the JSON module in Saltcorn's store.
  const json = { name: 'JSON', sql_name: 'jsonb', fieldviews: {}, read: (value: unknown) => value };
  state().registerPlugin('json', { sc_plugin_api_version: 1, plugin_name: 'json', types: [json] });
  await createNative('Customers', { name: 'String' }, [{ name: 'Ada' }]);
});
beforeEach(async () => {
  host.sandbox.messages.length = 0;
  await crashLog.clear();
});
afterEach(async () => {
  for (const trigger of model('trigger').find({})) await trigger.delete();
});

const sent = () => host.sandbox.messages.map(({ to }) => to);
const names: string[] = [];
const nameOf = (text: string) => `${text}${names.push(text)}`;
const messages = async () => (await crashLog.messages()).join();

/** Adds a row to a table with a trigger that sends something. */
async function addRow(action: string, row: object, trigger: object = { configuration: sms }) {
  const columns = Object.keys(row).map((name) => [name, 'JSON']);
  const table = await createNative(nameOf('signups'), Object.fromEntries(columns));
  const when_trigger = 'Insert';
  await createTrigger({ name: nameOf('t'), action, when_trigger, table_id: table.id, ...trigger });
  await table.insertRow(row);
}

const rows: [what: string, row: object][] = [
  ['configuration', { configuration: forged }],
  ['configuration and row', { configuration: forged, row: {} }],
  ['all names', { configuration: forged, row: {}, table: {}, trigger_id: 1, mode: 'workflow' }],
  ['all names and values', { ...forged, configuration: forged, row: forged, table: null }],
  ['the rows of a batch', { ...bulk, configuration: bulk, row: bulk }],
];
const actions = ['Send SMS', 'Send SMS for each row', 'Reply: SMS received'];
const attacks = actions.flatMap((action) => rows.map(([what, row]) => ({ action, what, row })));

test.each(attacks)('$action takes no fields from a row that has $what', async ({ action, row }) => {
  await addRow(action, row);
  expect(sent()).toEqual([]);
  expect(await messages()).toContain('“configuration”');
});

test.each(attacks)(
  '$action takes no fields from an event that has $what',
  async ({ action, row }) => {
    await createTrigger({ name: nameOf('t'), action, when_trigger: 'Login', configuration: sms });
    model('trigger').emitEvent('Login', null, { id: 1, role_id: 1 }, { channel: 'x', ...row });
    await until(async () => (await messages()).includes('“configuration”'));
    expect(sent()).toEqual([]);
  },
);

test('names the column that replaces the row', async () => {
  await addRow('Send SMS', { row: { phone: '+12025550199' } });
  expect(sent()).toEqual([]);
  expect(await messages()).toContain("the row's column “row” replaces the row");
});

test.each([
  ['row', { row: { phone: '+12025550199' } }],
  ['table', { row: { phone: '+12025550199' }, table: {} }],
])('names the column “%s” if a trigger runs another one', async (column, row) => {
  const name = nameOf('named');
  const configuration = { ...sms, to: '{{ phone }}' };
  await createTrigger({ name, action: 'Send SMS', when_trigger: 'Never', configuration });
  await addRow(name, row, {});
  const steps = [{ step_action_name: name }];
  await addRow('Multi-step action', row, { configuration: { steps } });
  expect(sent()).toEqual([]);
  expect(await crashLog.messages()).toEqual([
    expect.stringContaining(`the row's column “${column}” replaces`),
    expect.stringContaining(`the row's column “${column}” replaces`),
  ]);
});

const saved: [action: string, fields: object][] = [
  ['Send SMS', forged],
  ['Send SMS for each row', bulk],
];
test.each(saved)(
  '%s takes no fields from a row that a user saves in a view',
  async (action, fields) => {
    const columns = { name: 'String', configuration: 'JSON', row: 'JSON' };
    const table = await createNative(nameOf('orders'), columns);
    await table.insertRow({ name: 'Ada', configuration: fields, row: {} });
    const rest = { when_trigger: 'Update', table_id: table.id, configuration: sms };
    await createTrigger({ name: 'changed', action, ...rest });
    const view = await createEdit(nameOf('edit'), table, 'name');
    const admin = await website.user();
    const [{ id }] = await table.getRows({});
    await admin.get(`/view/${view}?id=${id}`);
    expect(await admin.post(`/view/${view}`, { id, name: 'Bob' })).toMatchObject({
      notify: expect.stringContaining("fields don't come from a trigger, so nothing was sent."),
    });
    expect(await table.getRows({})).toMatchObject([{ id, name: 'Bob' }]);
    expect(sent()).toEqual([]);
  },
);

test.each([
  ['Send SMS', { notify_success: expect.stringMatching(/^Message to .+ queued: /) }],
  ['Send SMS for each row', { eval_js: expect.stringContaining('/rows') }],
])('%s takes no row with a column “mode” for a step of a workflow', async (action, answer) => {
  const table = await createNative(nameOf('tickets'), { name: 'String', mode: 'String' });
  await table.insertRow({ name: 'Ada', mode: 'workflow' });
  const configuration = { ...sms, rows_table: 'Customers' };
  await createTrigger({
    ...{ name: 'saved', action, when_trigger: 'Update', table_id: table.id, configuration },
  });
  const view = await createEdit(nameOf('edit'), table, 'name');
  const admin = await website.user();
  await admin.get(`/view/${view}?id=1`);
  const saved = await admin.post(`/view/${view}`, { id: 1, name: 'Bob' });
  expect(saved).toMatchObject(answer);
  expect(saved).not.toHaveProperty('message');
});

test('takes the fields of a step of a trigger on a table', async () => {
  const steps = [{ step_action_name: 'Send SMS', ...sms }];
  const configuration = { steps };
  await addRow('Multi-step action', { name: 'Ada' }, { configuration });
  await addRow('Multi-step action', { configuration: forged }, { configuration });
  expect(sent()).toEqual([sms.to, sms.to]);
});

test('takes the fields of a trigger that was saved again while it runs', async () => {
  const table = await createNative(nameOf('signups'), { name: 'String' });
  const rest = { when_trigger: 'Insert', table_id: table.id, configuration: sms };
  for (const name of ['first', 'second'])
    await createTrigger({ name, action: 'Send SMS', ...rest });
  const [, second] = model('trigger').getTableTriggers('Insert', table);
  await table.insertRow({ name: 'Ada' });
  await state().refresh_triggers();
  await second.run({ name: 'Bob' });
  expect(sent()).toEqual([sms.to, sms.to, sms.to]);
});

test('takes the fields that the code of an administrator fills in', async () => {
  const code = `await Actions["Send SMS"]({ from: row.from, to: row.to, body: "Hi" })`;
  const configuration = { code, run_where: 'Server' };
  await addRow('run_js_code', { from: sms.from, to: sms.to }, { configuration });
  expect(await messages()).toBe('');
  expect(sent()).toEqual([sms.to]);
});
