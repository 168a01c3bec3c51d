import { like } from '../../../plugin/saltcorn/where/like.ts';
import { parseWhere } from '../../../plugin/saltcorn/where/parse-where.ts';
import type { Row, TableColumns, Where } from '../../../plugin/saltcorn/where/where.ts';
import { mentions, possibleValues, type Truth, truthOf } from '../../../src/builder.ts';

// What filters mean, without Saltcorn. `filters.test.ts` and `oracle/` test the same in Saltcorn.

const columns: TableColumns = {
  types: new Map([
    ['sid', 'sid'],
    ['from', 'phone'],
    ['to', 'phone'],
    ['status', 'text'],
    ['note', 'text'],
    ['duration', 'integer'],
    ['queued', 'integer'],
    ['waited', 'integer'],
    ['tries', 'integer'],
    ['sender', 'phone'],
    ['price', 'number'],
    ['startTime', 'date'],
    ['customer', 'key'],
  ]),
  key: 'sid',
  searched: ['sid', 'status', 'from', 'note'],
};

const row: Row = {
  sid: 'CA1',
  from: '+14155550100',
  to: '+12025550143',
  status: 'busy',
  note: '',
  duration: 60,
  queued: 9,
  waited: null,
  tries: 0,
  sender: 'My Shop',
  price: -0.5,
  startTime: new Date('2026-11-20T12:00:00Z'),
  customer: 7,
};
const empty = Object.fromEntries(Object.keys(row).map((column) => [column, null]));

const read = (where: Where) => parseWhere(where, columns);

/** The result for a row, and for one without values. */
const unknown = 'unknown';
const filters: [where: Where, ofRow: Truth, ofEmpty: Truth][] = [
  [{}, true, true],
  [{ status: 'busy' }, true, unknown],
  [{ status: 'idle' }, false, unknown],
  [{ status: null }, false, true],
  [{ status: undefined }, unknown, unknown],
  [{ id: 'CA1' }, true, unknown],
  [{ from: ' +1 (415) 555-0100 ' }, true, unknown],
  [{ from: '+14155550101' }, false, unknown],
  [{ sid: ' CA1' }, false, unknown],
  [{ duration: '60' }, true, unknown],
  [{ tries: 0 }, true, unknown],
  [{ tries: '' }, unknown, unknown],
  [{ tries: ' ' }, unknown, unknown],
  [{ sender: ' My Shop ' }, true, unknown],
  [{ duration: 'sixty' }, unknown, unknown],
  [{ not: { duration: 'sixty' } }, unknown, unknown],
  [{ not: { duration: { in: [5, 'sixty'] } } }, unknown, unknown],
  [{ price: '-0.5' }, true, unknown],
  [{ customer: 7 }, true, unknown],
  [{ customer: '7' }, false, unknown],
  [{ status: 'busy', duration: 61 }, false, unknown],

  [{ duration: { gt: 59 } }, true, unknown],
  [{ duration: { gt: 60 } }, false, unknown],
  [{ duration: { gt: 60, equal: true } }, true, unknown],
  [{ duration: { gt: 60, equal: false } }, false, unknown],
  [{ duration: { gt: 61, equal: true } }, false, unknown],
  [{ duration: { lt: 61 } }, true, unknown],
  [{ duration: { lt: 60 } }, false, unknown],
  [{ duration: { lt: 60, equal: true } }, true, unknown],
  [{ duration: { lt: 59, equal: true } }, false, unknown],
  [{ duration: { gt: null } }, unknown, unknown],
  [{ duration: { gt: 50, lt: 70 } }, true, unknown],
  [{ duration: { gt: 50, lt: 55 } }, false, unknown],
  [{ duration: [{ gt: 50 }, { lt: 70 }] }, true, unknown],
  [{ duration: [{ gt: 50 }, { lt: 55 }] }, false, unknown],
  [{ duration: { or: [59, 60] } }, true, unknown],
  [{ duration: { or: [58, 59] } }, false, unknown],
  [{ duration: { or: 60 } }, true, unknown],
  [{ duration: { or: [null, 1] } }, false, true],
  [{ duration: { not: 60 } }, false, unknown],
  [{ duration: { not: 59 } }, true, unknown],
  [{ duration: { not: null } }, true, false],

  [{ status: { in: ['idle', 'busy'] } }, true, unknown],
  [{ status: { in: ['idle'] } }, false, unknown],
  [{ status: { in: ['idle', null] } }, unknown, unknown],
  [{ status: { in: ['busy', null] } }, true, unknown],
  [{ status: { in: [] } }, false, false],
  [{ status: { not: { in: [] } } }, true, true],
  [{ status: { in: 'busy' } }, true, unknown],
  [{ from: { in: ['+1 415 555 0100'] } }, true, unknown],

  [{ status: { ilike: 'US' } }, true, unknown],
  [{ status: { ilike: 'x' } }, false, unknown],
  [{ status: { ilike: 'us', fullMatch: true } }, false, unknown],
  [{ status: { ilike: 'b_s%', fullMatch: true } }, true, unknown],
  [{ status: { ilike: 'us', fullMatch: false } }, true, unknown],
  [{ status: { ilike: null } }, unknown, unknown],
  [{ status: { ilike: undefined } }, unknown, unknown],
  [{ status: /^B/i }, true, unknown],
  [{ status: /^B/ }, false, unknown],
  [{ status: /us/y }, true, unknown],

  [{ startTime: '2026-11-20T12:00:00Z' }, true, unknown],
  [{ startTime: '2026-11-20 12:00:00Z' }, true, unknown],
  [{ startTime: '2026-11-20T12:00:01Z' }, false, unknown],
  [{ startTime: new Date('2026-11-20T12:00:00Z') }, true, unknown],
  [{ startTime: Date.UTC(2026, 10, 20, 12) }, true, unknown],
  [{ startTime: new Date(2026, 10, 20) }, false, unknown],
  [{ startTime: 'x 2026-11-20T12:00:00Z' }, unknown, unknown],
  [{ startTime: { gt: '2026-1-1' } }, true, unknown],
  [{ startTime: { gt: '2026-11-1' } }, true, unknown],
  [{ startTime: { gt: '2026-12-1' } }, false, unknown],
  [{ startTime: { gt: ' 2026-11-18 ', day_only: false } }, true, unknown],
  [{ startTime: { lt: '2026-11-22' } }, true, unknown],

  [{ from: Symbol('to') }, false, unknown],
  [{ from: Symbol('from') }, true, unknown],
  [{ sid: Symbol('id') }, true, unknown],
  [{ duration: { gt: Symbol('queued') } }, true, unknown],
  [{ duration: { lt: Symbol('queued') } }, false, unknown],
  [{ duration: { gt: Symbol('waited') } }, unknown, unknown],

  [{ and: [{ status: 'busy' }, { duration: 60 }] }, true, unknown],
  [{ and: [{ status: 'busy' }, { duration: 61 }] }, false, unknown],
  [{ and: [{ status: 'busy' }, false] }, false, false],
  [{ and: { status: 'busy' } }, true, unknown],
  [{ or: [{ status: 'idle' }, { duration: 60 }] }, true, unknown],
  [{ or: [{ status: 'idle' }, true] }, true, true],
  [{ or: [{ status: 'idle' }, null] }, unknown, unknown],
  [{ or: [{ status: 'busy' }, undefined] }, true, unknown],
  [{ or: { status: 'idle' } }, false, unknown],
  [{ not: { status: 'busy' } }, false, unknown],
  [{ not: true }, false, false],
  [{ not: null }, unknown, unknown],
  [{ and: [Symbol('duration')] }, true, false],
  [{ and: [Symbol('waited')] }, false, false],
  [{ and: [Symbol('note')] }, false, false],
  [{ and: [Symbol('status')] }, true, false],
  [{ and: [Symbol('id')] }, true, false],
  [{ not: Symbol('duration') }, false, true],
  [{ eq: [Symbol('status'), 'busy'] }, true, unknown],
  [{ eq: ['busy', Symbol('status')] }, true, unknown],
  [{ eq: [Symbol('id'), 'CA1'] }, true, unknown],
  [{ eq: [Symbol('status'), null] }, false, true],
  [{ eq: [Symbol('from'), Symbol('to')] }, false, unknown],
  [{ eq: [1, 1] }, true, true],
  [{ eq: [1, 2] }, false, false],
  [
    {
      eq: [
        ['a', 'a'],
        [Symbol('status'), 'busy'],
      ],
    },
    true,
    unknown,
  ],
  [
    {
      eq: [
        ['a', 'b'],
        [Symbol('status'), 'busy'],
      ],
    },
    false,
    false,
  ],
  [{ eq: [['a'], 'a'] }, false, false],
  [{ _false: true }, false, false],

  [{ _fts: { searchTerm: 'BUS' } }, true, false],
  [{ _fts: { searchTerm: ' CA1 ' } }, true, false],
  [{ _fts: { searchTerm: 'CA' } }, false, false],
  [{ _fts: { searchTerm: 'busy +1415' } }, true, false],
  [{ _fts: { searchTerm: '+1202' } }, false, false],
  [{ _fts: {} }, unknown, unknown],
  [{ _fts: null }, unknown, unknown],

  [{ 80: { lt: 40 } }, false, false],
  [{ 80: { lt: 100 } }, true, true],
  [{ 80: 80 }, true, true],
  [{ '-1.5': { gt: -2 } }, true, true],
  [{ '2026-11-9': { lt: '2026-11-10' } }, true, true],
  [{ true: true }, true, true],
  [{ false: true }, false, false],
  [{ 10: { lt: Symbol('duration') } }, true, unknown],
  [{ 60: { lt: Symbol('duration') } }, false, unknown],
  [{ 60: { lt: Symbol('duration'), equal: true } }, true, unknown],
  [{ 10: { gt: Symbol('duration') } }, false, unknown],
  [{ 60: { gt: Symbol('duration') } }, false, unknown],
  [{ 60: { gt: Symbol('duration'), equal: true } }, true, unknown],
  [{ 70: { gt: Symbol('duration') } }, true, unknown],
  [{ 60: Symbol('duration') }, true, unknown],
  [{ 61: Symbol('duration') }, false, unknown],
  [{ '2026-1-1': { lt: Symbol('startTime') } }, true, unknown],
];

test.each(filters)(
  'the filter %o is %s for the row and %s for an empty one',
  (where, ofRow, ofEmpty) => {
    const condition = read(where);
    // Twice, because a regular expression can keep its position.
    expect([row, empty, row].map(truthOf(condition, columns))).toEqual([ofRow, ofEmpty, ofRow]);
  },
);

const long = 'x'.repeat(41);
const ofDates = ' Write for example startTime >= today() or startTime < "2026-12-31".';
const refused: [where: Where, what: string, more?: string][] = [
  [{ nothing: 1 }, 'A filter by “nothing”, which is not a column of this table,'],
  [{ constructor: 1 }, 'A filter by “constructor”, which is not a column of this table,'],
  [{ '1x': 1 }, 'A filter by “1x”, which is not a column of this table,'],
  [{ x1: 1 }, 'A filter by “x1”, which is not a column of this table,'],
  [{ 'x2026-1-1': 1 }, 'A filter by “x2026-1-1”, which is not a column of this table,'],
  [{ '2026-1-1x': 1 }, 'A filter by “2026-1-1x”, which is not a column of this table,'],
  [{ untrue: 1 }, 'A filter by “untrue”, which is not a column of this table,'],
  [{ trues: 1 }, 'A filter by “trues”, which is not a column of this table,'],
  [{ from: Symbol() }, 'A filter by “”, which is not a column of this table,'],
  [{ and: [Symbol()] }, 'A filter by “”, which is not a column of this table,'],
  [{ eq: [Symbol(), 1] }, 'A filter by “”, which is not a column of this table,'],
  [{ [long]: 1 }, `A filter by “${long.slice(1)}…”, which is not a column of this table,`],
  [{ [long.slice(1)]: 1 }, `A filter by “${long.slice(1)}”, which is not a column of this table,`],
  [{ duration: { gt: 'x' } }, 'Comparing “duration” with “x”'],
  [{ duration: { gt: Symbol('status') } }, 'Comparing “duration” with “status”'],
  [{ startTime: { gt: Symbol('status') } }, 'Comparing “startTime” with “status”'],
  ...['x2026-11-20', '2026-11-201', '2026-02-31', '2025-13-01', '2020-99-99', '2026-1-0'].map(
    (day): [Where, string, string] => [
      ...([{ startTime: { lt: day } }, `Comparing “startTime” with “${day}”`] as const),
      ofDates,
    ],
  ),
  [{ startTime: { lt: '0-1-32' } }, 'Comparing “startTime” with “0-1-32”', ofDates],
  [
    { startTime: { lt: new Date(Number.NaN) } },
    'Comparing “startTime” with “Invalid Date”',
    ofDates,
  ],
  [
    { customer: { inSelect: { table: 'C', field: 'id', where: { phone: Symbol('from') } } } },
    'Comparing “phone” with “from”',
  ],
  [
    { customer: { inSelect: { table: 'C', field: 'id', where: { phone: () => ({}) } } } },
    'Comparing “phone” with “customer”',
  ],
  [{ status: {} }, 'The filter “{}” of “status”'],
  [{ status: [] }, 'The filter “[]” of “status”'],
  [{ status: { equal: true } }, 'The filter “{"equal":true}” of “status”'],
  [{ status: { fullMatch: true } }, 'The filter “{"fullMatch":true}” of “status”'],
  [{ status: { like: 'x' } }, 'A filter by “like”'],
  [{ status: { toString: 1 } }, 'A filter by “toString”'],
  [{ status: { ilike: 'b', toString: 1 } }, 'A filter by “toString”'],
  [{ startTime: { gt: '2026-1-1', day_only: true } }, 'A filter by “day_only”'],
  [{ and: ['x'] }, 'The filter “x”'],
  [{ and: [{}] }, 'The filter “{}”'],
  [{ not: /x/ }, 'The filter “{}”'],
  [{ not: new Date(0) }, 'The filter “"1970-01-01T00:00:00.000Z"”'],
  [{ eq: [1] }, 'The filter “[1]”'],
  [{ eq: 12 }, 'The filter “12”'],
];

test.each(refused)(
  'the filter %o is refused instead of matching all or none',
  (where, what, more = '') => {
    const error = { code: 'input', message: `${what} is not possible here.${more}` };
    expect(() => read(where)).toThrow(expect.objectContaining(error));
  },
);

test('a sub-select that was not resolved first throws', () => {
  const condition = read({ from: { inSelect: { table: 'Customers', field: 'phone', where: {} } } });
  expect(() => truthOf(condition, columns)).toThrow(
    new RangeError('The sub-select of “from” was not made yet.'),
  );
});

const patterns: [text: string, pattern: string, fits: boolean][] = [
  ['', '', true],
  ['', '%', true],
  ['', '%%', true],
  ['', '_', false],
  ['a', '', false],
  ['a', '_', true],
  ['a', '_%', true],
  ['a', '__', false],
  ['a', 'A', true],
  ['A', 'a', true],
  ['ab', 'a', false],
  ['ab', 'b', false],
  ['ab', '%b', true],
  ['ab', '%a', false],
  ['ab', 'a%', true],
  ['abc', 'a%c', true],
  ['abcd', 'a%c', false],
  ['aabab', 'a%ab', true],
  ['aabaab', '%aab', true],
  ['abxcbc', 'a%bc', true],
  ['a%b', 'a%%b', true],
  ['😀b', '_b', true],
  ['ab', '_', false],
  ['aab', '%_b', true],
  ['b', '%_b', false],
  [`${'a'.repeat(40)}bc`, `${'a'.repeat(40)}_c`, true],
  [`${'a'.repeat(40)}bc`, `${'a'.repeat(41)}_c`, false],
  [`x${'ab'.repeat(50)}y`, `%${'ab'.repeat(20)}%${'ab'.repeat(30)}_`, true],
  [`x${'ab'.repeat(50)}y`, `%${'ab'.repeat(20)}%${'ab'.repeat(31)}_`, false],
  ['a'.repeat(32), 'a'.repeat(32), true],
  ['a'.repeat(33), 'a'.repeat(32), false],
  [`${'a'.repeat(32)}b`, `%${'a'.repeat(31)}%`, true],
];

test.each(patterns)('%j matches the pattern %j: %p', (text, pattern, fits) => {
  expect(like(pattern).test(text)).toBe(fits);
});

test.each<[what: string, where: Where]>([
  ['a filter', { note: { ilike: `${'a'.repeat(1_000)}b` } }],
  ['a filter with a wildcard', { note: { ilike: `_${'a'.repeat(1_000)}b` } }],
  ['a search', { _fts: { searchTerm: `${'a'.repeat(1_000)}b` } }],
  ['a pattern longer than the texts', { note: { ilike: 'ab'.repeat(1_000) } }],
])('%s searches 1,000 long texts of equal characters in less than two seconds', (_, where) => {
  const condition = read(where);
  const before = process.cpuUsage();
  for (let index = 0; index < 1_000; index += 1)
    expect(truthOf(condition, columns)({ ...row, note: 'a'.repeat(1_600) })).toBe(false);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
});

const possible: [where: Where, values: unknown[] | undefined][] = [
  [{}, undefined],
  [{ status: 'busy' }, ['busy']],
  [{ status: null }, [null]],
  [{ note: 'busy' }, undefined],
  [{ note: null }, undefined],
  [{ duration: { gt: 1 } }, undefined],
  [{ status: { ilike: 'b' } }, undefined],
  [{ not: { status: 'busy' } }, undefined],
  [{ _fts: { searchTerm: 'busy' } }, undefined],
  [{ status: { in: ['busy', 'idle', null, 'busy'] } }, ['busy', 'idle']],
  [{ note: { in: ['busy'] } }, undefined],
  [{ note: { in: [] } }, []],
  [{ _false: true }, []],
  [{ not: null }, []],
  [{ not: false }, undefined],
  [{ status: 'busy', note: 'x' }, ['busy']],
  [{ and: [{ status: { in: ['busy', 'idle'] } }, { status: { in: ['idle', 'late'] } }] }, ['idle']],
  [{ or: [{ status: 'busy' }, { status: { in: ['busy', 'idle'] } }] }, ['busy', 'idle']],
  [{ or: [{ status: 'busy' }, { note: 'x' }] }, undefined],
  [{ or: [{ status: 'busy' }, { _false: true }] }, ['busy']],
];

test.each(possible)('the filter %o allows the values %j', (where, values) => {
  expect(possibleValues(read(where), 'status')).toEqual(values);
});

test('a comparison by size allows no list of values', () => {
  expect(possibleValues(read({ duration: { gt: 60, equal: true } }), 'duration')).toBeUndefined();
  expect(possibleValues(read({ duration: 60 }), 'duration')).toEqual([60]);
});

const mentioned: [where: Where, is: boolean][] = [
  [{}, false],
  [{ status: 'busy' }, true],
  [{ note: 'busy' }, false],
  [{ not: { status: 'busy' } }, true],
  [{ not: { note: 'busy' } }, false],
  [{ or: [{ note: 'x' }, { status: null }] }, true],
  [{ or: [{ note: 'x' }, { note: null }] }, false],
  [{ note: Symbol('status') }, true],
  [{ status: Symbol('note') }, true],
  [{ note: Symbol('from') }, false],
  [{ _fts: { searchTerm: 'status' } }, false],
];

test.each(mentioned)('the filter %o mentions the status: %p', (where, is) => {
  expect(mentions(read(where), 'status')).toBe(is);
});
