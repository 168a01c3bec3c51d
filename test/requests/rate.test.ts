import { Rate } from '../../src/wire/rate.ts';

/**
 * A rate, and a clock by which a service accepts this many requests in this many milliseconds before it refuses one.
 */
function learning() {
  const rate = new Rate();
  let [now, busy] = [0, 0];
  rate.recordRefused(now, busy);
  return {
    now: () => now,
    rate: (later = 0) => rate.at(now + later),
    takes(count: number, time: number, idle = 0) {
      for (let one = 0; one < count; one += 1) rate.recordAccepted(now);
      now += time + idle;
      busy += time;
      rate.recordRefused(now, busy);
      return rate.at(now);
    },
  };
}

test('the rate is unlimited before two refusals', () => {
  expect(new Rate().at(1_000)).toBe(Number.POSITIVE_INFINITY);
  expect(learning().rate(1_000)).toBe(Number.POSITIVE_INFINITY);
});

test('the rate is the requests accepted between two refusals, without idle time', () => {
  expect(learning().takes(100, 2_000)).toBe(50);
  expect(learning().takes(100, 2_000, 60_000)).toBe(50);
  expect(learning().takes(1, 60_000)).toBe(1);
  expect(learning().takes(1, 120_000)).toBe(1);
});

test('the rate needs at least a second of counting and one accepted request', () => {
  const short = learning();
  expect(short.takes(40, 999)).toBe(Number.POSITIVE_INFINITY);
  expect(short.takes(10, 1)).toBe(50);
  const nothing = learning();
  expect(nothing.takes(0, 5_000)).toBe(Number.POSITIVE_INFINITY);
  expect(nothing.takes(100, 2_000)).toBe(50);
});

test('requests accepted before the first refusal do not count', () => {
  const rate = new Rate();
  rate.recordAccepted(0);
  rate.recordRefused(0, 0);
  expect(rate.at(1_000)).toBe(Number.POSITIVE_INFINITY);
});

test('the rate stays near its first estimate for five seconds, then grows ever faster', () => {
  const { takes, rate } = learning();
  takes(100, 2_000);
  expect([0, 2_500, 5_000, 10_000, 15_000].map((later) => +rate(later).toFixed(2))).toEqual([
    50, 51.31, 51.5, 53, 63.5,
  ]);
});

test('the rate leaves an estimate that was too low', () => {
  const { takes, rate } = learning();
  takes(100, 2_000);
  expect(takes(200, 2_000)).toBe(100);
  expect(rate(5_000)).toBe(103);
});

test('the rate stays just below the last limit, longer each time', () => {
  const { takes, rate } = learning();
  takes(100, 2_000);
  for (const [after, plateau] of [
    [10_000, 10_000],
    [20_000, 20_000],
    [40_000, 30_000],
  ] as const) {
    const before = rate(after);
    const known = takes((50 * after) / 1_000, after);
    expect(known).toBeCloseTo(50);
    expect(rate(plateau)).toBeCloseTo(Math.max(51.5, before * 0.97));
  }
});

test('one bad second lowers the rate by a fifth, a bad period at most to half of the best remembered rate', () => {
  const { takes, rate, now } = learning();
  takes(100, 2_000);
  for (const left of [40, 32]) expect(takes(1, 1_000)).toBeCloseTo(left);
  for (let second = 0; second < 10; second += 1) takes(1, 1_000);
  const half = 25 * 0.5 ** ((now() - 2_000) / 300_000);
  expect(rate()).toBeCloseTo(half);
  for (let minute = 0; minute < 120; minute += 1) takes(1, 60_000);
  expect(rate()).toBe(1);
});

test('the first refusal ends the growth of a long time without one', () => {
  const { takes, rate } = learning();
  takes(100, 2_000);
  expect(rate(3_600_000)).toBeGreaterThan(1_000_000);
  expect(takes(60, 2_000, 3_600_000)).toBe(40);
  expect(rate(10_000)).toBe(50);
});

test('an hour after a refusal even the slowest rate no longer limits anything', () => {
  const { takes, rate } = learning();
  for (let minute = 0; minute < 10; minute += 1) takes(1, 60_000);
  expect(rate()).toBe(1);
  expect(rate(3_600_000)).toBeGreaterThan(10_000);
});
