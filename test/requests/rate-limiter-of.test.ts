import { rateLimiterOf } from '../../src/wire/rate-limiter.ts';

const hour = 3_600_000;
const maxPauseMs = 30_000;
const account = { root: 'https://api.example.com/', username: 'AC1', password: 'secret' };

let now = 0;
beforeEach(() => {
  now += 10 * hour;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Opens another account, which drops unused rate limiters. */
function openAnother() {
  const another = { ...account, username: `AC${Math.random()}` };
  return rateLimiterOf(another)();
}

test.each(Object.keys(account))('accounts with another %s have rate limits of their own', (key) => {
  expect(rateLimiterOf({ ...account })()).toBe(rateLimiterOf(account)());
  expect(rateLimiterOf({ ...account, [key]: 'other' })()).not.toBe(rateLimiterOf(account)());
});

test('a rate limiter without refusals is kept while a request is in progress', async () => {
  const limiterNow = rateLimiterOf(account);
  const limiter = limiterNow();
  const permit = await limiter.acquire(undefined, maxPauseMs);
  now += 2 * hour;
  openAnother();
  expect(limiterNow()).toBe(limiter);
  permit.recordAccepted();
  openAnother();
  expect(limiterNow()).not.toBe(limiter);
  expect(limiterNow()).toBe(rateLimiterOf(account)());
});

test('the rate limiter remembers a refusal for an hour', async () => {
  const limiterNow = rateLimiterOf(account);
  const limiter = limiterNow();
  (await limiter.acquire(undefined, maxPauseMs)).recordRefused(0);
  for (const [wait, isKept] of [
    [0, true],
    [hour - 1, true],
    [1, false],
  ] as const) {
    now += wait;
    openAnother();
    expect(limiterNow() === limiter).toBe(isKept);
  }
});

test.each([
  ['a request is waiting', 2 * hour + 1, true],
  ['the pause lasts', 2 * hour, false],
])('the rate limiter remembers a refusal as long as %s', async (_, until, isWaiting) => {
  const limiterNow = rateLimiterOf(account);
  const limiter = limiterNow();
  const stop = new AbortController();
  (await limiter.acquire(undefined, 3 * hour)).recordRefused(2 * hour);
  const waiting =
    isWaiting && Promise.resolve(limiter.acquire(stop.signal, 3 * hour)).catch(() => {});
  now += until - 1;
  openAnother();
  expect(limiterNow()).toBe(limiter);
  stop.abort();
  await waiting;
  now += 1;
  openAnother();
  expect(limiterNow()).not.toBe(limiter);
});
