import { sidsOf } from '../sids-of.ts';
import { takeRequests } from '../take-requests.ts';
import { createTable, findTable } from './app.ts';
import { type Host, type Loose, startSaltcorn } from './host.ts';

let host: Host;
beforeAll(async () => {
  host = await startSaltcorn();
  for (const [name, provider] of Object.entries({
    ...{ 'By caller': 'Calls by caller id', 'Of the account': 'Account Calls' },
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

type Asked = [table: string, where: object, fits: (record: Loose) => boolean, query: string];

const ofCalls: Asked[] = [
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

const ofRecordings: Asked[] = [
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
  test.each(cases)('of “%s”, what is asked for by %j', async (name, where, fits, query) => {
    const all: Loose[] = path === 'Calls' ? host.sandbox.calls : host.sandbox.recordings;
    const expected = all.filter(fits);
    expect(expected.length).toBeGreaterThan(0);
    expect(sidsOf(await findTable(name).getRows(where))).toEqual(sidsOf(expected));
    expect(takeRequests(host.sandbox)).toEqual(requestFor(path, query));
    expect(await findTable(name).countRows(where)).toBe(expected.length);
  });
});

test('a caller of recordings is asked for as before, and a call without its SID not at all', async () => {
  const since = { dateCreated: { gt: '2026-11-17T12:00:00Z' } };
  await findTable('Recordings').getRows({ from: caller, ...since });
  expect(takeRequests(host.sandbox)[0]).toBe(
    'GET /Recordings.json?From=%2B12025550143&PageSize=1000',
  );
  expect(await findTable('Of one call').getRows(since)).toEqual([]);
  expect(takeRequests(host.sandbox)).toEqual([]);
});

describe('what is fixed in a table', () => {
  const fixed = {
    ...{ startTimeAfter: '2026-11-16T10:00:00.000Z', startTimeBefore: '2026-11-18T15:30:00.000Z' },
    to: office,
  };
  const isFixed = (call: Loose) =>
    call.to === office && started(call) >= day('16T10:00') && started(call) <= day('18T15:30');

  test('is a range as well', async () => {
    const table = await createTable('Fixed', 'Telephony: Calls by number and date', fixed);
    const expected = host.sandbox.calls.filter(isFixed);
    expect(expected.length).toBeGreaterThan(1);
    expect(sidsOf(await table.getRows({}))).toEqual(sidsOf(expected));
    expect(takeRequests(host.sandbox)).toEqual(
      requestFor('Calls', 'To=%2B14155550100&StartTime%3E=2026-11-16&StartTime%3C=2026-11-19'),
    );
  });

  test('holds for a call that is looked up', async () => {
    const [fitting, other] = [true, false].map((is) =>
      host.sandbox.calls.find((call) => isFixed(call) === is),
    );
    expect(await findTable('Fixed').getRow({ sid: fitting?.sid })).toMatchObject({ to: office });
    expect(await findTable('Fixed').getRow({ sid: other?.sid })).toBeNull();
  });
});
