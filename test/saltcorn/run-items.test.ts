import { RecentReads } from '../../plugin/saltcorn/account/recent-reads.ts';
import { runOnAccount } from '../../plugin/saltcorn/bulk/run-on-account.ts';
import type { Row } from '../../plugin/saltcorn/where/where.ts';
import {
  connect,
  countsOf,
  countsSaid,
  definitions,
  isWithoutProblems,
  type Page,
  problemSaid,
  problemsOf,
  type RowItem,
  TelephonyError,
} from '../../src/index.ts';
import {
  answerWith,
  account as credentials,
  isolate,
  type ServiceAnswer,
} from '../requests/service.ts';

// What becomes of each row, without Saltcorn; `bulk-run.test.ts` asks the same in it.

isolate();

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const run = (items: RowItem[], account: ReturnType<typeof accountOf>, isStopped = goOn) =>
  runOnAccount(action, account, items, isStopped);

const goOn = async () => false;
const from = '+14155550100';

const waiting = (who: string): RowItem => ({
  ...{ who, outcome: 'waiting' },
  values: { from, to: '+12025550143', body: who },
});
const waitingAll = (count: number) =>
  Array.from({ length: count }, (_, index) => waiting(`P${index}`));

/** The account that nock answers for, which counts how often it is told of a change. */
const accountOf = (open = async () => connect(credentials, { confirm: 0 })) => ({
  ...{
    configuration: {},
    reads: new RecentReads<Page<Row>>(0),
    settings: async () => credentials,
    telephony: open,
    readLimit: 1,
    changes: 0,
  },
  changed() {
    this.changes += 1;
  },
});

const created: ServiceAnswer = { status: 201, body: { sid: 'SM1' } };

const ends: [answer: ServiceAnswer, end: Partial<RowItem>, records: number][] = [
  [created, { outcome: 'done' }, 1],
  [
    { status: 400, body: { message: 'No.' } },
    { outcome: 'failed', message: 'The service refused the request. It said: No.' },
    0,
  ],
  [
    { status: 500, body: {} },
    {
      outcome: 'unknown',
      message:
        'The service failed while it worked on the request. "Send SMS" may have been done or not; it was not sent again. Look at the message log of your account before you send it again.',
    },
    0,
  ],
];

test.each(ends)('%j is noted in the row', async (answer, end, count) => {
  const sent = answerWith([answer]);
  const [items, account] = [[waiting('Ann')], accountOf()];
  const records = await run(items, account);
  expect(items).toStrictEqual([{ who: 'Ann', ...end }]);
  expect(records).toEqual(Array(count).fill(expect.objectContaining({ sid: 'SM1' })));
  expect(sent.map(({ body }) => body)).toEqual(['From=%2B14155550100&To=%2B12025550143&Body=Ann']);
  expect(account.changes).toBe(1);
});

test('only what is waiting is done', async () => {
  const sent = answerWith([created]);
  const others: RowItem[] = [
    { who: 'Bob', outcome: 'same' },
    { who: 'Cy', outcome: 'failed', message: 'No number.' },
  ];
  const items = [...others, waiting('Ann')];
  await run(items, accountOf());
  expect(items).toStrictEqual([...others, { who: 'Ann', outcome: 'done' }]);
  expect(sent).toHaveLength(1);
});

test('one refusal ends nothing', async () => {
  const sent = answerWith(Array(7).fill({ status: 400, body: {} }));
  const items = waitingAll(7);
  await run(items, accountOf());
  expect(countsOf(items)).toMatchObject({ failed: 7 });
  expect(sent).toHaveLength(7);
});

test('after wrong credentials only what was under way is tried', async () => {
  const sent = answerWith(Array(7).fill({ status: 401, body: {} }));
  const [items, account] = [waitingAll(7), accountOf()];
  await run(items, account);
  expect(items.map(({ outcome }) => outcome)).toEqual([
    ...Array(5).fill('failed'),
    ...Array(2).fill('untried'),
  ]);
  expect(sent).toHaveLength(5);
});

const openings: [error: Error, end: Partial<RowItem>][] = [
  [new TelephonyError('settings', 'Fill it in.'), { outcome: 'failed', message: 'Fill it in.' }],
  [new RangeError('A mistake'), { outcome: 'unknown' }],
];

test.each(openings)('where no account can be opened: %s', async (error, end) => {
  const [items, account] = [waitingAll(6), accountOf(() => Promise.reject(error))];
  const over = run(items, account);
  if (error instanceof TelephonyError) expect(await over).toEqual([]);
  else await expect(over).rejects.toBe(error);
  expect(items).toStrictEqual([
    ...['P0', 'P1', 'P2', 'P3', 'P4'].map((who) => ({ who, ...end })),
    { who: 'P5', outcome: 'untried' },
  ]);
  expect(account.changes).toBe(1);
});

const stops: [name: string, isStopped: () => Promise<boolean>][] = [
  ['that is stopped', async () => true],
  ['of which nobody knows whether it is', () => Promise.reject(new Error('No database'))],
];

test.each(stops)('nothing is done of a run %s', async (_name, isStopped) => {
  const sent = answerWith([]);
  const items = waitingAll(2);
  expect(await run(items, accountOf(), isStopped)).toEqual([]);
  expect(items).toStrictEqual([
    { who: 'P0', outcome: 'untried' },
    { who: 'P1', outcome: 'untried' },
  ]);
  expect(sent).toEqual([]);
});

const mixed: RowItem[] = [
  { who: 'Ann', outcome: 'done' },
  { who: 'Bob', outcome: 'failed', message: 'No number.' },
  { who: 'Cy', outcome: 'failed', message: 'No text.' },
  { who: 'Di', outcome: 'failed', message: 'No number.' },
  { who: 'Ed', outcome: 'unknown', message: 'No number.' },
  { who: 'Flo', outcome: 'same' },
  { who: 'Gus', outcome: 'untried' },
  { who: 'Hal', outcome: 'untried' },
  { who: 'Ida', outcome: 'waiting' },
];

test('what became of the rows is counted', () => {
  const counts = { done: 1, before: 0, failed: 3, unknown: 1, same: 1, untried: 2, waiting: 1 };
  expect(countsOf(mixed)).toEqual(counts);
  expect(countsSaid(mixed)).toBe(
    '1 done, 3 failed, 1 unknown, perhaps done, 1 the same as another row, 2 not tried, 1 waiting',
  );
  expect(countsSaid(mixed.slice(1, 2))).toBe('0 done, 1 failed');
});

test('what was not done is said of the rows together, by its reason', () => {
  expect(problemsOf(mixed)).toEqual([
    { outcome: 'failed', message: 'No number.', who: ['Bob', 'Di'] },
    { outcome: 'failed', message: 'No text.', who: ['Cy'] },
    { outcome: 'unknown', message: 'No number.', who: ['Ed'] },
    { outcome: 'untried', message: '', who: ['Gus', 'Hal'] },
  ]);
  expect(problemsOf(mixed).map(problemSaid)).toEqual([
    'Bob, Di: No number.',
    'Cy: No text.',
    'Ed: No number.',
    'Gus, Hal: not tried',
  ]);
});

test.each(mixed)('whether $outcome alone is good', (item) => {
  expect(isWithoutProblems([item])).toBe(['done', 'same'].includes(item.outcome));
  expect(isWithoutProblems([{ who: 'Ann', outcome: 'done' }, item])).toBe(
    isWithoutProblems([item]),
  );
});
