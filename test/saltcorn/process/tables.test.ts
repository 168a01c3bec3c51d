import { definitions } from '../../../src/builder.ts';
import { sidsOf } from '../../support/sids-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createTable, findTable } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  model,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';

let host: Host;
let inProgress: Loose;
let caller: string;
beforeAll(async () => {
  host = await startSaltcorn();
  const { calls, recordings } = host.sandbox;
  inProgress = calls.find((call) => call.status === 'in-progress');
  const recorded = calls.find((call) => call.sid === recordings[0]?.call_sid);
  caller = recorded?.from ?? '';
});
beforeEach(() => host.forget());

const encoded = encodeURIComponent;

test('every data source is a table provider, and the list of each kind of record comes first', () => {
  const { table_providers } = state();
  const names = Object.keys(table_providers).filter((name) => name.startsWith('Telephony: '));
  expect(names.toSorted()).toEqual(
    definitions.dataSources.map(({ name }) => `Telephony: ${name}`).sort(),
  );
  expect(names.slice(0, 4)).toEqual([
    'Telephony: Account Calls',
    'Telephony: Recordings by caller id',
    'Telephony: Account Messages',
    'Telephony: Message Templates',
  ]);
});

test('the columns of a table are the fields of its records', async () => {
  const table = await createTable('columns', 'Telephony: Get all Recordings for a given Call');
  const columns = table.fields.map((field: Loose) => [field.name, field.type.name]);
  expect(columns).toEqual([
    ['sid', 'String'],
    ['callSid', 'String'],
    ['status', 'String'],
    ['startTime', 'Date'],
    ['duration', 'Integer'],
    ['channels', 'Integer'],
    ['track', 'String'],
    ['source', 'String'],
    ['price', 'Float'],
    ['priceUnit', 'String'],
    ['errorCode', 'String'],
    ['encryptionDetails', 'String'],
    ['mediaUrl', 'String'],
    ['conferenceSid', 'String'],
    ['dateCreated', 'Date'],
    ['dateUpdated', 'Date'],
    ['accountSid', 'String'],
    ['apiVersion', 'String'],
    ['uri', 'String'],
    ['media', 'Sound'],
  ]);
  expect(table.pk_name).toBe('sid');
});

test('a table has its columns and rows again after the module was removed and reinstalled', async () => {
  await createTable('kept', 'Telephony: Account Calls');
  const rows = async () => findTable('kept').getRows({}, { limit: 20 });
  const columns = () => findTable('kept').fields.map(({ name }: Loose) => name);
  const before = [columns(), await rows()];
  expect(columns()).toContain('sid');
  await (await model('plugin').findOne({ name: 'telephony' })).delete();
  // After a restart, no module provides the table.
  Object.assign(state(), { table_providers: {} });
  await state().refresh(true);
  await expect(rows()).rejects.toThrow();
  await installPlugin(artefact, host.settings);
  expect([columns(), await rows()]).toEqual(before);
});

describe('Calls by caller id', () => {
  let table: Loose;
  let fixed: Loose;
  beforeAll(async () => {
    await createTable('calls', 'Telephony: Calls by caller id');
    await createTable('busy', 'Telephony: Calls by caller id', { status: 'busy' });
  });
  beforeEach(() => {
    table = findTable('calls');
    fixed = findTable('busy');
  });

  test('a list sends one request', async () => {
    const rows = await table.getRows({}, { limit: 20 });
    expect(sidsOf(rows)).toEqual(sidsOf(host.sandbox.calls.slice(0, 20)));
    expect(rows[0].dateCreated).toEqual(new Date(host.sandbox.calls[0]?.date_created ?? ''));
    expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json?PageSize=1000']);
  });

  test('a later page of a list sends one request, even without a cache', async () => {
    const rows = await table.getRows({}, { limit: 20, offset: 100 });
    expect(sidsOf(rows)).toEqual(sidsOf(host.sandbox.calls.slice(100, 120)));
    expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json?PageSize=1000']);
  });

  test('the pager of a list sends no request', async () => {
    await table.getRows({}, { limit: 20 });
    expect(await table.countRows({})).toBe(host.sandbox.calls.length);
    expect(takeRequests(host.sandbox)).toHaveLength(1);
  });

  const duration = (call: Loose) => (call.duration === null ? Number.NaN : Number(call.duration));
  const orders: [selection: object, values: (calls: Loose[]) => unknown[], column: string][] = [
    [
      { orderBy: 'duration' },
      (calls) =>
        calls
          .map(duration)
          .filter((one) => one >= 0)
          .sort((a, b) => a - b)
          .slice(0, 20),
      'duration',
    ],
    [
      { orderBy: 'duration', orderDesc: true },
      (calls) =>
        calls
          .map(duration)
          .filter((one) => one >= 0)
          .sort((a, b) => b - a)
          .slice(0, 20),
      'duration',
    ],
    [
      { orderBy: 'status', offset: 100 },
      (calls) =>
        calls
          .map((call) => call.status)
          .sort()
          .slice(100, 120),
      'status',
    ],
    [
      { orderBy: 'dateCreated' },
      (calls) =>
        calls
          .map((call) => new Date(call.date_created))
          .sort((a, b) => a.getTime() - b.getTime())
          .slice(0, 20),
      'dateCreated',
    ],
  ];
  test.each(orders)('sorts a list by %j with one request', async (selection, values, column) => {
    const rows = await table.getRows({}, { limit: 20, ...selection });
    expect(rows.map((row: Loose) => row[column])).toEqual(values(host.sandbox.calls));
    expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json?PageSize=1000']);
  });

  test('a preview of one row in random order reads only one page', async () => {
    expect(await table.getRows({}, { limit: 1, orderBy: 'RANDOM()' })).toHaveLength(1);
    expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json?PageSize=100']);
  });

  test('sorting by SID, the default of a new list, keeps the order of the service', async () => {
    const rows = await table.getRows({}, { limit: 20, orderBy: 'sid' });
    expect(sidsOf(rows)).toEqual(host.sandbox.calls.slice(0, 20).map(({ sid }) => sid));
    expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json?PageSize=1000']);
  });

  test('rows without a value come last', async () => {
    const rows = await table.getRows({}, { orderBy: 'duration', orderDesc: true });
    const empty = host.sandbox.calls.filter((call) => call.duration === null).length;
    expect(empty).toBeGreaterThan(0);
    expect(rows.slice(-empty).map((row: Loose) => row.duration)).toEqual(Array(empty).fill(null));
  });

  test('sends the page size that the table fixes', async () => {
    await createTable('small', 'Telephony: Calls by caller id', { pageSize: 7 });
    await findTable('small').getRows({}, { limit: 7 });
    expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json?PageSize=7']);
  });

  test('sends the filters that the service supports', async () => {
    const rows = await table.getRows({ status: 'completed', from: caller });
    const expected = host.sandbox.calls.filter(
      (call) => call.status === 'completed' && call.from === caller,
    );
    expect(expected).not.toHaveLength(0);
    expect(sidsOf(rows)).toEqual(sidsOf(expected));
    expect(takeRequests(host.sandbox)).toEqual([
      `GET /Calls.json?Status=completed&From=${encoded(caller)}&PageSize=1000`,
    ]);
  });

  const long = (call: Loose) => Number(call.duration) > 60;
  const filters: [where: object, fits: (call: Loose) => boolean][] = [
    [{ direction: 'inbound' }, (call) => call.direction === 'inbound'],
    [{ from: { ilike: '2025550' } }, (call) => call.from.includes('2025550')],
    [{ duration: { gt: 60 } }, long],
    [
      { duration: [{ gt: 10, equal: true }, { lt: 60 }] },
      (call) => call.duration !== null && Number(call.duration) >= 10 && Number(call.duration) < 60,
    ],
    [
      { or: [{ status: 'busy' }, { status: 'failed' }] },
      (call) => ['busy', 'failed'].includes(call.status),
    ],
    [{ status: { or: ['busy', 'failed'] } }, (call) => ['busy', 'failed'].includes(call.status)],
    [{ status: { in: ['busy', 'failed'] } }, (call) => ['busy', 'failed'].includes(call.status)],
    [{ not: { status: 'completed' } }, (call) => call.status !== 'completed'],
    [{ parentCallSid: null }, (call) => call.parent_call_sid === null],
    [
      { startTime: { gt: '2026-11-18' } },
      (call) => new Date(call.start_time).getTime() > Date.parse('2026-11-18'),
    ],
    [
      { _fts: { searchTerm: 'IN-PROGRESS' } },
      (call) => JSON.stringify(call).includes('in-progress'),
    ],
  ];
  test.each(filters)('applies the filter %j itself', async (where, fits) => {
    const expected = host.sandbox.calls.filter(fits);
    expect(expected).not.toHaveLength(0);
    expect(expected.length).toBeLessThan(host.sandbox.calls.length);
    expect(sidsOf(await table.getRows(where))).toEqual(sidsOf(expected));
  });

  test('looks up a row with one request', async () => {
    const row = await table.getRow({ sid: inProgress.sid });
    expect(row).toMatchObject({ sid: inProgress.sid, status: 'in-progress' });
    expect(takeRequests(host.sandbox)).toEqual([`GET /Calls/${inProgress.sid}.json`]);
  });

  test('returns null for a missing row', async () => {
    expect(await table.getRow({ sid: 'CA404' })).toBeNull();
  });

  test('the fixed filters of a table apply to lists and look-ups', async () => {
    const busy = host.sandbox.calls.filter((call) => call.status === 'busy');
    expect(sidsOf(await fixed.getRows({}))).toEqual(sidsOf(busy));
    expect(await fixed.getRows({ status: 'completed' })).toEqual([]);
    expect(await fixed.getRow({ sid: inProgress.sid })).toBeNull();
    expect(await fixed.getRow({ sid: busy[0]?.sid })).toMatchObject({ status: 'busy' });
  });

  test('finds a row in a table whose fixed number is typed with spaces', async () => {
    const typed = `${caller.slice(0, 2)} (${caller.slice(2, 5)}) ${caller.slice(5)}`;
    await createTable('typed', 'Telephony: Calls by caller id', { from: typed });
    const [first] = await findTable('typed').getRows({}, { limit: 1 });
    expect(first.from).toBe(caller);
    expect(await findTable('typed').getRow({ sid: first.sid })).toEqual(first);
  });

  test('counts rows with the filter', async () => {
    expect(await table.countRows({})).toBe(host.sandbox.calls.length);
    expect(await fixed.countRows({})).toBe(
      host.sandbox.calls.filter((call) => call.status === 'busy').length,
    );
  });

  test('rows, counts and later pages share one request', async () => {
    await Promise.all([table.getRows({}), table.getRows({}), table.countRows({})]);
    await table.getRows({}, { limit: 20, offset: 20 });
    expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json?PageSize=1000']);
  });

  test('reads a row again after five seconds', async () => {
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
    await table.getRow({ sid: inProgress.sid });
    clock.mockReturnValue(now + 4_998);
    await table.getRow({ sid: inProgress.sid });
    expect(takeRequests(host.sandbox)).toHaveLength(1);
    clock.mockReturnValue(now + 5_001);
    await table.getRow({ sid: inProgress.sid });
    expect(takeRequests(host.sandbox)).toHaveLength(1);
    clock.mockRestore();
  });

  test('reads a row again after an action', async () => {
    await table.getRow({ sid: inProgress.sid });
    const { actions } = state();
    const configuration = { from: '+14155550100', to: '+12025550143', body: 'Hi' };
    await actions['Send SMS'].run({ configuration });
    await table.getRow({ sid: inProgress.sid });
    expect(takeRequests(host.sandbox)).toHaveLength(3);
  });

  test('does not cache a failed read', async () => {
    host.sandbox.faults.add({ name: 'empty' });
    await expect(table.getRow({ sid: inProgress.sid })).rejects.toThrow(
      "The service's response could not be read.",
    );
    expect(await table.getRow({ sid: inProgress.sid })).toMatchObject({ sid: inProgress.sid });
  });

  test.each([
    ['insertRow', [{ from: '+1' }]],
    ['updateRow', [{ from: '+1' }, 'CA1']],
    ['deleteRows', [{ sid: 'CA1' }]],
  ])('%s reports that the table is read-only', async (method, args) => {
    await expect(table[method](...args)).rejects.toThrow(
      '“calls” is read-only: its rows come from the telephony account.',
    );
    expect(takeRequests(host.sandbox)).toEqual([]);
  });
});

test('View a Call shows the requested call, or none without a SID', async () => {
  const table = await createTable('call', 'Telephony: View a Call');
  expect(await table.getRows({})).toEqual([]);
  expect(takeRequests(host.sandbox)).toEqual([]);
  expect(sidsOf(await table.getRows({ sid: inProgress.sid }))).toEqual([inProgress.sid]);
  expect(takeRequests(host.sandbox)).toEqual([`GET /Calls/${inProgress.sid}.json`]);
});

test('Account Calls lists every call', async () => {
  const table = await createTable('all', 'Telephony: Account Calls');
  const first = await table.getRows({}, { limit: 20 });
  expect(sidsOf(first)).toEqual(sidsOf(host.sandbox.calls.slice(0, 20)));
  expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json']);
  // It has no page size, and 50 at a time would be slow.
  expect(sidsOf(await table.getRows({}))).toEqual(sidsOf(host.sandbox.calls));
  expect(await table.countRows({})).toBe(host.sandbox.calls.length);
  expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json?PageSize=1000']);
});

test('requests the recordings of a call 20 at a time', async () => {
  const table = await createTable('of-call', 'Telephony: Get all Recordings for a given Call');
  const [recording] = host.sandbox.recordings;
  const rows = await table.getRows({ callSid: recording?.call_sid });
  expect(sidsOf(rows)).toContain(recording?.sid);
  expect(takeRequests(host.sandbox)).toEqual([
    `GET /Recordings.json?CallSid=${recording?.call_sid}&PageSize=20`,
  ]);
});

test.each([true, false])(
  "shows only the caller's recordings if the service ignores the filter: %j",
  async (ignoreRecordingsFrom) => {
    host.sandbox.settings.ignoreRecordingsFrom = ignoreRecordingsFrom;
    const table = await createTable(
      `by-caller-${ignoreRecordingsFrom}`,
      'Telephony: Recordings by caller id',
    );
    const calls = new Set(sidsOf(host.sandbox.calls.filter((call) => call.from === caller)));
    const expected = host.sandbox.recordings.filter((recording) => calls.has(recording.call_sid));
    expect(expected.length).toBeLessThan(host.sandbox.recordings.length);
    const rows = await table.getRows({ from: caller });
    expect(sidsOf(rows).sort()).toEqual(sidsOf(expected).sort());
    expect(new Set(rows.map((row: Loose) => row.from))).toEqual(new Set([caller]));
    expect(takeRequests(host.sandbox)[0]).toBe(
      `GET /Recordings.json?From=${encoded(caller)}&PageSize=1000`,
    );
  },
);

test.each([
  [{ password: 'wrong-password-1' }, /^The service rejected the credentials\./],
  [{ username: '' }, /^"username" in the module's settings is empty\./],
])(
  'with %j, a list fails with an error for the page, not with a crash report',
  async (wrong, message) => {
    await installPlugin(artefact, { ...host.settings, ...wrong });
    const table = findTable('calls');
    const error = await table.getRows({}).catch((caught: unknown) => caught);
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({
      httpCode: 503,
      headline: "Can't load “calls”",
      severity: 4,
    });
    await installPlugin(artefact, host.settings);
  },
);

describe('while a page renders', () => {
  const flashed: string[][] = [];
  let status = 200;

  function page(overrides: object = {}) {
    flashed.length = 0;
    status = 200;
    return {
      method: 'GET',
      xhr: false,
      headers: { accept: 'text/html,application/xhtml+xml' },
      user: { role_id: 1 },
      flash: (...args: string[]) => flashed.push(args),
      res: {
        status: (code: number) => {
          status = code;
        },
      },
      ...overrides,
    };
  }
  const inRequest = (req: object, work: () => unknown) =>
    saltcorn('data/db').runWithTenant({ tenant: 'public', req }, work);

  beforeEach(() => installPlugin(artefact, { ...host.settings, password: 'wrong-password-1' }));
  afterAll(() => installPlugin(artefact, host.settings));

  test('an administrator sees once what is wrong and where to fix it', async () => {
    const table = findTable('calls');
    await inRequest(page(), async () => {
      expect(await table.getRows({}, { limit: 20 })).toEqual([]);
      expect(await table.getJoinedRows({ where: {}, limit: 20 })).toEqual([]);
      expect(await table.countRows({})).toBe(0);
    });
    expect(flashed).toEqual([
      [
        'error',
        `<div>Can't load “calls”: The service rejected the credentials. Check the username (the Account SID) and the password (the Auth Token) in the module's settings. (20003) <a class="text-decoration-underline" href="/plugins/configure/telephony">Module settings</a></div>`,
      ],
    ]);
    expect(status).toBe(503);
  });

  test('a number that is not one phone number empties its list, and the page is complete', async () => {
    await installPlugin(artefact, host.settings);
    await inRequest(page(), async () => {
      const where = { from: '+43 664 1234567, +43 664 7654321' };
      expect(await findTable('calls').getRows(where)).toEqual([]);
    });
    expect(flashed).toEqual([
      [
        'error',
        expect.stringMatching(
          /^<div>Can't load “calls”: .* is “\+43 664 1234567, \+43 664 7654321”, which is not one phone number\. /,
        ),
      ],
    ]);
    expect(status).toBe(200);
  });

  test('other users see only that the list cannot be shown', async () => {
    await inRequest(page({ user: { role_id: 80 } }), () => findTable('calls').getRows({}));
    expect(flashed).toEqual([['error', "<div>Can't load “calls”.</div>"]]);
  });

  test.each([
    ['a click', { method: 'POST' }],
    ['a script', { xhr: true }],
    ['another program', { headers: { accept: '*/*' } }],
  ])('%s gets the error itself', async (_, overrides) => {
    const reading = inRequest(page(overrides), () => findTable('calls').getRows({}));
    await expect(reading).rejects.toMatchObject({ code: 'unauthorised', httpCode: 503 });
    expect(flashed).toEqual([]);
    expect(status).toBe(200);
  });
});
