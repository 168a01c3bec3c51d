import { paceOf } from '../../src/wire/pace-of.ts';

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
  return paceOf(another)();
}

test.each(Object.keys(account))('of another %s, an account has another pace', (key) => {
  expect(paceOf({ ...account })()).toBe(paceOf(account)());
  expect(paceOf({ ...account, [key]: 'other' })()).not.toBe(paceOf(account)());
});

test('the pace of an account that was refused nothing is kept while something is under way', async () => {
  const paceNow = paceOf(account);
  const pace = paceNow();
  const turn = await pace.turn(undefined, patience);
  now += 2 * hour;
  openAnother();
  expect(paceNow()).toBe(pace);
  turn.accepted();
  openAnother();
  expect(paceNow()).not.toBe(pace);
  expect(paceNow()).toBe(paceOf(account)());
});

test('a refusal counts for an hour', async () => {
  const paceNow = paceOf(account);
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
  ['waits', 2 * hour + 1, true],
  ['is to wait', 2 * hour, false],
])('as long as someone %s, a refusal counts', async (_, until, isWaiting) => {
  const paceNow = paceOf(account);
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
