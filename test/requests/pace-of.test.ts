import { rateLimiterOf } from '../../src/wire/rate-limiter-of.ts';

const hour = 3_600_000;
const patience = 30_000;
const account = { root: 'https://api.example.com/', username: 'AC1', password: 'secret' };

let now = 0;
beforeEach(() => {
  now += 10 * hour;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Opens another account, which is when what is not needed is let go. */
function openAnother() {
  const another = { ...account, username: `AC${Math.random()}` };
  return rateLimiterOf(another)();
}

test.each(Object.keys(account))('accounts with another %s have rate limits of their own', (key) => {
  expect(rateLimiterOf({ ...account })()).toBe(rateLimiterOf(account)());
  expect(rateLimiterOf({ ...account, [key]: 'other' })()).not.toBe(rateLimiterOf(account)());
});

test('a rate limiter without refusals is kept while a request is in progress', async () => {
  const paceNow = rateLimiterOf(account);
  const pace = paceNow();
  const turn = await pace.turn(undefined, patience);
  now += 2 * hour;
  openAnother();
  expect(paceNow()).toBe(pace);
  turn.accepted();
  openAnother();
  expect(paceNow()).not.toBe(pace);
  expect(paceNow()).toBe(rateLimiterOf(account)());
});

test('the rate limiter remembers a refusal for an hour', async () => {
  const paceNow = rateLimiterOf(account);
  const pace = paceNow();
  (await pace.turn(undefined, patience)).refused(0);
  for (const [wait, isKept] of [
    [0, true],
    [hour - 1, true],
    [1, false],
  ] as const) {
    now += wait;
    openAnother();
    expect(paceNow() === pace).toBe(isKept);
  }
});

test.each([
  ['a request is waiting', 2 * hour + 1, true],
  ['the pause lasts', 2 * hour, false],
])('the rate limiter remembers a refusal as long as %s', async (_, until, isWaiting) => {
  const paceNow = rateLimiterOf(account);
  const pace = paceNow();
  const stop = new AbortController();
  (await pace.turn(undefined, 3 * hour)).refused(2 * hour);
  const waiting = isWaiting && Promise.resolve(pace.turn(stop.signal, 3 * hour)).catch(() => {});
  now += until - 1;
  openAnother();
  expect(paceNow()).toBe(pace);
  stop.abort();
  await waiting;
  now += 1;
  openAnother();
  expect(paceNow()).not.toBe(pace);
});
