import { connect } from '../../src/builder.ts';
import { errorOf } from './errors.ts';
import { account, answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();

// Waits advance the clock, and so do the tests: the rate limiter then forgets the previous test.
const hour = 3_600_000;
let mockTime = 0;
const mockWaits: number[] = [];
jest.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    mockWaits.push(milliseconds);
    mockTime += milliseconds;
  },
}));

beforeEach(() => {
  mockWaits.length = 0;
  mockTime += hour;
  jest.spyOn(performance, 'now').mockImplementation(() => mockTime);
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => jest.restoreAllMocks());

const read = () => telephony().run('account-calls', {});
// Confirmation requests are no attempts.
const write = () =>
  telephony({ confirmTimeoutMs: 0 }).run('send-sms', {
    from: '+14155550100',
    to: '+12025550143',
    body: 'Hello',
  });

const calls = { status: 200, body: { calls: [] } };
const message = { status: 201, body: { sid: 'SM1' } };
const busy = (retryAfter?: string): ServiceAnswer => ({
  status: 429,
  body: '',
  headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
});
const trouble = { status: 503, body: '' };

const waits: [
  name: string,
  run: () => Promise<unknown>,
  answers: ServiceAnswer[],
  waits: number[],
][] = [
  ['a read that succeeds is not retried', read, [calls], []],
  ['a read after server errors backs off', read, [trouble, trouble, calls], [50, 100]],
  [
    'a read after four failures backs off, longer each time',
    read,
    [trouble, busy(), trouble, busy(), calls],
    [50, 100, 200, 400],
  ],
  ['a read waits as long as Retry-After says', read, [busy('2'), calls], [2000]],
  ['a read never waits less than its backoff', read, [busy('0'), calls], [50]],
  ['a read ignores a Retry-After it cannot parse', read, [busy('soon'), calls], [50]],
  ['a write refused by a rate limit is retried', write, [busy(), busy('1'), message], [50, 1000]],
];

test.each(waits)('%s', async (_, run, answers, expected) => {
  const sent = answerWith(answers);
  await run();
  expect(sent).toHaveLength(answers.length);
  expect(mockWaits).toEqual(expected);
});

const dates: [text: string, retryAfter: number | undefined][] = [
  ['Fri, 01 Jan 2027 00:00:05 GMT', 5],
  ['Friday, 01-Jan-27 00:00:06 GMT', 6],
  ['Fri Jan  1 00:00:07 2027', 7],
  ['Thu, 31 Dec 2026 23:59:59 GMT', 0],
  ['0', 0],
  ['007', 7],
  ['-5', undefined],
  ['1.5', undefined],
  ['5 s', undefined],
  ['2027-01-01T00:00:05Z', undefined],
  ['Fri, 01 Jan 2027 00:00:05', undefined],
  ['Fri, 01 Jan 2027 00:00:05 +0000', undefined],
  ['Fri, 41 Jan 2027 00:00:05 GMT', undefined],
  ['Mon Nonsense 1', undefined],
  ['', undefined],
];

test.each(dates)('Retry-After "%s" means %s seconds', async (text, retryAfter) => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2027, 0, 1));
  answerWith(Array(5).fill(busy(text)));
  expect((await errorOf(read())).retryAfter).toBe(retryAfter);
});

test.each([
  ['rate-limited', busy('31')],
  ['unavailable', { ...trouble, headers: { 'Retry-After': '31' } }],
])('a Retry-After beyond the retry budget fails at once: %s', async (code, answer) => {
  const sent = answerWith([answer]);
  expect(await errorOf(read())).toMatchObject({ code, retryAfter: 31 });
  expect(sent).toHaveLength(1);
  expect(mockWaits).toEqual([]);
});

test('a Retry-After that ends with the retry budget is waited for', async () => {
  answerWith([busy('30'), calls]);
  await read();
  expect(mockWaits).toEqual([30_000]);
});

test('a larger retry budget waits for a longer Retry-After', async () => {
  answerWith([busy('45'), calls]);
  await connect({ ...account, limits: { retryBudgetMs: 60_000 } }).run('account-calls', {});
  expect(mockWaits).toEqual([45_000]);
});

test('no attempt starts after the retry budget is used up', async () => {
  const sent = answerWith(Array(5).fill(trouble));
  // Each response takes 16 s.
  jest.spyOn(performance, 'now').mockImplementation(() => mockTime + sent.length * 16_000);
  await errorOf(read());
  expect(sent).toHaveLength(2);
});

test.each([
  ['a read', read, 'unavailable', 5],
  ['a write', write, 'unknown-outcome', 1],
])(
  '%s that meets server errors makes the right number of attempts',
  async (_, run, code, times) => {
    const sent = answerWith(Array(9).fill(trouble));
    expect((await errorOf(run())).code).toBe(code);
    expect(sent).toHaveLength(times);
  },
);

const text = { from: '+14155550100', to: '+12025550143', body: 'Hello' };

test('the hook before a write runs once, before the first attempt', async () => {
  const sent = answerWith([busy(), message]);
  const before = jest.fn(async () => expect(sent).toEqual([]));
  await telephony({ confirmTimeoutMs: 0 }).run('send-sms', text, { beforeSend: before });
  expect(before).toHaveBeenCalledTimes(1);
  expect(sent).toHaveLength(2);
});

test('a write whose hook fails is not sent', async () => {
  const sent = answerWith([]);
  const mistake = new RangeError('A mistake');
  const before = () => Promise.reject(mistake);
  await expect(telephony().run('send-sms', text, { beforeSend: before })).rejects.toBe(mistake);
  expect(sent).toEqual([]);
});
