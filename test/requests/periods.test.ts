import { axisOf, type Charted, type Period, periodsBetween, seriesOf } from '../../src/builder.ts';

const entry = (day: string, value: unknown, series = ''): Charted => ({ day, series, value });

const entries = [
  entry('2026-12-31', -0.1, 'busy'),
  entry('2027-01-01', -0.2, 'busy'),
  entry('2026-12-28', 5, 'busy'),
  entry('2026-12-27', null, 'answered'),
];

test.each<[Period, isAmount: boolean, series: [string, [string, number][]][]]>([
  [
    'day',
    false,
    [
      ['answered', [['2026-12-27', 0]]],
      [
        'busy',
        [
          ['2026-12-31', -0.1],
          ['2027-01-01', -0.2],
          ['2026-12-28', 5],
        ],
      ],
    ],
  ],
  [
    'week',
    false,
    [
      ['answered', [['2026-12-21', 0]]],
      ['busy', [['2026-12-28', 4.7]]],
    ],
  ],
  [
    'month',
    true,
    [
      ['answered', [['2026-12-01', 0]]],
      [
        'busy',
        [
          ['2026-12-01', 4.9],
          ['2027-01-01', 0.2],
        ],
      ],
    ],
  ],
])('adds up each series per %s, as amounts: %j', (period, isAmount, series) => {
  const found = seriesOf(entries, period, isAmount);
  expect(found.map(({ name, sums }) => [name, [...sums]])).toEqual(series);
});

test.each<[Period, first: string, last: string, periods: string[]]>([
  ['day', '2024-02-28', '2024-03-01', ['2024-02-28', '2024-02-29', '2024-03-01']],
  ['week', '2026-12-27', '2027-01-04', ['2026-12-21', '2026-12-28', '2027-01-04']],
  ['month', '2026-11-30', '2027-01-01', ['2026-11-01', '2026-12-01', '2027-01-01']],
  ['day', '2026-11-30', '2026-11-30', ['2026-11-30']],
  // What some programs write for “never”.
  ['day', '9999-12-30', '9999-12-31', ['9999-12-30', '9999-12-31']],
  ['month', '9999-12-31', '9999-12-31', ['9999-12-01']],
])('lists each %s from %s to %s', (period, first, last, periods) => {
  expect(periodsBetween(period, first, last)).toEqual(periods);
});

test('rows of days to come do not count', () => {
  const [busy, ...others] = seriesOf(entries.slice(0, 3), 'month', false, '2026-12-31');
  expect([[...(busy?.sums ?? [])], others]).toEqual([[['2026-12-01', 4.9]], []]);
});

test.each<[sums: [first: number, second: number][], axis: [bottom: number, top: number]]>([
  [[[0, 0]], [0, 2]],
  [[[3, 0]], [0, 4]],
  [[[30, 31]], [0, 80]],
  [[[-5, -0.2]], [-6, 0]],
  [[[-1, 5]], [-6, 6]],
  [
    [
      [0.3, 0],
      [0, -0.7],
    ],
    [-0.8, 0.8],
  ],
])('an axis for the stacked sums %j of periods has the ends %j', (sums, axis) => {
  const periods = sums.map((_, index) => `2026-11-0${index + 1}`);
  const series = [0, 1].map((one) => ({
    name: String(one),
    sums: new Map(sums.map((stacked, index) => [periods[index] ?? '', stacked[one] ?? 0])),
  }));
  const [bottom, top] = axisOf(series, periods);
  expect([bottom, top]).toEqual(axis.map((end) => expect.closeTo(end)));
});
