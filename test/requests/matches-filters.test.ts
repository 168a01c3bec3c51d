import { timesOf } from '../../demo/sandbox/times.ts';
import type { Field, ListSource } from '../../src/builder.ts';
import { matchesFilters } from '../../src/records/field-condition.ts';
import { errorOf, parts } from './errors.ts';
import { accountPath, answerWith, isolate, telephony } from './service.ts';

isolate();

const grace = '+12025550143';
const next = (number: number) => `${accountPath}/Calls.json?Page=${number}`;
const page = (calls: object[], uri: string | null = null) => ({
  status: 200,
  body: { calls, next_page_uri: uri },
});

/** The response of a service that ignores all filters. */
const calls = [
  { sid: 'CA1', from: grace, status: 'busy' },
  { sid: 'CA2', from: '+12025550144', status: 'busy' },
  { sid: 'CA3', from: '+1 (202) 555-0143', status: 'completed' },
  { sid: 'CA4', from: '12025550143', status: 'busy' },
  { sid: 'CA5', from: null, status: 'busy' },
  { sid: 'CA6', status: null },
  { sid: 'CA7', from: '+912025550143', status: 'busy' },
  { sid: 'CA8', from: 'anonymous', status: 'Busy' },
  { sid: 'CA9', from: '50143', status: 'busy' },
];

const asked: [input: { from?: string; status?: 'busy' | 'queued' }, sids: string[]][] = [
  [{}, ['CA1', 'CA2', 'CA3', 'CA4', 'CA5', 'CA6', 'CA7', 'CA8', 'CA9']],
  [{ status: 'busy' }, ['CA1', 'CA2', 'CA4', 'CA5', 'CA7', 'CA9']],
  [{ from: grace }, ['CA1', 'CA3', 'CA4']],
  [{ from: '+1 202-555-0143' }, ['CA1', 'CA3', 'CA4']],
  [{ from: grace, status: 'busy' }, ['CA1', 'CA4']],
  [{ status: 'queued' }, []],
  [{ from: '2025550143' }, []],
  [{ from: '02025550143' }, []],
  [{ from: '12025550143' }, ['CA4']],
  [{ from: '25550143' }, []],
  [{ from: '0143' }, []],
  [{ from: '50143' }, ['CA9']],
  [{ from: 'Anonymous' }, ['CA8']],
  [{ from: 'null' }, []],
];

test.each(asked)('filtering calls by %j returns only %j', async (input, sids) => {
  answerWith([page(calls)]);
  const { records } = await telephony().run('calls-by-caller-id', input);
  expect(records.map(({ sid }) => sid)).toEqual(sids);
});

test('the recordings of another call are left out', async () => {
  const recordings = [
    { sid: 'RE1', call_sid: 'CA1' },
    { sid: 'RE2', call_sid: 'CA2' },
    { sid: 'RE3', call_sid: null },
  ];
  answerWith([{ status: 200, body: { recordings } }]);
  const run = telephony().run('get-all-recordings-for-a-given-call', { callSid: 'CA1' });
  expect((await run).records.map(({ sid }) => sid)).toEqual(['RE1']);
});

test('a page without matches continues with the next page, even if its link lost the filter', async () => {
  const others = [{ sid: 'CA2', from: '+1' }];
  const sent = answerWith([page(others, next(1)), page(others, next(2)), page(calls, next(3))]);
  const { records, more } = await telephony().run('calls-by-caller-id', { from: grace });
  expect([records.map(({ sid }) => sid), more]).toEqual([['CA1', 'CA3', 'CA4'], true]);
  expect(sent.map(({ path }) => path)).toEqual([
    `${accountPath}/Calls.json?From=%2B12025550143`,
    next(1),
    next(2),
  ]);
});

test('a page costs at most ten requests, and a list fails after a hundred pages without a match', async () => {
  const pages = Array.from({ length: 200 }, (_, index) => page([{ sid: 'CA2' }], next(index + 1)));
  const sent = answerWith(pages);
  const list = telephony().pages('calls-by-caller-id', { from: grace });
  for (const requests of [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]) {
    expect(await list.next()).toEqual({ done: false, value: { records: [], more: true } });
    expect(sent).toHaveLength(requests);
  }
  expect(parts(await errorOf(list.next()))).toEqual({
    code: 'bad-answer',
    message:
      "The service returned only records that don't match the filter. It probably does not support this filter.",
    request: 'GET /Calls.json',
  });
  expect(sent).toHaveLength(101);
});

describe('a range of days', () => {
  const started = [
    'Wed, 26 Oct 2016 23:59:59 +0000',
    'Thu, 27 Oct 2016 00:00:00 +0000',
    'Thu, 27 Oct 2016 23:59:59 +0000',
    'Fri, 28 Oct 2016 00:00:00 +0000',
    'Fri, 28 Oct 2016 12:00:00 +0000',
  ].map((start_time, index) => ({ sid: `CA${index}`, start_time }));

  type Sids = string;
  const days: [after: string | undefined, before: string | undefined, query: string, Sids][] = [
    ['2016-10-27', '2016-10-27', 'StartTime%3E=2016-10-27&StartTime%3C=2016-10-28', 'CA1 CA2'],
    [undefined, '2016-10-27', 'StartTime%3C=2016-10-28', 'CA0 CA1 CA2'],
    ['2016-10-28', undefined, 'StartTime%3E=2016-10-28', 'CA3 CA4'],
    [undefined, '2016-12-31', 'StartTime%3C=2017-01-01', 'CA0 CA1 CA2 CA3 CA4'],
    [undefined, '9999-12-31', 'StartTime%3C=9999-12-31', 'CA0 CA1 CA2 CA3 CA4'],
    [undefined, '2016-10-27T00:00:00Z', 'StartTime%3C=2016-10-27T00%3A00%3A00Z', 'CA0 CA1'],
  ];
  const list = 'calls-by-number-and-date';

  test.each(days)('has whole days: from %s until %s', async (after, before, query, sids) => {
    const input = {
      ...(after !== undefined && { startTimeAfter: after }),
      ...(before !== undefined && { startTimeBefore: before }),
    };
    // One service ignores the filter, the other one ends it at midnight.
    const isStarted = timesOf(new URLSearchParams(query), 'StartTime');
    const applied = started.filter(({ start_time }) => isStarted(start_time));
    const sent = answerWith([page(started), page(applied)]);
    const pages = [await telephony().run(list, input), await telephony().run(list, input)];
    const path = `${accountPath}/Calls.json?${query}`;
    expect(sent.map((one) => one.path)).toEqual([path, path]);
    for (const { records } of pages) expect(records.map(({ sid }) => sid).join(' ')).toBe(sids);
  });
});

const field = (name: string, type: Field['type'], column: string): Field => ({
  ...{ key: 'asked', in: 'query', name, type, label: name, column },
});
const at = (time: string) => new Date(`2026-11-10T${time}Z`);

type Held = Date | number | null;
const ranges: [name: string, type: Field['type'], asked: string | number, Held, boolean][] = [
  ['StartTime', 'date', '2026-11-10', at('00:00:00'), true],
  ['StartTime', 'date', '2026-11-10', at('23:59:59.999'), true],
  ['StartTime', 'date', '2026-11-10', new Date('2026-11-09T23:59:59.999Z'), false],
  ['StartTime', 'date', '2026-11-10', new Date('2026-11-11T00:00:00Z'), false],
  ['StartTime', 'date', '2026-11-10T10:15:09Z', at('10:15:09.5'), true],
  ['StartTime', 'date', '2026-11-10T10:15:09Z', at('10:15:10'), false],
  ['StartTime>', 'date', '2026-11-10', at('00:00:00'), true],
  ['StartTime>', 'date', '2026-11-10', new Date('2027-01-01T00:00:00Z'), true],
  ['StartTime>', 'date', '2026-11-10T10:15:09Z', at('10:15:08.999'), false],
  ['StartTime<', 'date', '2026-11-10', at('23:59:59'), true],
  ['StartTime<', 'date', '2026-11-10', new Date('2026-01-01T00:00:00Z'), true],
  ['StartTime<', 'date', '2026-11-10T10:15:09Z', at('10:15:10'), false],
  ['StartTime<', 'date', '2026-11-10', null, false],
  ['Duration', 'integer', 12, 12, true],
  ['Duration', 'integer', 12, 13, false],
  ['Duration>', 'integer', 12, 13, true],
  ['Duration>', 'integer', 12, 11, false],
  ['Duration<', 'integer', 12, 11, true],
  ['Duration<', 'integer', 12, 13, false],
  ['Duration<', 'integer', 12, null, false],
];

test.each(ranges)('the filter %s (%s) by %s matches %j: %s', (name, type, value, held, fits) => {
  const column = name.startsWith('Start') ? 'startTime' : 'duration';
  const source: ListSource = {
    ...{ id: 'calls', name: 'Calls', description: 'Calls.', fields: [field(name, type, column)] },
    request: { method: 'GET', path: '/Calls.json' },
    result: { of: 'call', list: 'calls' },
  };
  expect(matchesFilters(source, { asked: value })({ [column]: held })).toBe(fits);
  expect(matchesFilters(source, {})({ [column]: held })).toBe(true);
});

test('the days of a period are those that were asked for, even if the service ignores them', async () => {
  const days = ['2026-10-31', '2026-11-01', '2026-11-02', null, 'soon', '2026-11-03'];
  const usage_records = days.map((start_date, index) => ({ uri: `/${index}`, start_date }));
  answerWith([{ status: 200, body: { usage_records, next_page_uri: null } }]);
  const input = { startDate: '2026-11-01', endDate: '2026-11-02' };
  const { records } = await telephony().run('usage-by-day', input);
  expect(records.map(({ startDate }) => startDate)).toEqual(['2026-11-01', '2026-11-02']);
});
