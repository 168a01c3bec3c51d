import { sidsOf } from '../../support/sids-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createTable, findTable } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  saltcorn,
  startSaltcorn,
} from '../host.ts';
import { fillWithLongLists } from '../long-lists.ts';

const caller = '+12025550143';
const office = '+14155550100';

let host: Host;
let flashed: string[][] = [];
beforeAll(async () => {
  host = await startSaltcorn();
  fillWithLongLists(host.sandbox);
  await createTable('Calls', 'Telephony: Calls by caller id');
  await createTable('Recordings', 'Telephony: Recordings by caller id', { key_callSid: 'Calls' });
});
beforeEach(async () => {
  flashed = [];
  await host.forget();
});

/** Reads something while a page renders. */
const onPage = (work: () => Promise<Loose>, request: object = {}) => {
  const req = {
    ...{ method: 'GET', xhr: false, headers: { accept: 'text/html' }, user: { role_id: 1 } },
    ...{ flash: (...args: string[]) => flashed.push(args), res: { status: () => {} } },
    ...request,
  };
  return saltcorn('data/db').runWithTenant({ tenant: 'public', req }, work);
};

const partly = [
  'warning',
  '<div>“Calls” searched only the newest 1,000 records. Filter the list to find older ones.</div>',
];

test.each([
  [0, 1001],
  [1000, 2001],
  [9980, 10_000],
])(
  'the page from row %d has its rows, and a next page if there are more rows',
  async (offset, count) => {
    await onPage(async () => {
      const rows = await findTable('Calls').getRows({}, { limit: 20, offset });
      expect(sidsOf(rows)).toEqual(sidsOf(host.sandbox.calls.slice(offset, offset + 20)));
      expect(await findTable('Calls').countRows({})).toBe(count);
    });
    expect(takeRequests(host.sandbox)).toHaveLength(Math.floor(offset / 1000) + 1);
    expect(flashed).toEqual([]);
  },
);

/** Reads of all rows of a table that cannot show that some are missing. */
const wholes: [what: string, ask: (table: Loose) => Promise<Loose>, request?: object][] = [
  ['a script', (table) => table.getRows({})],
  ['a sorted script', (table) => table.getRows({}, { orderBy: 'duration' })],
  [
    'the download of a table',
    (table) => table.getRows({}, { orderBy: 'sid', forUser: { role_id: 1 } }),
    { originalUrl: '/table/download/Calls' },
  ],
  ['the API', (table) => table.getJoinedRows({ where: {} }), { originalUrl: '/api/Calls' }],
];

describe.each(wholes)('%s', (_, ask, request) => {
  const read = () => {
    const work = () => ask(findTable('Calls'));
    return request ? onPage(work, request) : work();
  };

  test('gets all 10,000 rows', async () => {
    expect(sidsOf(await read()).sort()).toEqual(sidsOf(host.sandbox.calls).sort());
    expect(takeRequests(host.sandbox)).toHaveLength(10);
    expect(flashed).toEqual([]);
  });

  test('fails if there are more', async () => {
    const [first] = host.sandbox.calls;
    host.sandbox.calls.push({ ...first, sid: `CA${'f'.repeat(32)}` } as Loose);
    try {
      await expect(read()).rejects.toThrow(
        '“Calls” has more than 10,000 records, the most that the plugin reads at once. Filter it, for example by date.',
      );
    } finally {
      host.sandbox.calls.pop();
    }
  });
});

test('the page of a table counts all of its rows', async () => {
  const count = () => findTable('Calls').countRows({}, { forUser: { role_id: 1 } });
  expect(await onPage(count, { originalUrl: '/table/3' })).toBe(10_000);
  expect(await count()).toBe(10_000);
});

test('a page of all rows says that it shows only the newest', async () => {
  const rows = await onPage(() => findTable('Calls').getRows({}));
  expect(sidsOf(rows)).toEqual(sidsOf(host.sandbox.calls.slice(0, 1000)));
  expect(flashed).toEqual([partly]);
});

const midnight = Date.parse('2026-11-01T00:00:00Z');
const time = (call: Loose) => Date.parse(call.start_time ?? call.date_created ?? '');
const filters: [where: object, fits: (record: Loose) => boolean][] = [
  [{ to: office }, (call) => call.to === office],
  [{ to: office, from: caller }, (call) => call.to === office && call.from === caller],
  [
    { startTime: { lt: new Date(midnight) } },
    (call) => call.start_time !== null && time(call) < midnight,
  ],
  [
    { startTime: { gt: '2026-10-01T10:30:00Z', equal: true }, status: 'busy' },
    (call) =>
      call.start_time !== null &&
      time(call) >= Date.parse('2026-10-01T10:30:00Z') &&
      call.status === 'busy',
  ],
  [
    { startTime: [{ gt: '2026-10-03T17:00:00Z' }, { lt: '2026-10-08T09:00:00Z' }], to: office },
    (call) =>
      call.start_time !== null &&
      time(call) > Date.parse('2026-10-03T17:00:00Z') &&
      time(call) < Date.parse('2026-10-08T09:00:00Z') &&
      call.to === office,
  ],
];

/** Pages through a list to its end. Returns its rows and the length that its pager shows. */
async function throughPages(table: string, where: object) {
  const [rows, counts]: [Loose[], number[]] = [[], []];
  for (let count = 1; rows.length < count; ) {
    const size = { limit: 500, offset: rows.length };
    const page = await onPage(async () => {
      const shown = await findTable(table).getRows({ ...where }, size);
      count = await findTable(table).countRows({ ...where });
      return shown;
    });
    rows.push(...page);
    counts.push(count);
    if (page.length === 0) break;
  }
  return { rows, counts };
}

test.each(filters)('the filter %j is correct up to the last page', async (where, fits) => {
  const expected = host.sandbox.calls.filter(fits);
  const { rows, counts } = await throughPages('Calls', where);
  expect(sidsOf(rows)).toEqual(sidsOf(expected));
  expect(counts.at(-1)).toBe(expected.length);
  expect(Math.max(...counts)).toBe(expected.length);
  expect(flashed).toEqual([]);
});

test('recordings before a date are correct up to the last page', async () => {
  const expected = host.sandbox.recordings.filter((recording) => time(recording) < midnight);
  const where = { dateCreated: { lt: new Date(midnight) } };
  expect(sidsOf((await throughPages('Recordings', where)).rows)).toEqual(sidsOf(expected));
  expect(flashed).toEqual([]);
});

describe.each([0, 2800])('150 recordings from row %d', (offset) => {
  test('show values of all their calls with few requests', async () => {
    const joinFields = { status: { ref: 'callSid', target: 'status' } };
    const selection = { where: {}, joinFields, limit: 150, offset };
    const rows = await onPage(() => findTable('Recordings').getJoinedRows(selection));
    const { calls, recordings } = host.sandbox;
    const states = new Map(calls.map(({ sid, status }) => [sid, status]));
    const expected = recordings.slice(offset, offset + 150);
    expect(rows.map(({ sid, status }: Loose) => [sid, status])).toEqual(
      expected.map(({ sid, call_sid }) => [sid, states.get(call_sid)]),
    );
    const [first = ''] = expected.slice(-1).map(({ call_sid }) => call_sid);
    const deep = calls.findIndex(({ sid }) => sid === first);
    const pages = Math.floor((offset + 149) / 1000) + 1 + Math.floor(deep / 1000) + 1;
    expect(takeRequests(host.sandbox)).toHaveLength(pages);
    expect(flashed).toEqual([]);
  });
});

describe('the read limit', () => {
  const withLimit = (readLimit: number) => installPlugin(artefact, { ...host.settings, readLimit });
  const longest = () => findTable('Calls').getRows({}, { orderBy: 'queueTime', orderDesc: true });

  test('makes sorts, searches and counts correct if it covers all records', async () => {
    await withLimit(10_000);
    const { calls } = host.sandbox;
    const times = calls.map(({ queue_time }) => Number(queue_time)).sort((one, two) => two - one);
    const rows = await onPage(longest);
    expect(rows.map(({ queueTime }: Loose) => queueTime)).toEqual(times);
    const where = { _fts: { searchTerm: 'lovelace' } };
    const found = await onPage(() => findTable('Calls').getRows(where));
    expect(sidsOf(found)).toEqual(
      sidsOf(calls.filter((call) => JSON.stringify(call.caller_name).includes('lovelace'))),
    );
    expect(await onPage(() => findTable('Calls').countRows({}))).toBe(10_000);
    expect(takeRequests(host.sandbox).length).toBe(10);
    expect(flashed).toEqual([]);
  });

  test('is shown on the page if it covers only some records', async () => {
    await withLimit(2000);
    await onPage(longest);
    expect(flashed).toEqual([partly.map((text) => text.replace('1,000', '2,000'))]);
    expect(takeRequests(host.sandbox)).toHaveLength(2);
  });

  test.each([999, 20_001, 1500.5, 'many', null])('is 1,000 if set to %p', async (readLimit) => {
    await withLimit(readLimit as number);
    await onPage(longest);
    expect(flashed).toEqual([partly]);
  });
});

const parts: [what: string, ask: (table: Loose) => Promise<Loose>][] = [
  ['a chart', (table) => table.getJoinedRows({ where: {}, joinFields: {} })],
  ['a sort', (table) => table.getRows({}, { orderBy: 'duration', limit: 20 })],
  [
    'a filter that the service does not support',
    (table) => table.getRows({ direction: 'inbound' }),
  ],
  ['a search', (table) => table.getRows({ _fts: { searchTerm: 'lovelace' } })],
  [
    'an aggregation',
    (table) => table.aggregationQuery({ val: { aggregate: 'Max', field: 'duration' } }),
  ],
];
test.each(parts)('the page says that %s covers only some records', async (_, ask) => {
  await onPage(() => ask(findTable('Calls')));
  expect(flashed).toEqual([partly]);
});

test('the page has no notice if all records were read', async () => {
  await onPage(() =>
    findTable('Calls').getRows(
      { status: 'busy', to: office, from: caller },
      { orderBy: 'duration' },
    ),
  );
  expect(flashed).toEqual([]);
});

test('a page says which records are missing because they have no SID', async () => {
  const [call] = host.sandbox.calls;
  const { sid = '' } = call ?? {};
  Object.assign(call ?? {}, { sid: null });
  const rows = await onPage(() => findTable('Calls').getRows({}, { limit: 20 }));
  Object.assign(call ?? {}, { sid });
  expect(sidsOf(rows)).toEqual(sidsOf(host.sandbox.calls.slice(1, 21)));
  expect(flashed).toEqual([
    [
      'warning',
      "<div>“Calls”: 1 record is missing here: the service sent it without the SID, so the plugin can't read it.</div>",
    ],
  ]);
});

test('sorts the newest records and appends the rest', async () => {
  const rows = await findTable('Calls').getRows({}, { orderBy: 'queueTime', limit: 1200 });
  const times = rows.slice(0, 1000).map(({ queueTime }: Loose) => queueTime);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(sidsOf(rows.slice(1000))).toEqual(sidsOf(host.sandbox.calls.slice(1000, 1200)));
});

const pages = ['', '&Page=1', '&Page=2'].map((page) => `GET /Calls.json?PageSize=1000${page}`);
test.each([
  ['new', 0, pages.slice(0, 1)],
  ['older', 980, pages.slice(0, 2)],
  ['much older', 2470, pages],
])('finds thirty %s calls at once in the list of all', async (_, from, expected) => {
  const some = host.sandbox.calls.slice(from, from + 30);
  const rows = await findTable('Calls').getRows({ sid: { in: sidsOf(some) } });
  expect(sidsOf(rows).sort()).toEqual(sidsOf(some).sort());
  const requests = takeRequests(host.sandbox).map((one) => one.replace(/&PageToken=.*/, ''));
  expect(requests).toEqual(expected);
});

test('requests twelve much older calls one by one after two pages', async () => {
  const some = host.sandbox.calls.slice(2400, 2412);
  const rows = await findTable('Calls').getRows({ sid: { in: sidsOf(some) } });
  expect(sidsOf(rows).sort()).toEqual(sidsOf(some).sort());
  const requests = takeRequests(host.sandbox).map((one) => one.replace(/&PageToken=.*/, ''));
  const single = some.map(({ sid }) => `GET /Calls/${sid}.json`);
  expect(requests.sort()).toEqual([...pages.slice(0, 2), ...single].sort());
});
