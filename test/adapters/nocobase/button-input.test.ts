import {
  accountOf,
  type ButtonSetup,
  buttonInput,
  buttonSetup,
} from '../../../plugin/nocobase/server/action/button-input.ts';
import { definitions } from '../../../src/builder.ts';

const { actions } = definitions;
const sms = actions.find(({ id }) => id === 'send-sms') as (typeof actions)[number];

const setup = (fields: object, asks = true): ButtonSetup => ({
  fields: { ...fields },
  ...{ asks, account: undefined, block: undefined },
});

const whole = {
  from: '+14155550100',
  to: '{{ ctx.record.phone }}',
  body: 'Dear {{ctx.record.name}},',
};
const wholeParts = {
  from: ['+14155550100'],
  to: [{ column: 'phone' }],
  body: ['Dear ', { column: 'name' }, ','],
};

const cases: [what: string, setup: ButtonSetup, typed: unknown, parts: object][] = [
  ['the configured values', setup(whole), {}, wholeParts],
  [
    'the configured values, even if the browser sends others',
    setup(whole),
    { from: '+1', to: '+2', body: 'x' },
    wholeParts,
  ],
  [
    'a value typed into an open field',
    setup({ to: '+1' }),
    { body: 'Hi' },
    { to: ['+1'], body: ['Hi'] },
  ],
  [
    'a value typed for a batch',
    setup({ to: '+1' }),
    { body: ['Hi'] },
    { to: ['+1'], body: ['Hi'] },
  ],
  [
    'no column that the button does not use',
    setup({ to: '+1' }),
    { body: [{ column: 'note' }] },
    { to: ['+1'] },
  ],
  ['no typed sender', setup({ to: '+1' }), { from: '+666' }, { to: ['+1'] }],
  [
    'no typed value if the button has no form',
    setup({ to: '+1' }, false),
    { body: 'x' },
    { to: ['+1'] },
  ],
  ['no value that is not a text', setup({}), { body: { toString: () => 'x' }, to: 5 }, {}],
  ['nothing without input', setup({}), null, {}],
  ['nothing inherited', setup({}), Object.create({ body: 'x' }), {}],
  ['an empty field as open', setup({ to: ' ', body: null }), { to: '+1' }, { to: ['+1'] }],
];

test.each(cases)('a button sends %s', (_, from, typed, parts) => {
  expect(buttonInput(sms, from, typed)).toEqual(parts);
});

test.each(['ctx.user.phone', 'ctx.formValues.to', 'ctx.record.customer.phone', '$nForm.to'])(
  'refuses a button that contains {{ %s }}, which only the browser knows',
  (variable) => {
    expect(() => buttonInput(sms, setup({ to: `{{ ${variable} }}` }), {})).toThrow(
      `“To” of this button contains {{ ${variable} }}. Your role may only use buttons with texts and columns of their row.`,
    );
  },
);

const stored: Record<string, object> = {
  whole: {
    use: 'TelephonySendSmsActionModel',
    stepParams: { telephonyClick: { run: { ...whole, account: 'a', ask: false } } },
  },
  bare: { use: 'TelephonySendSmsActionModel' },
  rows: { use: 'TelephonySendSmsSelectedRowsActionModel' },
  other: { use: 'TelephonyCreateACallRecordingActionModel' },
};
const init = { dataSourceKey: 'main', collectionName: 'orders' };
const scopeOf = (path: string) => ({ logic: '$and', items: [{ path, operator: '$eq', value: 1 }] });
const blockModel = (more: object, scope?: string) => ({
  stepParams: {
    resourceSettings: { init: { ...init, ...more } },
    ...(scope && { tableSettings: { dataScope: { filter: scopeOf(scope) } } }),
  },
});
const popup = { filterByTk: '{{ctx.view.inputArgs.filterByTk}}' };
const around: Record<string, object> = {
  column: { stepParams: {} },
  block: blockModel({}),
  mine: blockModel({}, 'owner'),
  open: blockModel({}, 'isOpen'),
  details: blockModel(popup),
  detailsOfOthers: blockModel({ ...popup, associationName: 'orders.parent' }),
  customers: blockModel({ collectionName: 'customers' }, 'name'),
  page: blockModel({ collectionName: 'pages' }),
};
/** The parents of a button, innermost first. */
const paths = ['whole', 'column', 'block', 'page'];
const places: Record<string, string[]> = { whole: paths };
const rows = (values: object) => ({ get: (key: string) => Reflect.get(values, key) });
const repositories: Record<string, object> = {
  flowModels: {
    findModelById: async (uid: string) => stored[uid] ?? null,
    findOne: async ({ filterByTk }: { filterByTk: string }) =>
      rows({ options: around[filterByTk] ?? stored[filterByTk] }),
  },
  flowModelTreePath: {
    find: async ({ filter }: { filter: { descendant: string } }) =>
      (places[filter.descendant] ?? []).map((ancestor) => rows({ ancestor })),
  },
};
const app = {
  db: { getRepository: (name: string) => repositories[name] },
} as unknown as Parameters<typeof buttonSetup>[0];

test('reads the configuration of a button', async () => {
  expect(await buttonSetup(app, sms, 'whole', '')).toEqual({
    fields: whole,
    asks: false,
    account: 'a',
    block: { dataSource: 'main', collection: 'orders', scopes: [] },
  });
  expect(await buttonSetup(app, sms, 'bare', '')).toEqual({ fields: {}, asks: true });
  expect(await buttonSetup(app, sms, 'rows', 'SelectedRows')).toEqual({ fields: {}, asks: true });
});

test.each<[string, string[], scopes: string[]]>([
  ['the data scope of its block', ['mine', 'open'], ['owner']],
  ['that of the block whose popup shows the row', ['details', 'column', 'mine', 'open'], ['owner']],
  ['those of popups in popups', ['details', 'details', 'mine'], ['owner']],
  ['none of a block that shows the popup of another record', ['detailsOfOthers', 'mine'], []],
  ['none of a block that shows another collection', ['details', 'customers'], []],
])('rows of a button fit %s', async (_, ancestors, scopes) => {
  places.bare = ['bare', ...ancestors];
  const { block } = await buttonSetup(app, sms, 'bare', '');
  delete places.bare;
  expect(block).toEqual({ dataSource: 'main', collection: 'orders', scopes: scopes.map(scopeOf) });
});

const known = [{ key: 'a' }, { key: 'b' }];
const accounts = {
  find: async (key: string) => known.find((one) => one.key === key),
  get: async (key: unknown) => known.find((one) => one.key === key) ?? 'the only one',
} as unknown as Parameters<typeof accountOf>[0];
const blockIn = (dataSource: string) => ({ dataSource, collection: 'x', scopes: [] });

test.each<[string, Parameters<typeof accountOf>[1], account: unknown]>([
  ['that it is set up with', { account: 'b', block: blockIn('a') }, known[1]],
  ['whose records its block shows', { account: undefined, block: blockIn('a') }, known[0]],
  ['that is the only one', { account: undefined, block: blockIn('main') }, 'the only one'],
  ['that is the only one, without a block', { account: '', block: undefined }, 'the only one'],
])('a button is for the account %s', async (_, button, account) => {
  expect(await accountOf(accounts, button)).toBe(account);
});

test.each([undefined, null, '', 'gone', 'rows', 'other', { $ne: 1 }, ['whole']])(
  'refuses %j as a button of the action',
  async (uid) => {
    await expect(buttonSetup(app, sms, uid, '')).rejects.toMatchObject({ status: 403 });
  },
);
