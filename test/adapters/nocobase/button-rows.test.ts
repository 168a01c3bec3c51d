import type { ButtonBlock, Popup } from '../../../plugin/nocobase/server/action/button-block.ts';
import { ButtonRows } from '../../../plugin/nocobase/server/action/button-rows.ts';

// NocoBase's own parser fills in variables of the user, which these data scopes don't have.
jest.mock(
  '@nocobase/server',
  () => ({ Plugin: class {}, createContextVariablesScope: () => ({}) }),
  { virtual: true },
);
jest.mock('@nocobase/utils', () => ({ parseFilter: async (filter: object) => filter }), {
  virtual: true,
});

// Which rows of blocks and records of popups a button may be used for. Tests in NocoBase's server cover variables of the user.

const records: Record<string, Record<string, object>> = {
  customers: {
    '1': {
      id: 1,
      phone: '+12025550171',
      since: new Date(0),
      tags: ['a'],
      note: '{{ $user.email }}',
    },
  },
  orders: { '5': { id: 5, customer: 1 } },
};

/** NocoBase with these records, and the filters with which they were read. */
function openApp() {
  const read: [collection: string, filter: unknown][] = [];
  const collections = Object.entries(records).map(([name, rows]) => ({
    ...{ name, filterTargetKey: 'id', getField: () => ({ type: 'integer' }) },
    repository: {
      find: async ({ filter, filterByTk }: { filter: unknown; filterByTk: string[] }) => {
        read.push([name, filter]);
        return filterByTk.flatMap((key) => rows[key] ?? []);
      },
    },
  }));
  const source = {
    acl: {
      middleware: () => async (reading: { permission: object }, next: () => Promise<void>) => {
        Object.assign(reading.permission, { can: {} });
        await next();
      },
    },
    collectionManager: {
      getCollection: (name: string) => collections.find((one) => one.name === name),
    },
  };
  const context = { state: { currentRoles: ['member'] } };
  const app = { dataSourceManager: { get: () => source } };
  const open = (popups: unknown) =>
    new ButtonRows(
      ...([app, context, popups] as unknown as ConstructorParameters<typeof ButtonRows>),
    );
  return { open, read };
}

const scopeOf = (path: string, value: unknown) => ({
  logic: '$and',
  items: [{ path, operator: '$eq', value }],
});
const block = (collection: string, more: Partial<ButtonBlock> = {}): ButtonBlock => ({
  ...{ dataSource: 'main', collection, scopes: [], popup: undefined, isOfPopup: false },
  ...more,
});
const popupOf = (opener: ButtonBlock | undefined, collection = 'customers'): Popup => ({
  ...{ uid: 'opener', dataSource: 'main', collection, opener },
});
const customers = block('customers', { scopes: [scopeOf('team', 'ours')] });
const shown = (more: object = {}) => ({
  opener: { dataSource: 'main', collection: 'customers', key: 1, ...more },
});

test('reads the record of a popup once, by the data scope of the block that opens it', async () => {
  const { open, read } = openApp();
  const rows = open(shown());
  const popup = popupOf(customers);
  const records = await Promise.all([rows.record(popup), rows.record(popup)]);
  expect(records).toMatchObject([{ phone: '+12025550171' }, { phone: '+12025550171' }]);
  expect(read).toEqual([['customers', { $and: [{ $and: [{ team: { $eq: 'ours' } }] }] }]]);
});

test('a data scope can be bound to the record of a popup, whose values are never variables', async () => {
  const { open } = openApp();
  const popup = popupOf(customers);
  const scopes = ['phone', 'note', 'since'].map((column) =>
    scopeOf('of', `{{ ctx.popup.record.${column} }}`),
  );
  const rows = open(shown());
  const filters = await rows.filters(block('calls', { popup, scopes }), {} as never);
  expect(filters).toEqual(
    ['+12025550171', '{{ $user.email }}', '1970-01-01T00:00:00.000Z'].map((value) => ({
      $and: [{ of: { $eq: value } }],
    })),
  );
});

test('the record of a popup in a popup fits the data scopes of both blocks', async () => {
  const { open, read } = openApp();
  const outer = { ...popupOf(customers), uid: 'outer' };
  const orders = block('orders', {
    popup: outer,
    scopes: [scopeOf('customer', '{{ ctx.popup.record.id }}')],
  });
  const order = { dataSource: 'main', collection: 'orders', key: 5 };
  await open({ outer: shown().opener, opener: order }).record(popupOf(orders, 'orders'));
  expect(read.map(([name]) => name)).toEqual(['customers', 'orders']);
  expect(read[1]).toEqual(['orders', { $and: [{ $and: [{ customer: { $eq: 1 } }] }] }]);
});

test('a block that shows the record of its popup has the data scope of the block that opens it', async () => {
  const { open } = openApp();
  const details = block('customers', { isOfPopup: true, popup: popupOf(customers) });
  expect(await open(shown()).filters(details, {} as never)).toEqual([
    { $and: [{ team: { $eq: 'ours' } }] },
  ]);
});

const only =
  "Your role may only use buttons whose records NocoBase's server can check. Nothing was sent.";
const noPopup =
  'This button uses the record of a popup, but is in a popup template or in no popup.';
const shows = (name: string) => `The popup of this button does not show rows of “${name}”.`;
const refused: [what: string, popup: Popup | undefined, said: unknown, reason: string][] = [
  ['no popup', undefined, shown(), noPopup],
  ['a popup template', popupOf(undefined), shown(), noPopup],
  [
    'a popup without a record',
    popupOf(customers),
    shown({ key: null }),
    'This button uses the record of a popup that shows none.',
  ],
  [
    'a popup that the browser does not name',
    popupOf(customers),
    { other: shown().opener },
    'This button uses the record of a popup that shows none.',
  ],
  [
    'a row of another collection',
    popupOf(customers),
    shown({ collection: 'orders' }),
    shows('orders'),
  ],
  [
    'a row of another data source',
    popupOf(customers),
    shown({ dataSource: 'x' }),
    shows('customers'),
  ],
  [
    'a record that the data scope is not for',
    popupOf(block('orders', { scopes: [scopeOf('team', 'ours')] })),
    shown(),
    'The popup of this button shows a row of “customers”, which is outside the data scope of the block that opens it.',
  ],
];

test.each(refused)('refuses %s', async (_, popup, said, reason) => {
  const { open, read } = openApp();
  await expect(open(said).record(popup)).rejects.toMatchObject({
    ...{ status: 403, message: `${reason} ${only}` },
  });
  expect(read).toEqual([]);
});

test.each(['gone', 'tags'])(
  'refuses a data scope bound to the column “%s” of a popup, which has no plain value',
  async (column) => {
    const { open } = openApp();
    const scopes = [scopeOf('of', `{{ ctx.popup.record.${column} }}`)];
    const bound = block('calls', { popup: popupOf(customers), scopes });
    await expect(open(shown()).filters(bound, {} as never)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('which has no value for you'),
    });
  },
);

test('a row that the data scope hides is not a record of the popup', async () => {
  const { open } = openApp();
  await expect(open(shown({ key: 2 })).record(popupOf(customers))).rejects.toMatchObject({
    message: expect.stringContaining('you may not see it'),
  });
});
