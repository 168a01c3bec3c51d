import { selectedRows } from '../../../plugin/nocobase/server/bulk/selected-rows.ts';

jest.mock('@nocobase/utils', () => ({ parseDate: (value: unknown) => value }), { virtual: true });

// Which rows are read for a selection in the browser. Tests in NocoBase's server cover the user's rights.

const rows: Record<string, object> = { '0': { id: 0 }, a: { id: 'a' }, b: { id: 'b' } };
const rights = { filter: { mine: true }, fields: ['name'], except: ['id', 'secret'] };

const context = { state: { currentRoles: ['member'] } };

/**
 * NocoBase with a table, and the queries that it received.
 *
 * @param can the rights of a role; null if NocoBase lets everyone list a table
 * @param keyType the type of the key column
 */
function openApp(
  filterTargetKey: string | string[] = 'id',
  can: object | null = {},
  keyType = 'string',
) {
  const read: object[] = [];
  const queries: object[] = [];
  const repository = {
    // Like a database, it returns the rows in any order.
    find: async ({ filterByTk, ...options }: { filterByTk: string[] }) => {
      read.push({ filterByTk, ...options });
      return Object.entries(rows)
        .filter(([key]) => filterByTk.includes(key))
        .map(([key, row]) => (key === 'b' ? { toJSON: () => row } : row))
        .reverse();
    },
    findOne: async ({ filterByTk, ...options }: { filterByTk: string }) => {
      read.push({ filterByTk, ...options });
      return rows[filterByTk] ?? null;
    },
  };
  const collection = {
    ...{ name: 'people', repository, filterTargetKey },
    getField: (name: string) => (name === 'id' ? { type: keyType } : undefined),
  };
  type Reading = typeof context & {
    action: { params: object };
    permission: { can?: object | null };
    getCurrentRepository(): object;
  };
  const acl = {
    middleware: () => async (reading: Reading, next: () => Promise<void>) => {
      const { action, state } = reading;
      queries.push({
        ...action,
        params: { ...action.params },
        state,
        of: reading.getCurrentRepository(),
      });
      Object.assign(action.params, rights);
      reading.permission.can = can;
      await next();
    },
  };
  const source = {
    acl,
    collectionManager: {
      getCollection: (name: string) => (name === 'people' ? collection : undefined),
    },
  };
  const app = {
    dataSourceManager: { get: (key: string) => (key === 'main' ? source : undefined) },
  };
  const select = (request: object, filtersFor?: object) =>
    selectedRows(
      ...([
        ...[app, context],
        { dataSource: 'main', collection: 'people', ...request },
        filtersFor,
      ] as unknown as Parameters<typeof selectedRows>),
    );
  return { select, read, queries, collection, repository };
}

test('reads all rows in one request, with the rights of the user who selected them', async () => {
  const { select, read, queries, collection, repository } = openApp();
  expect(await select({ rows: [0, 'a', 'b'] })).toEqual({
    ...{ collection, isOfService: false, titleOf: expect.any(Function) },
    rows: [{ id: 0 }, { id: 'a' }, { id: 'b' }],
  });
  expect(read).toEqual([
    {
      ...{ filter: { $and: [rights.filter] }, fields: ['name', 'id'], except: ['secret'] },
      ...{ filterByTk: ['0', 'a', 'b'], context },
    },
  ]);
  expect(queries).toEqual([
    expect.objectContaining({
      ...{ name: 'list', actionName: 'list', resourceName: 'people', params: {} },
      ...{ state: context.state, of: repository },
    }),
  ]);
});

test.each([[['id', 'name']], [null]])('refuses rows of a table with the keys %j', async (keys) => {
  const { select, read } = openApp(keys as string[]);
  await expect(select({ rows: ['a'] })).rejects.toMatchObject({
    code: 'input',
    message:
      '“people” needs one column as its record key, so that its rows can be selected. Nothing was done.',
  });
  expect(read).toEqual([]);
});

test('reads only rows that fit the filters of a block, too', async () => {
  const { select, read, collection } = openApp();
  const listed: string[] = [];
  const filtersFor = async (reading: { action: { resourceName: string } }) => {
    listed.push(reading.action.resourceName);
    return [{ owner: { $eq: 1 } }];
  };
  await select({ rows: ['a'] }, filtersFor);
  expect(listed).toEqual([collection.name]);
  expect(read).toMatchObject([{ filter: { $and: [rights.filter, { owner: { $eq: 1 } }] } }]);
});

test('reads no rows of a table that a role is not granted, even if NocoBase lets everyone list it', async () => {
  const { select, read } = openApp('id', null);
  await expect(select({ rows: ['a'] })).rejects.toMatchObject({ status: 403 });
  expect(read).toEqual([]);
});

test('reads rows for the root role, which no data source grants anything', async () => {
  const { select } = openApp('id', null);
  context.state.currentRoles.push('root');
  expect((await select({ rows: ['a'] })).rows).toEqual([{ id: 'a' }]);
  context.state.currentRoles.pop();
});

const none = 'No row is selected. Select rows first. Nothing was done.';
const unknown =
  'The request does not contain the selected rows. Reload the page. Nothing was done.';
const noCollection = 'There is no collection';

const refused: [name: string, request: object, message: string, read: number][] = [
  ['no rows', {}, none, 0],
  ['an empty list', { rows: [] }, none, 0],
  ['all rows', { rows: '*' }, none, 0],
  ['a condition', { rows: { $ne: 1 } }, none, 0],
  ['a condition among keys', { rows: ['a', { $ne: 1 }] }, unknown, 0],
  ['an empty key', { rows: ['a', ''] }, unknown, 0],
  ['a null key', { rows: [null] }, unknown, 0],
  ['a fractional key', { rows: [1.5] }, unknown, 0],
  [
    'too many rows',
    { rows: Array(100_001).fill('a') },
    'You selected more than 100,000 rows. Select fewer.',
    0,
  ],
  [
    'rows of an unknown collection',
    { rows: ['a'], collection: 'x' },
    `${noCollection} “x”. Nothing was done.`,
    0,
  ],
  [
    'rows of an unknown data source',
    { rows: ['a'], dataSource: 'x' },
    `${noCollection} “people”. Nothing was done.`,
    0,
  ],
  [
    'a deleted row',
    { rows: ['a', 'z', 'b'] },
    'A selected row no longer exists, or you may not see it. Reload the page. Nothing was done.',
    1,
  ],
];
test.each(refused)('refuses a selection with %s', async (_, request, message, count) => {
  const { select, read } = openApp();
  await expect(select(request)).rejects.toMatchObject({
    code: 'input',
    message: expect.stringContaining(message),
  });
  expect(read).toHaveLength(count);
});

test('reads as many rows as a batch may have, a thousand at a time', async () => {
  const { select, read } = openApp();
  const keys = Array(100_000).fill('a');
  expect((await select({ rows: keys })).rows).toHaveLength(100_000);
  expect(read.map((query) => Object(query).filterByTk.length)).toEqual(Array(100).fill(1_000));
});

test.each([
  ['bigInt', 'abc'],
  ['bigInt', '1 or 1=1'],
  ['bigInt', '9223372036854775808'],
  ['snowflakeId', '1e3'],
  ['integer', '2147483648'],
  ['uuid', '1'],
  ['string', 'a\0b'],
])(
  'refuses a key for a column of type %s that is %j, before a database does',
  async (type, key) => {
    const { select, read } = openApp('id', {}, type);
    await expect(select({ rows: [key] })).rejects.toMatchObject({
      code: 'input',
      message: `“${key}” is not the key of a row. Nothing was done.`,
    });
    expect(read).toEqual([]);
  },
);

test.each([
  ['bigInt', '9223372036854775807'],
  ['integer', 0],
  ['uuid', '6BA7B810-9dad-11d1-80b4-00c04fd430c8'],
])('reads a row whose key of type %s is %j', async (type, key) => {
  const { select, read } = openApp('id', {}, type);
  await select({ rows: [key] }).catch(() => {});
  expect(read).toMatchObject([{ filterByTk: [String(key)] }]);
});

/** NocoBase with bookings of guests, and the columns that a role may read of each. */
interface Rights {
  fields?: string[];
  appends?: string[];
}
type Granted = Rights | null;

function openBookings(granted: Record<string, Granted>) {
  const stored: Record<string, Record<string, unknown>[]> = {
    bookings: [
      { id: 1, guestId: 7, date: 'May 1' },
      { id: 2, guestId: null, date: 'May 2' },
    ],
    guests: [{ id: 7, phone: '+12025550143', secret: 'x' }],
  };
  const guest = { foreignKey: 'guestId', targetKey: 'id', target: 'guests' };
  const types: Record<string, object> = {
    guest: { name: 'guest', type: 'belongsTo', options: guest },
    tags: { name: 'tags', type: 'belongsToMany', options: { target: 'guests' } },
  };
  type Query = { fields?: string[]; filterByTk?: string[]; filter?: { $and: object[] } };
  const collections = Object.entries(stored).map(([name, rows]) => ({
    ...{ name, filterTargetKey: 'id' },
    getField: (field: string) =>
      types[field] ?? (rows[0] && field in rows[0] && { name: field, type: 'string', options: {} }),
    repository: {
      find: async ({ fields, filterByTk, filter }: Query) => {
        const wanted: string[] = filterByTk ?? Object(filter?.$and[0]).id?.$in ?? [];
        return rows
          .filter(({ id }) => wanted.includes(String(id)))
          .map((row) => Object.entries(row).filter(([key]) => fields?.includes(key) ?? true))
          .map((all) => ({
            get: (key: string) => Object.fromEntries(all)[key],
            toJSON: () => Object.fromEntries(all),
          }));
      },
    },
  }));
  type Reading = {
    action: { resourceName: string; params: { appends?: string[] } };
    permission: object;
  };
  const acl = {
    middleware:
      () =>
      async ({ action, permission }: Reading, next: () => Promise<void>) => {
        const rights = granted[action.resourceName];
        const { appends: wanted } = action.params;
        Object.assign(action.params, rights);
        // Like NocoBase, it keeps relations apart from columns.
        if (wanted)
          action.params.appends = wanted.filter((name) => rights?.appends?.includes(name) ?? true);
        Object.assign(permission, { can: rights });
        await next();
      },
  };
  const getCollection = (name: string) => collections.find((one) => one.name === name);
  const app = { dataSourceManager: { get: () => ({ acl, collectionManager: { getCollection } }) } };
  return (column: string) =>
    selectedRows(
      ...([
        ...[app, { state: { currentRoles: ['member'] } }],
        {
          ...{ dataSource: 'main', collection: 'bookings', rows: ['1', '2'] },
          input: { to: [{ column }] },
        },
      ] as unknown as Parameters<typeof selectedRows>),
    );
}

const dates = [
  { id: 1, date: 'May 1' },
  { id: 2, date: 'May 2' },
];
const ofBookings = { fields: ['date'], appends: ['guest'] };
const noPhone = [{ 'guest.phone': undefined }, { 'guest.phone': undefined }];
test.each<[what: string, granted: Record<string, Granted>, column: string, values: object[]]>([
  [
    'a column that the user may read',
    { bookings: ofBookings, guests: { fields: ['phone'] } },
    'guest.phone',
    [{ 'guest.phone': '+12025550143' }, { 'guest.phone': undefined }],
  ],
  [
    'no other column',
    { bookings: ofBookings, guests: { fields: ['secret'] } },
    'guest.phone',
    noPhone,
  ],
  [
    'no key that the user may not read',
    { bookings: ofBookings, guests: { fields: ['phone'] } },
    'guest.id',
    [{ 'guest.id': undefined }, { 'guest.id': undefined }],
  ],
  [
    'nothing of a table that the user may not read',
    { bookings: ofBookings, guests: null },
    'guest.phone',
    noPhone,
  ],
  [
    'nothing of a relation that the user may not read',
    { bookings: { fields: ['date'], appends: [] }, guests: {} },
    'guest.phone',
    [{}, {}],
  ],
])('reads, of a related record, %s', async (_, granted, column, values) => {
  const { rows, titleOf } = await openBookings(granted)(column);
  expect(rows).toEqual(dates.map((row, index) => ({ ...row, ...values[index] })));
  expect([column, 'guest.x', 'tags.phone', 'guest.phone.x', 'x.phone'].map(titleOf)).toEqual([
    column.replace('.', ' / '),
    ...[undefined, undefined, undefined, undefined],
  ]);
});
