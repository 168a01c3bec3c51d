import { type FieldTypeName, fieldTypes } from '../../src/index.ts';

const cleaned: [type: FieldTypeName, typed: unknown, value: unknown][] = [
  ['phone', ' +1 (415) 555-0100 ', '+14155550100'],
  ['phone', 14155550100, '14155550100'],
  ['phone', 'ACME Inc.', 'ACME Inc.'],
  ['phone', true, true],
  ['phone', Number.NaN, Number.NaN],
  ['sid', null, null],
  ['sid', ' CA1 ', 'CA1'],
  ['text', ' as it is ', ' as it is '],
  ['text', 5, '5'],
  ['text', -0.5, '-0.5'],
  ['text', Number.NaN, Number.NaN],
  ['text', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['secret', ' as it is ', ' as it is '],
  ['choice', ' busy ', 'busy'],
  ['url', ' https://service.test ', 'https://service.test'],
  ['integer', ' 20 ', 20],
  ['integer', '-1', -1],
  ['integer', '1.5', '1.5'],
  ['date', ' 2026-11-21 ', '2026-11-21'],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '2026-02-29', Number.NaN],
  ['date', '2026-11-21T10:00', '2026-11-21T10:00:00Z'],
  ['date', '2026-11-21 10:00:30', '2026-11-21T10:00:30Z'],
  ['date', '2026-11-21T10:00:30.999+02:00', '2026-11-21T08:00:30Z'],
  ['date', '2026-11-21T25:00', Number.NaN],
  ['date', new Date('2026-11-21T08:00:30.999Z'), '2026-11-21T08:00:30Z'],
  ['date', '2026-11-21T10:00+02:00', '2026-11-21T08:00:00Z'],
  ['date', 'yesterday', Number.NaN],
  ['date', '2026-11-21 or so', Number.NaN],
  ['date', '2026-99-99', Number.NaN],
  ['date', true, Number.NaN],
  ['date', '11/21/2026', Number.NaN],
  ['date', 20261121, Number.NaN],
];

test.each(cleaned)('a %s typed as %j', (type, typed, value) => {
  expect(fieldTypes[type].clean(typed)).toEqual(value);
});
