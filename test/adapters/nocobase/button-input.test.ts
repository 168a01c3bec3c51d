import {
  accountOf,
  type ButtonSetup,
  buttonInput,
  buttonSetup,
} from '../../../plugin/nocobase/server/action/button-input.ts';
import { definitions } from '../../../src/builder.ts';

const { actions } = definitions;
const sms = actions.find(({ id }) => id === 'send-sms') as (typeof actions)[number];

const setup = (fields: object, asks = true): Pick<ButtonSetup, 'fields' | 'asks'> => ({
  fields: { ...fields },
  asks,
});
/** An account with a default sender. */
const withDefault = { defaultSender: '+14155550101' };
const inNoPopup = async () => {
  throw new Error('There is no popup.');
};

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

const cases: [what: string, setup: ReturnType<typeof setup>, typed: unknown, parts: object][] = [
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

test.each(cases)('a button sends %s', async (_, from, typed, parts) => {
  expect(await buttonInput(sms, withDefault, from, typed, inNoPopup)).toEqual(parts);
});

test('a button without any sender sends nothing, even if the browser sends one', async () => {
  const input = buttonInput(
    sms,
    { defaultSender: '' },
    setup({ to: '+1' }),
    { from: '+1' },
    inNoPopup,
  );
  await expect(input).rejects.toMatchObject({
    code: 'input',
    message:
      "This button has no sender. Ask an administrator to enter one in the button's settings, or in the plugin's settings. Nothing was sent.",
  });
});

const ofPopup = { to: '{{ ctx.popup.record.phone }}', body: 'Dear {{ctx.popup.record.name}},' };

test('a button sends values of the record of its popup, read once by the server', async () => {
  const record = { phone: '+12025550143', name: '{{ ctx.record.note }}' };
  expect(
    await buttonInput(sms, withDefault, setup(ofPopup), { to: '+1' }, async () => record),
  ).toEqual({
    to: ['+12025550143'],
    body: ['Dear ', '{{ ctx.record.note }}', ','],
  });
});

test.each([{}, { phone: null }, { phone: '' }])(
  'a button sends nothing if the record of its popup is %j',
  async (record) => {
    const input = buttonInput(sms, withDefault, setup(ofPopup), {}, async () => record);
    await expect(input).rejects.toMatchObject({
      ...{ code: 'input', field: 'to' },
      message: '"To" is missing: the record of the popup has no “phone”.',
    });
  },
);

test.each([
  'ctx.user.phone',
  'ctx.formValues.to',
  'ctx.record.customer.city.phone',
  'ctx.popup.parent.record.phone',
  'ctx.popup.record.customer.phone',
  '$nForm.to',
])('refuses a button that contains {{ %s }}, which only the browser knows', async (variable) => {
  const input = buttonInput(sms, withDefault, setup({ to: `{{ ${variable} }}` }), {}, inNoPopup);
  await expect(input).rejects.toThrow(
    `You can't use this button: “To” contains {{ ${variable} }}, which your role may not use. Nothing was sent. Ask an administrator to enter a text or a column of the row, or of the popup's record, instead.`,
  );
});

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
const opening = (collectionName: string) => ({
  stepParams: {
    popupSettings: { openView: { dataSourceKey: 'main', collectionName, mode: 'drawer' } },
  },
});
const around: Record<string, object> = {
  column: { stepParams: {} },
  opener: opening('orders'),
  secondOpener: opening('orders'),
  customerOpener: opening('customers'),
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
    // Like a database, it returns the models in any order.
    find: async ({ filter }: { filter: { uid: { $in: string[] } } }) =>
      Object.entries({ ...stored, ...around })
        .filter(([uid]) => filter.uid.$in.includes(uid))
        .map(([uid, options]) => rows({ uid, options })),
  },
  flowModelTreePath: {
    find: async ({ filter }: { filter: { descendant: string } }) =>
      (places[filter.descendant] ?? []).map((ancestor) => rows({ ancestor })).reverse(),
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
    block: { dataSource: 'main', collection: 'orders', scopes: [], isOfPopup: false },
  });
  expect(await buttonSetup(app, sms, 'bare', '')).toEqual({ fields: {}, asks: true });
  expect(await buttonSetup(app, sms, 'rows', 'SelectedRows')).toEqual({ fields: {}, asks: true });
});

const orders = { dataSource: 'main', collection: 'orders', scopes: [], isOfPopup: false };
const mine = { ...orders, scopes: [scopeOf('owner')] };
const popupOf = (uid: string, opener: object | undefined, collection = 'orders') => ({
  ...{ uid, opener, dataSource: 'main', collection },
});
const inPopup = { ...orders, isOfPopup: true, popup: popupOf('opener', mine) };

test.each<[string, string[], place: object]>([
  ['its block with a data scope', ['mine', 'open'], { block: mine }],
  [
    'the popup of its block',
    ['details', 'column', 'opener', 'mine', 'open'],
    { block: inPopup, popup: popupOf('opener', mine) },
  ],
  [
    'a popup in a popup',
    ['details', 'secondOpener', 'details', 'opener', 'mine'],
    {
      block: { ...inPopup, popup: popupOf('secondOpener', inPopup) },
      popup: popupOf('secondOpener', inPopup),
    },
  ],
  [
    'a popup of another collection',
    ['customerOpener', 'mine'],
    { block: mine, popup: popupOf('customerOpener', mine, 'customers') },
  ],
  [
    'a block that shows the popup of another record',
    ['detailsOfOthers', 'opener', 'mine'],
    { block: { ...orders, popup: popupOf('opener', mine) }, popup: popupOf('opener', mine) },
  ],
  [
    'a popup template, which no block opens',
    ['details', 'opener'],
    {
      block: { ...inPopup, popup: popupOf('opener', undefined) },
      popup: popupOf('opener', undefined),
    },
  ],
])('a button is in %s', async (_, ancestors, place) => {
  places.bare = ['bare', ...ancestors];
  const { block, popup } = await buttonSetup(app, sms, 'bare', '');
  delete places.bare;
  expect({ block, popup }).toEqual(place);
});

const known = [{ key: 'a' }, { key: 'b' }];
const accounts = {
  find: async (key: string) => known.find((one) => one.key === key),
  get: async (key: unknown) => known.find((one) => one.key === key) ?? 'the only one',
} as unknown as Parameters<typeof accountOf>[0];
const blockIn = (dataSource: string) => ({
  ...{ dataSource, collection: 'x', scopes: [], isOfPopup: false, popup: undefined },
});

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
