import {
  type Columns,
  type Condition,
  conjuncts,
  fieldCondition,
  type Leaf,
  matcher,
  not,
  numberHint,
  or,
  pushDown,
  replaceLeaves,
} from '../../src/builder.ts';
import { definitions } from '../../src/index.ts';

// What conditions on records mean. `adapters/saltcorn/where.test.ts` tests the truth of each with Saltcorn's grammar.

test('conjuncts split “and” conditions, not others', () => {
  const status: Condition = { kind: 'empty', column: 'status' };
  const note: Condition = { kind: 'empty', column: 'note' };
  const either: Condition = { kind: 'or', of: [status, note] };
  const all: Condition = { kind: 'and', of: [status, { kind: 'and', of: [note, either] }] };
  expect(conjuncts(all)).toEqual([status, note, either]);
  expect(conjuncts(either)).toEqual([either]);
});

test('replacing reaches every leaf and says whether it is negated', async () => {
  const seen: [column: string, isNegated: boolean][] = [];
  const replace = (leaf: Leaf, isNegated: boolean): Condition => {
    seen.push([leaf.column, isNegated]);
    return { kind: 'match', column: leaf.column, pattern: /replaced/ };
  };
  const condition = (at: (column: string) => Condition): Condition => ({
    kind: 'and',
    of: [
      at('status'),
      { kind: 'or', of: [at('note'), { kind: 'not', of: { kind: 'or', of: [at('from')] } }] },
      { kind: 'search', text: 'x', pattern: /x/, columns: [] },
      { kind: 'constant', truth: true },
      { kind: 'not', of: at('to') },
    ],
  });
  const before = condition((column) => ({ kind: 'empty', column }));
  const after = condition((column) => ({ kind: 'match', column, pattern: /replaced/ }));
  expect(await replaceLeaves(before, replace)).toEqual(after);
  expect(seen.sort()).toEqual([
    ['from', true],
    ['note', false],
    ['status', false],
    ['to', true],
  ]);
});

test('a negated constant becomes a constant', async () => {
  const condition: Condition = { kind: 'not', of: { kind: 'empty', column: 'note' } };
  const constants = ([true, false, 'unknown'] as const).map((truth) =>
    replaceLeaves(condition, () => ({ kind: 'constant', truth })),
  );
  expect(await Promise.all(constants)).toEqual([
    { kind: 'constant', truth: false },
    { kind: 'constant', truth: true },
    { kind: 'constant', truth: 'unknown' },
  ]);
});

const columns: Columns = {
  types: new Map([
    ['from', 'phone'],
    ['duration', 'integer'],
    ['startTime', 'date'],
  ]),
  cleanPhone: (text) => text.replace(/^0/, '+43'),
};

const list = (column: string, ...values: (string | number | null)[]): Condition => ({
  ...{ kind: 'list', column, values },
});

test.each<[what: string, condition: Condition, row: object, matches: boolean]>([
  ['a number without its plus sign', list('from', '+43664123456'), { from: '43664123456' }, true],
  ['a national number', list('from', '+43664123456'), { from: '0664 123456' }, true],
  ['the second of several numbers', list('from', 'ACME', '+432'), { from: '+432' }, true],
  ['a number that ends the same', list('from', '+43664123456'), { from: '+44664123456' }, false],
  ['a number written as text', list('duration', 60), { duration: '60' }, true],
  ['a date', list('startTime', 0), { startTime: new Date(0) }, true],
  ['a missing column', list('from', '+432'), {}, false],
  ['a missing column, negated', not(list('from', '+432')), {}, false],
  ['a missing column of no values, negated', not(list('from')), {}, true],
  ['any of no conditions', or([]), { from: '+432' }, false],
])('a record with %s matches as expected', (_, condition, row, matches) => {
  expect(matcher(condition, columns)(row as never)).toBe(matches);
});

test('a list of many values costs each record the same as a short one', () => {
  const numbers = Array.from({ length: 20_000 }, (_, index) => `+43664${100_000 + index}`);
  const matches = matcher(list('from', ...numbers), columns);
  const before = process.cpuUsage();
  expect(numbers.filter((from) => matches({ from }))).toHaveLength(20_000);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
});

const dated = definitions.dataSources.find(({ id }) => id === 'calls-by-number-and-date');

test('an invalid value of a filter throws instead of matching none or all', () => {
  const [field] = dated?.fields.filter(({ key }) => key === 'startTimeAfter') ?? [];
  expect(() => field && fieldCondition(field, 'soon')).toThrow(
    expect.objectContaining({ code: 'input', message: expect.stringMatching(/^"\w.*" must be /) }),
  );
});

test.each<[what: string, condition: Condition, hasHint: boolean]>([
  ['of a national number', or([list('from', '(202) 555-0143')]), true],
  ['of a whole number', list('from', '+12025550143'), false],
  ['of a text that looks like a number', list('status', '2025550143'), false],
  ['that excludes a national number', not(list('from', '(202) 555-0143')), false],
])('the hint about a country code is for a filter %s: %#', (_, condition, hasHint) => {
  const hint = dated && numberHint(dated, condition, true);
  expect(hint?.values).toEqual(
    hasHint ? { label: { text: 'From' }, number: '(202) 555-0143' } : undefined,
  );
});

const bound = (operator: '<' | '<=' | '>' | '>=', time: string): Condition => ({
  ...{ kind: 'bound', column: 'startTime', operator, value: Date.parse(time) },
});
const noon = '2026-11-20T12:00:00.500Z';
const either = or([list('status', 'busy'), list('from', '+432')]);

type Pushed = [exact: object, daily: object, rest: Condition[]];
test.each<[what: string, condition: Condition, ...Pushed]>([
  [
    'times from, in seconds or days',
    bound('>', noon),
    { startTimeAfter: ['2026-11-20T12:00:01Z'] },
    { startTimeAfter: ['2026-11-20'] },
    [],
  ],
  [
    'times after a whole second',
    bound('>', '2026-11-20T12:00:00Z'),
    { startTimeAfter: ['2026-11-20T12:00:01Z'] },
    { startTimeAfter: ['2026-11-20'] },
    [],
  ],
  [
    'times until, in seconds or days',
    bound('<=', noon),
    { startTimeBefore: ['2026-11-20T12:00:00Z'] },
    { startTimeBefore: ['2026-11-20'] },
    [],
  ],
  [
    'no time between two seconds',
    { kind: 'and', of: [bound('>', noon), bound('<', '2026-11-20T12:00:00.800Z')] },
    { startTimeAfter: [], startTimeBefore: [] },
    { startTimeAfter: ['2026-11-20'], startTimeBefore: ['2026-11-20'] },
    [],
  ],
  [
    'choices in one list',
    list('status', 'busy', 'failed'),
    { status: [['busy', 'failed']] },
    { status: [['busy', 'failed']] },
    [],
  ],
  [
    'no number that several are possible for',
    list('from', '+1', '+2'),
    {},
    {},
    [list('from', '+1', '+2')],
  ],
  [
    'no empty value',
    { kind: 'empty', column: 'from' },
    {},
    {},
    [{ kind: 'empty', column: 'from' }],
  ],
  ['neither side of an “or”', either, {}, {}, [either]],
  ['no negation', not(list('from', '+1')), {}, {}, [not(list('from', '+1'))]],
])('the service applies %s', (_, condition, exact, daily, rest) => {
  for (const [isExact, expected] of [
    [true, exact],
    [false, daily],
  ] as const) {
    const pushed = dated && pushDown(dated, condition, isExact);
    const values = [...(pushed?.values ?? [])].map(([{ key }, found]) => [key, found]);
    expect([Object.fromEntries(values), pushed?.rest]).toEqual([expected, rest]);
  }
});
