import { execFileSync } from 'node:child_process';
import { root } from '../../support/root.ts';
import { sidsOf } from '../../support/sids-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createNative, createTable, createView, findTable } from '../app.ts';
import { type Host, type Loose, model, saltcorn, startSaltcorn, state } from '../host.ts';

let host: Host;
let calls: Loose[];
beforeAll(async () => {
  host = await startSaltcorn();
  calls = host.sandbox.calls;
  const [first] = calls;
  Object.assign(first, { to: first.from, duration: '9', queue_time: '10' });
  await createTable('Calls', 'Telephony: Calls by caller id');
  await createTable('Recordings', 'Telephony: Recordings by caller id');
});
beforeEach(() => host.forget());

/** The filter that Saltcorn builds from a formula, such as that of a list's included rows. */
const formula = (text: string, user: object = { role_id: 80 }) =>
  model('expression').jsexprToWhere(text, { user }, findTable('Calls').fields);

/** The filter that Saltcorn builds from a URL. */
function address(query: string) {
  const { readState, stateFieldsToWhere } = saltcorn('data/plugin-helper');
  const table = findTable('Calls');
  const asked = Object.fromEntries(new URLSearchParams(query));
  return stateFieldsToWhere({
    ...{ fields: table.fields, table },
    state: readState(asked, table.fields),
  });
}

const isBusy = (call: Loose) => call.status === 'busy';
const all = () => true;
const none = () => false;

const formulas: [formula: string, fits: (call: Loose) => boolean, user?: object][] = [
  ['user.role_id == 1 || status == "busy"', isBusy],
  ['user.role_id == 1 || status == "busy"', all, { role_id: 1 }],
  ['user.role_id != 80 && status == "busy"', none],
  ['user.role_id != 80 && status == "busy"', isBusy, { role_id: 1 }],
  ['user.role_id < 40 && status == "busy"', none],
  ['user.role_id <= 80 && status == "busy"', isBusy],
  ['user.isOwner || status == "busy"', isBusy, { isOwner: false }],
  ['user.isOwner || status == "busy"', all, { isOwner: true }],
  ['!user.isOwner && status == "busy"', none, { isOwner: true }],
  ['from == to', (call) => call.from === call.to],
  ['from != to', (call) => call.from !== call.to],
  [
    'duration < queueTime',
    (call) => call.duration !== null && Number(call.duration) < Number(call.queue_time),
  ],
  ['60 < duration', (call) => Number(call.duration) > 60],
  ['from == /^\\+1(202|212)/', (call) => /^\+1(202|212)/.test(call.from)],
  ['"busy" == status', isBusy],
  ['from == "+1 (202) 555-0143"', (call) => call.from === '+12025550143'],
  ['to == "+1 415 555 0100"', (call) => call.to === '+14155550100'],
  ['!parentCallSid', (call) => call.parent_call_sid === null],
  ['duration', (call) => Number(call.duration) > 0],
  ['startTime != "soon"', none],
  ['duration != "long"', none],
  ['!(duration == "long") && status == "busy"', none],
];
// Rest parameters, because jest passes a callback to a test with more parameters than its case has.
test.each(formulas)('the formula %s selects its calls', async (...[text, fits, user]) => {
  const expected = calls.filter(fits);
  if (fits !== none) expect(expected).not.toHaveLength(0);
  expect(sidsOf(await findTable('Calls').getRows(formula(text, user)))).toEqual(sidsOf(expected));
});

const has = (part: string) => (call: Loose) =>
  [call.from, call.to, call.status, call.direction, call.from_formatted, call.to_formatted].some(
    (text) => text.toLowerCase().includes(part),
  );
const isFrom = (time: string, hours: number) => (call: Loose) => {
  const since = Date.parse(call.start_time) - Date.parse(time.length === 10 ? time : `${time}Z`);
  return since >= 0 && since < hours * 3_600_000;
};
const addresses: [query: string, fits: (call: Loose) => boolean][] = [
  ['_lte_duration=60', (call) => call.duration !== null && Number(call.duration) <= 60],
  ['_gte_duration=60', (call) => Number(call.duration) >= 60],
  ['to=%2B1 (415) 555-0100', (call) => call.to === '+14155550100'],
  ['from=%2B1 (202) 555-0143', (call) => call.from === '+12025550143'],
  ['status=processing', none],
  ['_fromdate_startTime=2026-11-19&_todate_startTime=2026-11-19', isFrom('2026-11-19', 24)],
  ['_fromdate_startTime=2026-11-18T15:00:00.000Z', isFrom('2026-11-18T15:00', 1000)],
  [
    '_fromdate_startTime=2026-11-18T15:00:00.000Z&_todate_startTime=2026-11-19T14:59:59.999Z',
    isFrom('2026-11-18T15:00', 24),
  ],
  ['_fts=BOUND', has('bound')],
  ['_fts=5550143', has('5550143')],
  ['_fts=(202) 555', has('(202) 555')],
  ['_fts_Calls=5550143', has('5550143')],
  ['_fts_Calls=zzzz', none],
  // Users see neither paths, nor versions, nor the prefix of SIDs.
  ['_fts=json', none],
  ['_fts=2010-04', none],
  ['_fts=accounts', none],
  ['_fts=ca', has('ca')],
];
test.each(addresses)('the URL query ?%s selects its calls', async (query, fits) => {
  const expected = calls.filter(fits);
  if (fits !== none) expect(expected).not.toHaveLength(0);
  expect(sidsOf(await findTable('Calls').getRows(address(query)))).toEqual(sidsOf(expected));
  expect(await findTable('Calls').countRows(address(query))).toBe(expected.length);
});

// A list can be bound to a missing value.
const blank: [table: string, where: object][] = [
  ['Calls', { from: '' }],
  ['Calls', { to: ' ' }],
  ['Calls', { sid: '' }],
  ['Recordings', { from: '' }],
  ['Recordings', { from: ' ' }],
  ['Recordings', { from: { in: ['', ' '] } }],
  ['Recordings', { from: { or: ['', '+19998887777'] } }],
];
test.each(blank)('%s finds nothing for a blank value: %j', async (table, where) => {
  expect(await findTable(table).getRows(where)).toEqual([]);
  expect(await findTable(table).countRows(where)).toBe(0);
});

test('a search finds a complete SID', async () => {
  const { sid } = calls[3];
  expect(sidsOf(await findTable('Calls').getRows(address(`_fts=${sid}`)))).toEqual([sid]);
});

test('understands merged conditions and a filter that matches nothing', async () => {
  const table = findTable('Calls');
  expect(
    await table.getRows({
      eq: [
        [1, 1],
        [1, 2],
      ],
    }),
  ).toEqual([]);
  expect(await table.getRows({ _false: true })).toEqual([]);
  expect(sidsOf(await table.getRows({ not: { or: [{ id: calls[0].sid }] } }))).toEqual(
    sidsOf(calls.slice(1)),
  );
});

// A filter that cannot be parsed matches neither all rows nor none.
const unknown: [where: object, message: string][] = [
  [
    { stauts: 'busy' },
    'A filter by “stauts”, which is not a column of this table, is not possible here.',
  ],
  [{ status: {} }, 'The filter “{}” of “status” is not possible here.'],
  [{ status: { equal: true } }, 'The filter “{"equal":true}” of “status” is not possible here.'],
  [{ status: [] }, 'The filter “[]” of “status” is not possible here.'],
  [{ status: { sounds_like: 'bisy' } }, 'A filter by “sounds_like” is not possible here.'],
  [
    { startTime: { gt: new Date(), day_only: true } },
    'A filter by “day_only” is not possible here.',
  ],
  [{ duration: { lt: 'soon' } }, 'Comparing “duration” with “soon” is not possible here.'],
  [
    { startTime: { gt: 'soon' } },
    'Comparing “startTime” with “soon” is not possible here. Write for example startTime >= today() or startTime < "2026-12-31".',
  ],
  [
    { startTime: { gt: new Date('soon') } },
    'Comparing “startTime” with “Invalid Date” is not possible here. Write for example startTime >= today() or startTime < "2026-12-31".',
  ],
  [{ from: Symbol('duration') }, 'Comparing “from” with “duration” is not possible here.'],
  [{ or: [{}, { status: 'busy' }] }, 'The filter “{}” is not possible here.'],
  [{ not: {} }, 'The filter “{}” is not possible here.'],
  [{ and: ['status'] }, 'The filter “status” is not possible here.'],
  [{ eq: ['busy'] }, 'The filter “["busy"]” is not possible here.'],
  [
    { sid: { inSelect: { table: 'Gone', field: 'call', where: {} } } },
    'The table “Gone” no longer exists.',
  ],
];
test.each(unknown)('rejects the filter %j', async (where, message) => {
  const reading = findTable('Calls').getRows(where);
  await expect(reading).rejects.toMatchObject({ code: 'input', message });
  expect(takeRequests(host.sandbox)).toEqual([]);
});

/** Reads the rows of a page's URL, like its lists and their pagers. */
function onPage(query: string) {
  const asked = Object.fromEntries(new URLSearchParams(query));
  const where = address(query);
  const table = findTable('Calls');
  const figures = { all: { field: 'duration', aggregate: 'count' } };
  const req = { method: 'GET', headers: {}, query: asked, user: { role_id: 1 } };
  return saltcorn('data/db').runWithTenant({ tenant: 'public', req }, () =>
    Promise.allSettled([
      table.getJoinedRows({ where }),
      table.countRows(where),
      table.aggregationQuery(figures, { where }),
    ]),
  );
}

// Saltcorn omits from the filter what it cannot parse.
test.each([
  ['duration=long', 'Duration'],
  ['price=cheap', 'Price'],
  ['startTime=soon', 'Started'],
  ['status=busy&duration=1m', 'Duration'],
])('refuses the URL query ?%s, because %s has no such value', async (query, label) => {
  const message = `The page's address has an invalid filter for “${label}”.`;
  const refused = {
    status: 'rejected',
    reason: expect.objectContaining({ code: 'input', message }),
  };
  expect(await onPage(query)).toEqual([refused, refused, refused]);
  expect(takeRequests(host.sandbox)).toEqual([]);
});

test.each(['duration=', 'duration=null', 'duration=9&utm_source=x', 'from=anybody'])(
  'accepts the URL query ?%s',
  async (query) => {
    const statuses = (await onPage(query)).map(({ status }: Loose) => status);
    expect(statuses).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  },
);

test.each([
  [{ status: undefined }],
  [{ not: { status: undefined } }],
  [{ sid: undefined }],
  [{ duration: { gt: null } }],
])('%p matches no row, as in SQL', async (where) => {
  expect(await findTable('Calls').getRows(where)).toEqual([]);
});

test('recordings can be filtered by exact callers only, the one filter the service supports', async () => {
  const table = findTable('Recordings');
  const callers = [...new Set(calls.map(({ from }) => from))].slice(0, 2);
  const of = (from: string) => {
    const own = new Set(sidsOf(calls.filter((call) => call.from === from)));
    return sidsOf(host.sandbox.recordings.filter(({ call_sid }) => own.has(call_sid)));
  };
  expect(sidsOf(await table.getRows({ from: { in: callers } })).sort()).toEqual(
    callers.flatMap(of).sort(),
  );
  await expect(table.getRows({ not: { from: callers[0] } })).rejects.toThrow(
    '“From” can be filtered only by an exact value.',
  );
});

/** All clock functions except the calendar. */
const timers = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];

describe('a day in a formula, such as today(-7)', () => {
  afterEach(() => jest.useRealTimers());

  test.each(['2026-01-05T09:00:00Z', '2026-08-08T09:00:00Z', '2026-12-31T23:30:00Z'])(
    'compares correctly on %s',
    async (now) => {
      jest.useFakeTimers({ now: new Date(now), doNotFake: timers });
      const days = [0, 1, 6, 8, 20, 400].map((ago) => Date.parse(now) - ago * 86_400_000);
      const some = calls.slice(0, days.length);
      some.forEach((call, index) => {
        call.start_time = new Date(days[index] ?? 0).toUTCString();
      });
      const known = { sid: { in: sidsOf(some) } };
      const fitting = async (text: string) =>
        sidsOf(await findTable('Calls').getRows({ and: [formula(text), known] }));
      expect(await fitting('startTime > today(-7)')).toEqual(sidsOf(some.slice(0, 3)));
      expect(await fitting('startTime < today(-7)')).toEqual(sidsOf(some.slice(3)));
      expect(await fitting('today(-7) <= startTime')).toEqual(sidsOf(some.slice(0, 3)));
    },
  );

  test.each([
    'startTime >= today() && (status === "busy" || status === "no-answer")',
    "(status == 'busy' || status == 'no-answer') && startTime > today()",
    'status === ("busy" || "no-answer") && startTime > today()',
    'today() <= startTime && !(status != "busy" && status != "no-answer")',
    'startTime >= today() && startTime < today(1) && (status == "busy" || status == "no-answer")',
    'startTime >= year + "-" + month + "-" + day && (status == "busy" || status == "no-answer")',
  ])('finds the missed calls of today by %s, and requests only the day', async (text) => {
    jest.useFakeTimers({ now: new Date('2027-03-01T09:00:00Z'), doNotFake: timers });
    const some = calls.slice(0, 5);
    const statuses = ['busy', 'completed', 'no-answer', 'busy', 'failed'];
    const days = ['01 Mar', '01 Mar', '01 Mar', '28 Feb', '01 Mar'];
    some.forEach((call, index) => {
      call.status = statuses[index];
      call.start_time = `${days[index]} 2027 08:00:00 +0000`;
    });
    const found = await findTable('Calls').getRows(formula(text));
    expect(sidsOf(found)).toEqual(sidsOf([some[0], some[2]]));
    const requests = takeRequests(host.sandbox);
    expect(requests).not.toEqual([]);
    expect(requests.filter((one) => !one.includes('StartTime%3E=2027-03-01'))).toEqual([]);
  });

  // By the clock of the server, like Saltcorn's own.
  test.each(['UTC', 'America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Kiritimati'])(
    'begins at midnight in %s',
    (TZ) => {
      const program = `
        import { parseWhere } from './plugin/saltcorn/where/parse-where.ts';
        import { truthOf } from './src/builder.ts';
        const columns = { types: new Map([['at', 'date']]), key: 'sid', searched: [] };
        const truths = ['2026-8-1', '2026-08-01', '2026-11-13', '2026-1-1'].map((day) => {
          const [year, month, date] = day.split('-').map(Number);
          const midnight = new Date(year, month - 1, date).getTime();
          const condition = parseWhere({ at: { gt: day, equal: true } }, columns);
          return [-1, 0].map((later) => truthOf(condition, columns)({ at: new Date(midnight + later) }));
        });
        console.log(JSON.stringify(truths));`;
      const printed = execFileSync(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '-e', program],
        { cwd: root, env: { ...process.env, TZ }, encoding: 'utf8' },
      );
      expect(JSON.parse(printed)).toEqual(Array(4).fill([false, true]));
    },
  );
});

describe('row ownership', () => {
  beforeAll(async () => {
    await createNative('Customers', { phone: 'String', agent: 'String' }, [
      { phone: '+1 (202) 555-0143', agent: 'ada' },
    ]);
    await createTable('Own calls', 'Telephony: Calls by caller id', {
      key_from: 'Customers.phone',
    });
  });
  const user = { id: 7, role_id: 80, phones: ['+12025550143'], isManager: false };
  const own = () => calls.filter(({ from }) => from === '+12025550143');

  async function owned(ownership_formula: string) {
    const table = findTable('Calls');
    await table.update({ ownership_formula, min_role_read: 1 });
    await state().refresh_tables();
    return findTable('Calls');
  }
  afterAll(() => owned(''));

  test.each([
    ['from == user.phones[0]', 'too complex for a filter'],
    ['user.phones.includes(from)', 'too complex for a filter'],
    ['user.isManager || user.phones.includes(from)', 'too complex for a filter'],
    ['from === "+12025550143"', 'a filter'],
  ])('by the formula %s, which is %s, shows the rows of the user', async (text) => {
    const table = await owned(text);
    const expected = sidsOf(own());
    const options = { forUser: user };
    expect(expected).not.toHaveLength(0);
    expect(sidsOf(await table.getRows({}, options))).toEqual(expected);
    expect(sidsOf(await table.getJoinedRows({ where: {}, ...options }))).toEqual(expected);
    expect(await table.countRows({}, options)).toBe(expected.length);
    const figures = { val: { aggregate: 'Count', field: 'sid' } };
    expect(await table.aggregationQuery(figures, options)).toEqual({ val: expected.length });
    expect(await table.getRows({}, { forPublic: true })).toEqual([]);
    expect(await table.countRows({}, { forPublic: true })).toBe(0);
    expect(await table.countRows({}, { forUser: { role_id: 1 } })).toBe(calls.length);
  });

  /** What a chart, which doesn't say who opened it, shows in a request. */
  const chartIn = (req: object | undefined) =>
    saltcorn('data/db').runWithTenant({ tenant: 'public', req }, async () => {
      const table = findTable('Calls');
      const count = { val: { aggregate: 'count' } };
      const [rows, all, groups] = await Promise.all([
        table.getJoinedRows({ where: {}, joinFields: {} }),
        table.aggregationQuery(count, { where: {} }),
        table.aggregationQuery(count, { where: {}, groupBy: ['from'] }),
      ]);
      return { sids: sidsOf(rows), count: all.val, callers: groups.map(({ from }: Loose) => from) };
    });
  const charted = (some: Loose[]) => ({
    sids: sidsOf(some),
    count: some.length,
    callers: [...new Set(some.map(({ from }) => from))].sort(),
  });
  const page = { method: 'GET', originalUrl: '/page/charts', headers: {} };
  const ofView = { ...page, method: 'POST', originalUrl: '/view/calendar/ajax_load_events' };
  const click = { ...page, method: 'POST', originalUrl: '/view/desk/run_action' };

  test.each<[what: string, request: object | undefined, some: () => Loose[]]>([
    ['a page of the owner', { ...page, user }, own],
    ['a view of the owner that reloads its rows', { ...ofView, user }, own],
    ['a page of a visitor', page, () => []],
    ['a page of an administrator', { ...page, user: { role_id: 1 } }, () => calls],
    ['the script of a button', { ...click, user }, () => calls],
    ['a trigger', undefined, () => calls],
  ])('limits charts: %s', async (_, request, some) => {
    await owned('from === "+12025550143"');
    expect(await chartIn(request)).toEqual(charted(some()));
  });

  test.each([['user.isManager'], ['user.role_id == 40']])(
    'by the formula %s shows no rows',
    async (text) => {
      const table = await owned(text);
      expect(await table.getRows({}, { forUser: user })).toEqual([]);
      expect(await table.countRows({}, { forUser: user })).toBe(0);
    },
  );

  test('can depend on values of another table', async () => {
    const table = findTable('Own calls');
    const ownership_formula = 'fromRow?.agent === user.name';
    await table.update({ ownership_formula, min_role_read: 1 });
    await state().refresh_tables();
    const rowsFor = (name: string) =>
      findTable('Own calls').getRows({}, { forUser: { ...user, name } });
    expect(sidsOf(await rowsFor('ada'))).toEqual(sidsOf(own()));
    expect(await rowsFor('grace')).toEqual([]);
  });

  test.each([
    ['Calls', 'user.phones.includes(from)'],
    ['Calls', 'from === user.phones[0]'],
    ['Own calls', 'fromRow?.agent === user.name'],
  ])(
    'limits a Show view and a Feed of %s to the rows of the user by %s',
    async (name, ownership_formula) => {
      await findTable(name).update({ ownership_formula, min_role_read: 1 });
      await state().refresh_tables();
      const sid = { type: 'field', field_name: 'sid', fieldview: 'as_text' };
      const shown = { columns: [{ ...sid, type: 'Field' }], layout: sid };
      const show = await createView('one', 'Show', findTable(name), shown);
      const feed = await createView('feed', 'Feed', findTable(name), {
        show_view: 'one',
        rows_per_page: 100,
      });
      const { mockReqRes } = saltcorn('data/tests/mocks');
      const sidsFor = async (view: Loose, who: Loose, where = {}) => {
        const req = { ...mockReqRes.req, user: who };
        const html: string = await view.run(where, { req, res: mockReqRes.res });
        return [...new Set(html.match(/CA[0-9a-f]{32}/g) ?? [])].sort();
      };
      const theirs = sidsOf(own());
      const ada = { ...user, name: 'ada' };
      const other = { ...user, id: 8, name: 'grace', phones: ['+19995550100'] };
      expect(await sidsFor(feed, ada)).toEqual([...theirs].sort());
      expect(await sidsFor(feed, other)).toEqual([]);
      expect(await sidsFor(show, ada, { sid: theirs[0] })).toEqual([theirs[0]]);
      expect(await sidsFor(show, other, { sid: theirs[0] })).toEqual([]);
      await feed.delete();
      await show.delete();
      await state().refresh_views();
      await findTable(name).update({ ownership_formula: '' });
    },
  );
});

describe('the values offered for a column', () => {
  test('are the choices of the definition, without a request', async () => {
    const values = await findTable('Calls').distinctValues('status', {});
    expect(values).toEqual(expect.arrayContaining(['queued', 'busy', 'canceled']));
    expect(takeRequests(host.sandbox)).toEqual([]);
  });

  test('are otherwise the values of the rows', async () => {
    const values = await findTable('Calls').distinctValues('to', {});
    expect(values).toEqual([...new Set(calls.map(({ to }) => to))].sort());
    expect(takeRequests(host.sandbox)).toHaveLength(1);
  });
});
