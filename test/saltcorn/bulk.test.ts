import { definitions } from '../../src/index.ts';
import { createNative, createTable } from './app.ts';
import { artefact, type Host, installPlugin, type Loose, startSaltcorn, state } from './host.ts';

let host: Host;
const people = [
  ['Ada', '+12025550101', 'yes'],
  ['Grace', '+12025550102', 'yes'],
  ['Edsger', '+12025550103', 'no'],
  ['Barbara', '+12025550104', 'yes'],
];

const columns = { name: 'String', phone: 'String', wants: 'String' };
const forStaff = { min_role_read: 40 };

beforeAll(async () => {
  host = await startSaltcorn();
  const customers = people.map(([name, phone, wants]) => ({ name, phone, wants }));
  await createNative('Customers', columns, customers, forStaff);
  const leads = Array.from({ length: 30 }, (_, index) => ({
    phone: `+120255502${10 + index}`,
    name: 'Lead',
  }));
  await createNative('Leads', columns, leads, forStaff);
  await createTable('Calls', 'Telephony: Calls by caller id');
});
beforeEach(async () => {
  await installPlugin(artefact, host.settings);
  host.sandbox.messages.length = 0;
  host.sandbox.faults.clear();
});

const updates: Loose[] = [];
const administrator = { id: 1, role_id: 1 };
const configuration = {
  rows_table: 'Customers',
  rows_limit: 100,
  from: '+14155550100',
  to: '{{ phone }}',
  body: 'Dear {{ name }}, we are closed & sorry.',
};

function run(overrides: object = {}, others: object = {}) {
  updates.length = 0;
  jest
    .spyOn(state(), 'emitDynamicUpdate')
    .mockImplementation((_tenant, data: Loose) => updates.push(data));
  return state().actions['Send SMS for each row'].run({
    configuration: { ...configuration, ...overrides },
    user: administrator,
    req: { user: administrator, headers: { 'page-load-tag': 'tag' } },
    ...others,
  });
}

const sent = () => host.sandbox.messages.map(({ to, body }) => [to, body.split(',')[0]]).sort();

test('there is one for each action', () => {
  const names = Object.keys(state().actions);
  expect(names).toEqual(
    expect.arrayContaining(definitions.actions.map(({ name }) => `${name} for each row`)),
  );
});

test('each row is done once, with its own values, and progress is shown', async () => {
  expect(await run()).toEqual({ notify_success: 'Send SMS: 4 done.' });
  expect(sent()).toEqual(people.map(([name, phone]) => [phone, `Dear ${name}`]).sort());
  const shown = updates.map(({ page_load_tag, progress_bar_update: bar }) => [
    page_load_tag,
    bar.message,
    bar.percent,
    bar.close,
  ]);
  expect(shown).toEqual([
    ['tag', '0 of 4', 0, undefined],
    ['tag', '1 of 4', 25, undefined],
    ['tag', '2 of 4', 50, undefined],
    ['tag', '3 of 4', 75, undefined],
    ['tag', '4 of 4', 100, true],
  ]);
});

const selections: [name: string, overrides: object, others: object, names: string[]][] = [
  ['a formula', { rows_where: '{ wants: "yes" }' }, {}, ['Ada', 'Barbara', 'Grace']],
  [
    'the filter of the page',
    {},
    { referrer: 'http://localhost/page/customers?wants=no' },
    ['Edsger'],
  ],
  [
    'both',
    { rows_where: '{ wants: "yes" }' },
    { referrer: 'http://localhost/page/customers?name=Gra&x=1&name=' },
    ['Grace'],
  ],
  [
    'no filter of the page',
    { rows_of_page: false, rows_where: '{ name: "Ada" }' },
    { referrer: 'http://localhost/page/customers?name=Grace' },
    ['Ada'],
  ],
  ['a trigger, without a page', { rows_where: '{ name: "Ada" }' }, { req: undefined }, ['Ada']],
];
test.each(selections)('the rows are chosen by %s', async (_, overrides, others, names) => {
  await run(overrides, others);
  expect(
    sent()
      .map(([, greeting]) => greeting?.replace('Dear ', ''))
      .sort(),
  ).toEqual(names);
});

test('rows of the service are done as well', async () => {
  const inProgress = host.sandbox.calls.filter(({ status }) => status === 'in-progress');
  const { actions } = state();
  const before = host.sandbox.recordings.length;
  const result = await actions['Create a Call Recording for each row'].run({
    configuration: {
      rows_table: 'Calls',
      rows_where: '{ status: "in-progress" }',
      callSid: '{{ sid }}',
    },
  });
  expect(result).toEqual({
    notify_success: `Create a Call Recording: ${inProgress.length} done.`,
  });
  expect(host.sandbox.recordings).toHaveLength(before + inProgress.length);
});

test('rows that ask for the same have it done once', async () => {
  const result = await run({ to: '+12025550199', body: 'Hello' });
  expect(result).toEqual({ notify_success: 'Send SMS: 1 done, 3 the same as another row.' });
  expect(sent()).toEqual([['+12025550199', 'Hello']]);
});

test('a number that is written otherwise in another row is the same', async () => {
  await createNative(
    'Twice',
    columns,
    [
      { name: 'Ada', phone: '+12025550101' },
      { name: 'Ada', phone: ' +1 (202) 555-0101' },
    ],
    forStaff,
  );
  const result = await run({ rows_table: 'Twice' });
  expect(result).toEqual({ notify_success: 'Send SMS: 1 done, 1 the same as another row.' });
  expect(sent()).toEqual([['+12025550101', 'Dear Ada']]);
});

test('what failed and what is unknown is summed up and named, and nothing is sent again', async () => {
  host.sandbox.faults.add({ name: 'reset-after', times: 1 });
  const { error } = await run({
    rows_where: '{ wants: "yes" }',
    body: '{{ name == "Barbara" ? "" : name }}',
  });
  const [counts, ...lines] = error.split('<br>');
  expect(counts).toBe('Send SMS: 1 done, 1 failed, 1 unknown, perhaps done.');
  expect(lines).toEqual([
    expect.stringMatching(
      /^\+1202555010[12]: .* may have been done or not; it was not sent again\./,
    ),
    expect.stringMatching(/^\+12025550104: .*Body/),
  ]);
  expect(sent()).toEqual([
    ['+12025550101', 'Ada'],
    ['+12025550102', 'Grace'],
  ]);
});

test('when the credentials are refused the rest is not tried', async () => {
  await installPlugin(artefact, { ...host.settings, password: 'wrong-password-1' });
  const { error } = await run({ rows_table: 'Leads' });
  const [, failed, untried] = error.match(/^Send SMS: 0 done, (\d+) failed, (\d+) not tried\.<br>/);
  expect(Number(failed) + Number(untried)).toBe(30);
  expect(Number(failed)).toBeLessThanOrEqual(5);
  expect(error).toContain('The service refused the credentials');
});

test('a long list of failures is cut short', async () => {
  const { error } = await run({ rows_table: 'Leads', body: '' });
  const lines = error.split('<br>');
  expect(lines[0]).toBe('Send SMS: 0 done, 30 failed.');
  expect(lines.slice(1)).toHaveLength(21);
  expect(lines.at(-1)).toBe('And 10 more.');
});

const refusals: [name: string, overrides: object, others: object, message: string][] = [
  [
    'more rows than allowed',
    { rows_limit: 3 },
    {},
    'More than 3 rows of “Customers” fit, so nothing was done. Filter them, or raise “Rows at most”.',
  ],
  ['no such table', { rows_table: 'Clients' }, {}, 'There is no table “Clients”.'],
  ['a broken formula', { rows_where: '{ wants: ' }, {}, '“Only where” is no formula: '],
];
test.each(refusals)('%s is refused', async (_, overrides, others, message) => {
  const { error } = await run(overrides, others);
  expect(error).toContain(message);
  expect(sent()).toEqual([]);
});

test('only rows that one may read are done', async () => {
  await installPlugin(artefact, { ...host.settings, minimumRole: '100' });
  const visitor = { user: undefined, req: {} };
  expect(await run({}, visitor)).toEqual({ notify_success: 'Send SMS: 0 done.' });
  expect(sent()).toEqual([]);
});

test('a workflow goes on with the counts and the records', async () => {
  const result = await run({ rows_where: '{ name: "Ada" }' }, { mode: 'workflow', req: undefined });
  expect(result).toMatchObject({
    done: 1,
    failed: 0,
    unknown: 0,
    same: 0,
    untried: 0,
    messages: [{ to: '+12025550101', status: 'queued' }],
  });
});

test('an action does not repeat the names of the fields that choose the rows', () => {
  const keys = definitions.actions.flatMap(({ fields }) => fields.map(({ key }) => key));
  expect(keys.filter((key) => key.startsWith('rows_'))).toEqual([]);
});
