import {
  definitions,
  type PlannedRow,
  planRow,
  planRows,
  type RowItem,
  TelephonyError,
} from '../../src/builder.ts';
import { inEnglishRow } from '../support/in-english.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');

const typed = { from: '+14155550100', to: ' +1 (202) 555-0143', body: 'Hello' };
const values = { ...typed, to: '+12025550143' };
const tooLong = { ...typed, body: 'x'.repeat(1_601) };
const problem = '"Body" must be text of at most 1,600 characters.';

function refuse(error: Error): never {
  throw error;
}

const rows: [name: string, row: Partial<PlannedRow>, item: RowItem][] = [
  [
    'a name and a number',
    {},
    { who: 'Ann (+12025550143)', outcome: 'waiting', to: values.to, values },
  ],
  [
    'a number alone',
    { name: '' },
    { who: '+12025550143', outcome: 'waiting', to: values.to, values },
  ],
  [
    'its number as the name',
    { name: '+12025550143' },
    { who: '+12025550143', outcome: 'waiting', to: values.to, values },
  ],
  [
    'two numbers',
    { name: '', filled: ['to', 'from', 'body'] },
    { who: '+14155550100, +12025550143', outcome: 'waiting', to: values.to, values },
  ],
  [
    'no values of its own but a text',
    { filled: ['body'] },
    { who: 'Ann', outcome: 'waiting', to: values.to, values },
  ],
  [
    'no values of its own',
    { name: '', filled: [] },
    { who: 'A row', outcome: 'waiting', to: values.to, values },
  ],
  [
    'a key, but neither a name nor a number',
    { row: ['people', 7], name: '', filled: [] },
    {
      ...{ who: '#7', outcome: 'waiting', to: values.to, values },
      ...{ row: '["people",7]', recipient: expect.any(String) },
    },
  ],
  [
    'a key, but no name, and nothing to send',
    { row: ['people', 'a-7'], name: '', input: () => refuse(new TelephonyError('input', 'No.')) },
    { who: '#a-7', row: '["people","a-7"]', outcome: 'failed', message: 'No.' },
  ],
  [
    'a name of several lines',
    { name: 'Ann\r\nSkipping 5 rows: \u2028Bob\u202e\u0007' },
    {
      ...{ who: 'Ann Skipping 5 rows: Bob (+12025550143)', outcome: 'waiting' },
      ...{ to: values.to, values },
    },
  ],
  [
    'a name of 10,000 characters',
    { name: 'A'.repeat(10_000) },
    {
      ...{ who: `${'A'.repeat(79)}… (+12025550143)`, outcome: 'waiting' },
      ...{ to: values.to, values },
    },
  ],
  [
    'a number of several lines',
    { name: '', input: () => ({ ...typed, to: `1\n${'2'.repeat(10_000)}` }) },
    {
      ...{ who: `1 ${'2'.repeat(77)}…`, to: `1 ${'2'.repeat(77)}…`, outcome: 'failed' },
      message: expect.not.stringContaining('\n'),
    },
  ],
  [
    'a text over the limit',
    { input: () => tooLong },
    { who: 'Ann (+1 (202) 555-0143)', to: typed.to.trim(), outcome: 'failed', message: problem },
  ],
  [
    'no number',
    { name: 'Ann', input: () => ({ ...typed, to: undefined }) },
    {
      ...{ who: 'Ann', outcome: 'failed' },
      message:
        '"To" is missing: the recipient\'s number with country code, such as +12025550143, or whatsapp:+12025550143 for WhatsApp.',
    },
  ],
  [
    'an input that cannot be read',
    { input: () => refuse(new TelephonyError('input', 'No value.')) },
    { who: 'Ann', outcome: 'failed', message: 'No value.' },
  ],
];

test.each(rows)('the plan shows a row with %s', (_, row, item) => {
  const planned = { name: 'Ann', filled: ['to', 'body'], input: () => typed, ...row };
  expect(inEnglishRow(planRow(action, planned))).toStrictEqual(item);
});

test.each<[key: unknown, input: object, row: Partial<RowItem>]>([
  [7, typed, { row: '["People",7]', recipient: expect.any(String) }],
  [null, typed, { row: '["People",null]', recipient: expect.any(String) }],
  [7, { ...typed, to: '' }, { row: '["People",7]' }],
  [null, { ...typed, to: '' }, {}],
])('a row with the key %p and %p is recognised later', (key, input, row) => {
  const planned = { row: ['People', key], name: '', filled: [], input: () => ({ ...input }) };
  const {
    who: _,
    to: _____,
    outcome: __,
    values: ___,
    message: ____,
    ...known
  } = planRow(action, planned);
  expect(known).toEqual(row);
});

test('a programming mistake in a row is thrown, not reported as its problem', () => {
  const mistake = new RangeError('A mistake');
  const row = { name: '', filled: [], input: () => refuse(mistake) };
  expect(() => planRow(action, row)).toThrow(mistake);
});

const item = (key: number, rest: Partial<RowItem> = {}): RowItem => ({
  ...{ who: `P${key}`, outcome: 'waiting', key, values },
  ...rest,
});
const failed = (key: number): RowItem => ({ who: `P${key}`, outcome: 'failed', key });
const others = { ...values, body: 'Goodbye' };
const pending = { isPending: true } as const;
const same = (key: number): RowItem => ({ who: `P${key}`, outcome: 'duplicate' });
const done = (key: number, rest: Partial<RowItem> = {}): RowItem => ({
  ...{ who: `P${key}`, outcome: 'already-done', key },
  ...rest,
});

const sames: [name: string, items: RowItem[], left: RowItem[]][] = [
  [
    'sends the first and marks the others as its duplicates',
    [item(1), item(2), item(3)],
    [item(1, { same: [2, 3] }), same(2), same(3)],
  ],
  [
    'keeps rows that send something else',
    [item(1), item(2, { values: others })],
    [item(1), item(2, { values: others })],
  ],
  [
    'leaves out keys if the rows record no outcome',
    [item(1, { key: undefined }), item(2, { key: undefined })],
    [item(1, { key: undefined }), same(2)],
  ],
  [
    'prefers a started row over one that was not started',
    [item(1), item(2, pending)],
    [same(1), item(2, { ...pending, same: [1] })],
  ],
  [
    'checks only one of two started rows',
    [item(1, pending), item(2, pending)],
    [item(1, { ...pending, same: [2] }), same(2)],
  ],
  [
    'counts a waiting row as a duplicate of a sent one',
    [item(1), done(2, { values })],
    [same(1), done(2, { same: [1] })],
  ],
  [
    'still checks a started row next to a sent one',
    [item(1, pending), done(2, { values })],
    [item(1, pending), done(2)],
  ],
  ['leaves sent rows as sent', [done(1, { values }), done(2, { values })], [done(1), done(2)]],
  [
    'never treats rows that cannot be sent as duplicates',
    [failed(1), failed(2)],
    [failed(1), failed(2)],
  ],
];

test.each(sames)('deduplication of a plan %s', async (_, items, left) => {
  expect(await planRows(items, (item) => item)).toEqual(left);
});

test('while many rows are planned, other work is done', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const seen: number[] = [];
  let count = 0;
  const planning = planRows(Array(10).fill(''), () => {
    now += 5;
    count += 1;
    return { who: '', outcome: 'failed' };
  });
  while (count < 10) {
    seen.push(count);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await planning;
  jest.restoreAllMocks();
  // Four rows take 20 ms.
  expect(seen).toEqual([1, 4, 8]);
});
