import type { ChartQuery } from '../../../plugin/nocobase/server/chart/chart-query.ts';
import { chartRows } from '../../../plugin/nocobase/server/chart/chart-rows.ts';
import { definitions } from '../../../src/builder.ts';

// What a chart shows of the records of a list. Tests in NocoBase compare it with a chart of a table in its database.

const source = definitions.dataSources.find(({ id }) => id === 'account-calls');
if (!source) throw new Error('There are no calls.');

const call = (status: string, startTime: string | null, duration: number | null, price = 0) => ({
  ...{ status, price },
  startTime: startTime === null ? null : new Date(startTime),
  duration,
});
const calls = [
  call('completed', '2026-11-20T23:30:00Z', 40, -0.1),
  call('busy', '2026-11-20T10:00:00Z', 0),
  call('completed', '2026-11-19T10:00:00Z', 20, -0.2),
  call('queued', null, null),
];

const count = { field: ['status'], aggregation: 'count', alias: 'Calls' };
const day = { field: ['startTime'], format: 'YYYY-MM-DD', alias: 'Day' };
const status = { field: ['status'] };

test.each<[what: string, query: ChartQuery, rows: object[]]>([
  [
    'counts records per day, sorted by day, with those without a date last',
    { measures: [count], dimensions: [day] },
    [
      { Calls: 1, Day: '2026-11-19' },
      { Calls: 2, Day: '2026-11-20' },
      { Calls: 1, Day: null },
    ],
  ],
  [
    "uses the days of the user's time zone",
    { measures: [count], dimensions: [day], timezone: '+01:00' },
    [
      { Calls: 1, Day: '2026-11-19' },
      { Calls: 1, Day: '2026-11-20' },
      { Calls: 1, Day: '2026-11-21' },
      { Calls: 1, Day: null },
    ],
  ],
  [
    'groups dates without a format by day',
    { measures: [count], dimensions: [{ field: 'startTime' }], limit: 1 },
    [{ Calls: 1, startTime: '2026-11-19' }],
  ],
  [
    'groups by two fields',
    { measures: [count], dimensions: [status, { ...day, format: 'YYYY' }] },
    [
      { Calls: 1, status: 'busy', Day: '2026' },
      { Calls: 2, status: 'completed', Day: '2026' },
      { Calls: 1, status: 'queued', Day: null },
    ],
  ],
  [
    'computes sum, average, least and greatest value, without empty ones',
    {
      measures: ['sum', 'avg', 'min', 'max', 'count'].map((aggregation) => ({
        ...{ field: 'duration', aggregation, alias: aggregation },
      })),
    },
    [{ sum: 60, avg: 20, min: 0, max: 40, count: 3 }],
  ],
  [
    'adds decimals as people do',
    { measures: [{ field: 'price', aggregation: 'sum' }] },
    [{ price: -0.3 }],
  ],
  [
    'compares dates by time',
    {
      measures: ['min', 'max'].map((aggregation) => ({
        ...{ field: 'startTime', aggregation, alias: aggregation },
      })),
    },
    [{ min: new Date('2026-11-19T10:00:00Z'), max: new Date('2026-11-20T23:30:00Z') }],
  ],
  [
    'counts equal values once if they are distinct',
    { measures: [{ ...count, distinct: true }] },
    [{ Calls: 3 }],
  ],
  [
    'sorts by a figure, and equal ones by their group',
    {
      measures: [count],
      dimensions: [status],
      orders: [{ field: ['status'], alias: 'Calls', order: 'desc' }],
    },
    [
      { Calls: 2, status: 'completed' },
      { Calls: 1, status: 'busy' },
      { Calls: 1, status: 'queued' },
    ],
  ],
  [
    'sorts descending with empty values first, as PostgreSQL does, and returns the requested part',
    {
      measures: [count],
      dimensions: [day],
      orders: [{ field: 'startTime', order: 'DESC' }],
      limit: 2,
    },
    [
      { Calls: 1, Day: null },
      { Calls: 2, Day: '2026-11-20' },
    ],
  ],
  [
    'shows all rows if its fields for numbers are empty',
    { measures: [count], dimensions: [status], limit: null, offset: null },
    [
      { Calls: 1, status: 'busy' },
      { Calls: 2, status: 'completed' },
      { Calls: 1, status: 'queued' },
    ],
  ],
  [
    'puts empty values where the order says',
    {
      measures: [count],
      dimensions: [day],
      orders: [{ field: 'startTime', order: 'desc', nulls: 'last' }],
      offset: 1,
    },
    [
      { Calls: 1, Day: '2026-11-19' },
      { Calls: 1, Day: null },
    ],
  ],
  [
    'shows each record if nothing is computed',
    { measures: [{ field: 'duration' }], dimensions: [status], limit: 2 },
    [
      { duration: 0, status: 'busy' },
      { duration: 40, status: 'completed' },
    ],
  ],
])('a chart %s', (_, query, rows) => {
  expect(chartRows(source, calls, query)).toEqual(rows);
});

test('a chart makes one formatter of dates, however many it shows', () => {
  const formatters = jest.spyOn(Intl, 'DateTimeFormat');
  const days = many.slice(1).map((one) => ({ ...one, ...day, alias: one.alias }));
  chartRows(source, calls, { measures: [count], dimensions: days, timezone: 'Europe/Vienna' });
  expect(formatters).toHaveBeenCalledTimes(1);
});

test.each<[what: string, query: ChartQuery, rows: object[]]>([
  [
    'without groups has a row',
    { measures: [count, { field: 'duration', aggregation: 'sum' }] },
    [{ Calls: 0, duration: null }],
  ],
  ['with groups has none', { measures: [count], dimensions: [day] }, []],
])('a chart without records %s', (_, query, rows) => {
  expect(chartRows(source, [], query)).toEqual(rows);
});

const many = Array.from({ length: 21 }, (_, index) => ({ ...status, alias: `Status ${index}` }));

test.each<[query: ChartQuery, message: string]>([
  [{ measures: many }, 'A chart of “Account Calls” can have at most 20 measures. Remove some.'],
  [
    { measures: [count], dimensions: many },
    'A chart of “Account Calls” can have at most 20 dimensions. Remove some.',
  ],
  [
    { measures: [count], dimensions: [status], orders: many },
    'A chart of “Account Calls” can have at most 20 orders. Remove some.',
  ],
  [
    { measures: [count], dimensions: [{ ...day, format: 'YYYY'.repeat(26) }] },
    'A chart of “Account Calls” can have names and formats of at most 100 characters. Shorten them.',
  ],
  [
    { measures: [{ ...count, alias: 'x'.repeat(101) }] },
    'A chart of “Account Calls” can have names and formats of at most 100 characters. Shorten them.',
  ],
  [
    { measures: [{ field: ['call', 'from'], aggregation: 'count' }] },
    'A chart of “Account Calls” has no field “call.from”. Choose another field.',
  ],
  [
    { measures: [{ field: 'sid', aggregation: 'constructor' }] },
    "A chart of “Account Calls” can't use “constructor”. Choose another function.",
  ],
  [
    { measures: [count], having: { Calls: { $gt: 1 } } },
    "A chart of “Account Calls” can't filter its groups. Filter the records instead.",
  ],
  [
    { measures: [count], orders: [{ field: 'duration' }] },
    'A chart of “Account Calls” can only be sorted by what it shows, not by “duration”.',
  ],
])("a chart that a list can't show is refused: %#", (query, message) => {
  expect(() => chartRows(source, calls, query)).toThrow(
    expect.objectContaining({ code: 'input', message }),
  );
});
