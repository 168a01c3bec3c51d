import { dateText } from '../../../demo/sandbox/records.ts';
import { messagesWith } from '../../support/of-caller.ts';
import { sidsOf } from '../../support/sids-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createTable, findTable } from '../app.ts';
import { type Host, type Loose, startSaltcorn } from '../host.ts';

let host: Host;
beforeAll(async () => {
  host = await startSaltcorn();
  for (const [name, provider] of Object.entries({
    ...{ 'By caller': 'Calls by caller id', 'Of the account': 'Account Calls' },
    Messages: 'Account Messages',
    ...{
      Recordings: 'Recordings by caller id',
      'Of one call': 'Get all Recordings for a given Call',
    },
  }))
    await createTable(name, `Telephony: ${provider}`);
});
beforeEach(() => host.forget());

const office = '+14155550100';
const caller = '+12025550143';
const day = (text: string) => Date.parse(`2026-11-${text}Z`);
const started = (call: Loose) => Date.parse(call.start_time ?? '');
const created = (recording: Loose) => Date.parse(recording.date_created);

type QueryCase = [table: string, where: object, fits: (record: Loose) => boolean, query: string];

const ofCalls: QueryCase[] = [
  ['By caller', { to: office }, (call) => call.to === office, 'To=%2B14155550100'],
  [
    'Of the account',
    { to: '+1 (415) 555-0100', from: caller, status: 'completed' },
    (call) => call.to === office && call.from === caller && call.status === 'completed',
    'Status=completed&From=%2B12025550143&To=%2B14155550100',
  ],
  [
    'By caller',
    { startTime: { lt: new Date(day('18T00:00')) } },
    (call) => started(call) < day('18T00:00'),
    'StartTime%3C=2026-11-18',
  ],
  [
    'By caller',
    { startTime: { lt: new Date(day('18T00:00')), equal: true } },
    (call) => started(call) <= day('18T00:00'),
    'StartTime%3C=2026-11-19',
  ],
  [
    'Of the account',
    { startTime: [{ gt: '2026-11-16T10:00:00Z', equal: true }, { lt: '2026-11-18T15:30:00Z' }] },
    (call) => started(call) >= day('16T10:00') && started(call) < day('18T15:30'),
    'StartTime%3E=2026-11-16&StartTime%3C=2026-11-19',
  ],
  [
    'By caller',
    { and: [{ to: office }, { startTime: { gt: new Date(day('17T23:59:59.999')) } }] },
    (call) => call.to === office && started(call) > day('17T23:59:59.999'),
    'To=%2B14155550100&StartTime%3E=2026-11-18',
  ],
  [
    'By caller',
    {
      or: [
        { startTime: { gt: '2026-11-16T00:00:00Z', lt: '2026-11-17T00:00:00Z' } },
        { startTime: { gt: '2026-11-18T00:00:00Z', lt: '2026-11-19T00:00:00Z' }, to: office },
      ],
    },
    (call) =>
      (started(call) > day('16T00:00') && started(call) < day('17T00:00')) ||
      (started(call) > day('18T00:00') && started(call) < day('19T00:00') && call.to === office),
    'StartTime%3E=2026-11-16&StartTime%3C=2026-11-19',
  ],
  [
    'By caller',
    { or: [{ startTime: { lt: '2026-11-12T00:00:00Z' } }, { startTime: null }] },
    (call) => call.start_time === null || started(call) < day('12T00:00'),
    '',
  ],
  [
    'By caller',
    { not: { startTime: { lt: '2026-11-17T00:00:00Z' } } },
    (call) => started(call) >= day('17T00:00'),
    '',
  ],
  ['By caller', { startTime: { gt: -1e15, lt: 1e17 } }, (call) => call.start_time !== null, ''],
];

const ofRecordings: QueryCase[] = [
  [
    'Recordings',
    { dateCreated: { gt: '2026-11-17T12:00:00Z' } },
    (recording) => created(recording) > day('17T12:00'),
    'DateCreated%3E=2026-11-17',
  ],
  [
    'Recordings',
    { dateCreated: { gt: '2026-11-16T00:00:00Z', lt: '2026-11-18T00:00:00Z' } },
    (recording) => created(recording) > day('16T00:00') && created(recording) < day('18T00:00'),
    'DateCreated%3E=2026-11-16&DateCreated%3C=2026-11-18',
  ],
];

const requestFor = (path: string, query: string) => [
  `GET /${path}.json?${[query, 'PageSize=1000'].filter(Boolean).join('&')}`,
];

describe.each([
  ['Calls', ofCalls],
  ['Recordings', ofRecordings],
] as const)('%s', (path, cases) => {
  test.each(cases)('“%s” filtered by %j sends one request', async (name, where, fits, query) => {
    const all: Loose[] = path === 'Calls' ? host.sandbox.calls : host.sandbox.recordings;
    const expected = all.filter(fits);
    expect(expected.length).toBeGreaterThan(0);
    expect(sidsOf(await findTable(name).getRows(where))).toEqual(sidsOf(expected));
    expect(takeRequests(host.sandbox)).toEqual(requestFor(path, query));
    expect(await findTable(name).countRows(where)).toBe(expected.length);
  });
});

test('a filter by several choices sends a request for each', async () => {
  const [status, queries] = [
    ['busy', 'no-answer'],
    ['Status=busy', 'Status=no-answer'],
  ];
  const expected = host.sandbox.calls.filter((call) => status.includes(call.status));
  const rows = await findTable('By caller').getRows({ status: { in: status } });
  expect(sidsOf(rows)).toEqual(sidsOf(expected));
  expect(takeRequests(host.sandbox)).toEqual(queries.flatMap((one) => requestFor('Calls', one)));
});

// As when a chart's formula contradicts the page's filter.
test.each(['By caller', 'Of the account'])(
  'a contradiction matches no row of the table “%s” and sends no request',
  async (table) => {
    const where = { status: ['completed', 'no-answer'] };
    expect(await findTable(table).getRows(where)).toEqual([]);
    expect(takeRequests(host.sandbox)).toEqual([]);
  },
);

test('a filter by caller sends no date, and recordings of a call need its SID', async () => {
  const since = { dateCreated: { gt: '2026-11-17T12:00:00Z' } };
  await findTable('Recordings').getRows({ from: caller, ...since });
  expect(takeRequests(host.sandbox)[0]).toBe(
    'GET /Recordings.json?From=%2B12025550143&PageSize=1000',
  );
  expect(await findTable('Of one call').getRows(since)).toEqual([]);
  expect(takeRequests(host.sandbox)).toEqual([]);
});

describe('alternative conditions', () => {
  const theirs = { or: [{ from: caller }, { to: caller }] };
  const queryStrings = ['From=%2B12025550143', 'To=%2B12025550143'];
  const requestsFor = (path: string, queries: string[]) =>
    queries.flatMap((query) => requestFor(path, query));
  const requests = () => takeRequests(host.sandbox).sort();

  /** Two thousand messages. Every fortieth is of one number, and the first one is to that number itself. */
  beforeAll(() => {
    const { messages } = host.sandbox;
    const [message] = messages;
    const parties = (index: number) => {
      if (index === 0) return { from: caller, to: caller };
      if (index % 40 > 0) return { from: office, to: '+13125550188' };
      return index % 80 > 0 ? { from: caller, to: office } : { from: office, to: caller };
    };
    const many = Array.from({ length: 2000 }, (_, index) => ({
      ...(message as Loose),
      ...{ sid: `SM${String(index).padStart(32, '0')}`, ...parties(index) },
      date_created: dateText(new Date(day('20T12:00') - index * 60_000)),
    }));
    messages.splice(0, Number.POSITIVE_INFINITY, ...many);
  });

  test('send one request each and return one list, newest first', async () => {
    const expected = sidsOf(messagesWith(host.sandbox, caller));
    expect(expected).toHaveLength(50);
    const table = findTable('Messages');
    expect((await table.getRows(theirs)).map(({ sid }: Loose) => sid)).toEqual(expected);
    expect(requests()).toEqual(requestsFor('Messages', queryStrings));
    expect(await table.countRows(theirs)).toBe(50);
    for (const [offset, limit] of [
      [0, 7],
      [7, 30],
      [45, 20],
    ] as const) {
      const rows = await table.getRows(theirs, { offset, limit });
      expect(rows.map(({ sid }: Loose) => sid)).toEqual(expected.slice(offset, offset + limit));
    }
    const sorted = await table.getRows(theirs, { orderBy: 'dateCreated', limit: 4 });
    expect(sorted.map(({ sid }: Loose) => sid)).toEqual(expected.slice(-4).reverse());
  });

  const cases: [what: object, fits: (call: Loose) => boolean, queries: string[]][] = [
    [
      { ...theirs, status: 'completed' },
      ({ from, to, status }) => status === 'completed' && (from === caller || to === caller),
      queryStrings.map((query) => `Status=completed&${query}`),
    ],
    [
      { or: [{ from: caller }, { to: office, startTime: { gt: '2026-11-18T00:00:00Z' } }] },
      (call) => call.from === caller || (call.to === office && started(call) > day('18T00:00')),
      ['From=%2B12025550143', 'To=%2B14155550100&StartTime%3E=2026-11-18'],
    ],
    [
      { or: [{ from: caller }, { duration: { gt: 60 } }] },
      (call) => call.from === caller || Number(call.duration) > 60,
      [''],
    ],
    [
      { or: [{ from: caller }, { to: { in: [] } }] },
      (call) => call.from === caller,
      ['From=%2B12025550143'],
    ],
    [
      { or: [{ from: caller }, { not: { to: caller } }] },
      (call) => call.from === caller || call.to !== caller,
      [''],
    ],
  ];
  test.each(cases)('return the right rows: %j', async (where, fits, queries) => {
    const expected = sidsOf(host.sandbox.calls.filter(fits));
    expect(expected.length).toBeGreaterThan(0);
    const rows = await findTable('By caller').getRows(where);
    expect(sidsOf(rows).sort()).toEqual(expected.sort());
    expect(requests()).toEqual(requestsFor('Calls', queries).sort());
    expect(await findTable('By caller').countRows(where)).toBe(expected.length);
  });

  test('that match nothing return nothing and send no request', async () => {
    const noOne = { or: [{ from: { in: [] } }, { to: { in: [] } }] };
    expect(await findTable('Messages').getRows(noOne)).toEqual([]);
    expect(requests()).toEqual([]);
  });
});

describe('a fixed filter of a table', () => {
  const fixed = {
    ...{ startTimeAfter: '2026-11-16T10:00:00.000Z', startTimeBefore: '2026-11-18T15:30:00.000Z' },
    to: office,
  };
  const isFixed = (call: Loose) =>
    call.to === office && started(call) >= day('16T10:00') && started(call) <= day('18T15:30');

  test('can be a date range', async () => {
    const table = await createTable('Fixed', 'Telephony: Calls by number and date', fixed);
    const expected = host.sandbox.calls.filter(isFixed);
    expect(expected.length).toBeGreaterThan(1);
    expect(sidsOf(await table.getRows({}))).toEqual(sidsOf(expected));
    expect(takeRequests(host.sandbox)).toEqual(
      requestFor('Calls', 'To=%2B14155550100&StartTime%3E=2026-11-16&StartTime%3C=2026-11-19'),
    );
  });

  test('has the whole days of a date range', async () => {
    const days = { startTimeAfter: '2026-11-17', startTimeBefore: '2026-11-17' };
    const table = await createTable('Days', 'Telephony: Calls by number and date', days);
    const expected = host.sandbox.calls.filter(
      (call) => started(call) >= day('17T00:00') && started(call) < day('18T00:00'),
    );
    expect(expected.length).toBeGreaterThan(1);
    expect(sidsOf(await table.getRows({}))).toEqual(sidsOf(expected));
    expect(takeRequests(host.sandbox)).toEqual(
      requestFor('Calls', 'StartTime%3E=2026-11-17&StartTime%3C=2026-11-18'),
    );
  });

  test('applies to the look-up of a call', async () => {
    const [fitting, other] = [true, false].map((is) =>
      host.sandbox.calls.find((call) => isFixed(call) === is),
    );
    expect(await findTable('Fixed').getRow({ sid: fitting?.sid })).toMatchObject({ to: office });
    expect(await findTable('Fixed').getRow({ sid: other?.sid })).toBeNull();
  });
});
