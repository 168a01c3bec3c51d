import { type Charted, type Period, periodsBetween, seriesOf } from '../../src/builder.ts';

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
