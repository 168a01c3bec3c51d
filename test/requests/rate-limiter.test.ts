import pLimit from 'p-limit';
import { type Permit, RateLimiter } from '../../src/wire/rate-limiter.ts';

/** A clock that jumps to the next timer when nothing else is left to do. */
let mockNow = 0;
/** How late the limiter's timers fire, in milliseconds. */
let mockLateMs = 0;
const mockTimers: { at: number; run: () => void }[] = [];
jest.mock('node:timers/promises', () => ({
  setTimeout: (wait: number, _: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<void>((resolve, reject) => {
      const timer = { at: mockNow + wait + mockLateMs, run: resolve };
      mockTimers.push(timer);
      signal?.addEventListener('abort', () => {
        mockTimers.splice(mockTimers.indexOf(timer), 1);
        reject(signal.reason);
      });
    }),
}));

const maxPauseMs = 30_000;

const later = (wait: number) =>
  new Promise<void>((run) => mockTimers.push({ at: mockNow + wait, run }));

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function passUntil(isOver: () => boolean) {
  await settled();
  while (!isOver()) {
    mockTimers.sort((one, other) => one.at - other.at);
    const next = mockTimers.shift();
    if (!next) throw new Error('Nothing is waited for any more.');
    mockNow = Math.max(mockNow, next.at);
    next.run();
    await settled();
  }
}

beforeEach(() => {
  mockTimers.length = 0;
  mockNow = 0;
  mockLateMs = 0;
  // Without a spy, which would keep each of a million calls.
  Object.defineProperty(performance, 'now', { value: () => mockNow, configurable: true });
});
afterEach(() => Reflect.deleteProperty(performance, 'now'));

interface Service {
  /** The response time, in milliseconds. */
  latency: number;
  /** Whether it accepts a request now. */
  takes(): boolean;
  answered?(): void;
}

/** A service that accepts this many requests per second. */
function perSecond(most: number): Service {
  let [second, taken] = [-1, 0];
  return {
    latency: 5,
    takes() {
      const now = Math.floor(mockNow / 1_000);
      if (now !== second) [second, taken] = [now, 0];
      taken += 1;
      return taken <= most;
    },
  };
}

/** A bucket with this capacity, refilled at this rate per second. */
function bucket(most: number, perSecond: number): Service {
  let [filled, at] = [most, 0];
  return {
    latency: 40,
    takes() {
      filled = Math.min(most, filled + ((mockNow - at) * perSecond) / 1_000);
      at = mockNow;
      if (filled < 1) return false;
      filled -= 1;
      return true;
    },
  };
}

/** A service that handles this many requests at a time. */
function atATime(most: number, latency: number): Service {
  let underWay = 0;
  return {
    latency,
    takes() {
      if (underWay >= most) return false;
      underWay += 1;
      return true;
    },
    answered() {
      underWay -= 1;
    },
  };
}

const everything: Service = { latency: 10, takes: () => true };

/**
 * Sends this many requests, some at a time, and retries each until it is accepted. Returns milliseconds of the clock.
 *
 * @param first how many at first, and one more after each that was accepted, at most 15 a second
 */
async function sendAll(
  service: Service,
  total: number,
  together: number,
  wait: () => number,
  limiter = new RateLimiter(),
  first = together,
) {
  const began = mockNow;
  const seen = { refused: 0, taken: 0, underWay: 0 };
  async function send() {
    for (;;) {
      const permit = await limiter.acquire(undefined, maxPauseMs);
      const isTaken = service.takes();
      await later(service.latency);
      if (isTaken) {
        service.answered?.();
        seen.taken += 1;
        return permit.recordAccepted();
      }
      seen.refused += 1;
      expect(permit.recordRefused(wait())).toBe(true);
    }
  }
  const slots = pLimit(first);
  const all = Promise.all(
    Array.from({ length: total }, () =>
      slots(send).then(() => {
        slots.concurrency = Math.min(
          together,
          slots.concurrency + 1,
          first + Math.floor((mockNow - began) * 0.015),
        );
      }),
    ),
  );
  let isOver = false;
  all.then(() => {
    isOver = true;
  });
  await passUntil(() => isOver);
  await all;
  return { ...seen, time: mockNow - began };
}

const untilNextSecond = () => 1_000 - (mockNow % 1_000);
const aSecond = () => 1_000;
const shortly = () => 50;

const services: [name: string, open: () => Service, ideal: number, wait: () => number][] = [
  [
    'allows 50 a second and says exactly when to retry',
    () => perSecond(50),
    100_000,
    untilNextSecond,
  ],
  ['allows 50 a second and says to retry in a second', () => perSecond(50), 100_000, aSecond],
  ['allows 50 a second and does not say when to retry', () => perSecond(50), 100_000, shortly],
  ['has a token bucket of 50 and says when to retry', () => bucket(50, 50), 100_000, aSecond],
  [
    'has a token bucket of 50 and does not say when to retry',
    () => bucket(50, 50),
    100_000,
    shortly,
  ],
];

test.each(services.flatMap((row) => [5, 10, 100].map((together) => [...row, together] as const)))(
  'if the service %s, 5,000 requests take at most a tenth longer than they must',
  async (...row) => {
    const [, open, ideal, wait, together] = row;
    const { refused, taken, time } = await sendAll(open(), 5_000, together, wait);
    expect(taken).toBe(5_000);
    expect(time / ideal).toBeLessThan(1.1);
    expect(refused / (taken + refused)).toBeLessThan(together > 10 ? 0.05 : 0.02);
  },
);

/** Services with the response times of those that send messages, and how much longer than they must 5,000 rows take. */
const slowServices = services.flatMap(([name, open, ...row]) =>
  (
    [
      [200, 1.1],
      [1_000, 1.35],
    ] as const
  ).map(([latency, most]) => ({
    ...{ name, latency, most, open: () => ({ ...open(), latency }) },
    row,
  })),
);

test.each(slowServices)(
  'if the service $name, answers after $latency ms, the rows of a batch take at most $most times as long as they must',
  async ({ latency, most, open, row: [ideal, wait] }) => {
    const { refused, taken, time } = await sendAll(open(), 5_000, 100, wait, new RateLimiter(), 5);
    expect(taken).toBe(5_000);
    expect(time / ideal).toBeLessThan(most);
    expect(refused / (taken + refused)).toBeLessThan(latency > 200 ? 0.04 : 0.0125);
  },
);

test.each([1, 2, 5, 10].flatMap((most) => [5, 200].map((latency) => [most, latency] as const)))(
  'if the service allows %d a second and answers after %d ms, few requests are refused',
  async (most, latency) => {
    const service = { ...perSecond(most), latency };
    const seen = await sendAll(service, most * 100, 100, aSecond, new RateLimiter(), 5);
    expect(seen.time / 100_000).toBeLessThan(1.15);
    expect(seen.refused / most / 100).toBeLessThan(0.2);
  },
);

test('timers that fire late do not slow down the requests', async () => {
  mockLateMs = 10;
  const { time } = await sendAll(perSecond(50), 5_000, 10, untilNextSecond);
  expect(time / 100_000).toBeLessThan(1.1);
});

test('random refusals, however slow the requests, do not stall the rest', async () => {
  let count = 0;
  const moody = { latency: 5, takes: () => ++count % 33 > 0 };
  const { time } = await sendAll(moody, 20_000, 10, shortly);
  expect(time).toBeLessThan(150_000);
});

test('an occasional refusal does not slow down a light sender', async () => {
  const limiter = new RateLimiter();
  for (let round = 0; round < 10; round += 1) {
    (await limiter.acquire(undefined, maxPauseMs)).recordAccepted();
    (await limiter.acquire(undefined, maxPauseMs)).recordRefused(0);
    mockNow += 60_000;
  }
  (await limiter.acquire(undefined, maxPauseMs)).recordAccepted();
  const began = mockNow;
  for (let one = 0; one < 50; one += 1)
    (await limiter.acquire(undefined, maxPauseMs)).recordAccepted();
  expect(mockNow).toBe(began);
});

test('if the service limits concurrency, the limiter rarely exceeds it', async () => {
  const { refused, taken } = await sendAll(atATime(5, 200), 2_000, 20, shortly);
  expect(refused / (taken + refused)).toBeLessThan(0.03);
});

test('without refusals, no request waits', async () => {
  expect(await sendAll(everything, 1_000, 10, shortly)).toMatchObject({ refused: 0, time: 1_000 });
});

test('after a refusal one request goes alone, then each accepted one allows one more at a time', async () => {
  const limiter = new RateLimiter();
  const begun: Permit[] = [];
  const counts: number[] = [];
  const begin = async (more: number) => {
    for (let one = 0; one < more; one += 1)
      void Promise.resolve(limiter.acquire(undefined, maxPauseMs)).then((permit) =>
        begun.push(permit),
      );
    await settled();
  };
  const end = async (index: number, how: (permit: Permit) => unknown) => {
    const permit = begun[index];
    if (permit) how(permit);
    await settled();
    counts.push(begun.length - 3);
  };
  await begin(3);
  await end(0, (permit) => permit.recordRefused(0));
  await begin(9);
  // Requests sent before a refusal show nothing about the time after it.
  await end(1, (permit) => permit.recordAccepted());
  await end(2, (permit) => permit.recordRefused(0));
  await end(3, (permit) => permit.recordAccepted());
  await end(4, (permit) => permit.recordAccepted());
  await end(5, (permit) => permit.release());
  expect(counts).toEqual([0, 1, 1, 3, 5, 6]);
});

test('a request that hangs after a refusal delays the others by two seconds, not until its timeout', async () => {
  const limiter = new RateLimiter();
  const first = await permitOf(limiter, maxPauseMs);
  await permitOf(limiter, maxPauseMs);
  first.recordRefused(0);
  await permitOf(limiter, maxPauseMs);
  const began = mockNow;
  await sendAll(everything, 100, 10, shortly, limiter);
  expect(mockNow - began).toBeLessThan(2_600);
});

test.each([
  [20_000, 5_000],
  [5_000, 20_000],
])('of two pauses of %i and %i ms, the longer one counts', async (...waits) => {
  const limiter = new RateLimiter();
  const permits = [
    await limiter.acquire(undefined, maxPauseMs),
    await limiter.acquire(undefined, maxPauseMs),
  ];
  const began = mockNow;
  for (const [index, permit] of permits.entries()) permit.recordRefused(waits[index] ?? 0);
  await sendAll(everything, 1, 1, shortly, limiter);
  expect(mockNow - began).toBe(20_000 + everything.latency);
});

test('idle time does not slow down later requests', async () => {
  const limiter = new RateLimiter();
  const service = perSecond(50);
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    times.push((await sendAll(service, 150, 10, untilNextSecond, limiter)).time);
    mockNow += 60_000;
  }
  expect(Math.max(...times)).toBeLessThan(4_000);
});

const tooMany = (seconds: number) =>
  expect.objectContaining({ code: 'rate-limited', retryAfter: seconds });

/** Waits only for a permit. */
async function permitOf(limiter: RateLimiter, maxPauseMs: number): Promise<Permit> {
  let permit: Permit | undefined;
  void Promise.resolve(limiter.acquire(undefined, maxPauseMs)).then((given) => {
    permit = given;
  });
  await passUntil(() => permit !== undefined);
  return permit as Permit;
}

test.each<[what: string, between: (limiter: RateLimiter) => unknown, mayRetry: boolean]>([
  ['one right after the other', () => {}, false],
  ['as far apart as the retry budget allows', () => (mockNow += 10_000), false],
  ['farther apart than the retry budget', () => (mockNow += 10_001), true],
  [
    'with an accepted request in between',
    async (limiter) => (await permitOf(limiter, maxPauseMs)).recordAccepted(),
    true,
  ],
])('two pauses of 20 s, %s, against a retry budget of 30 s', async (_, between, mayRetry) => {
  const limiter = new RateLimiter();
  expect((await permitOf(limiter, maxPauseMs)).recordRefused(20_000)).toBe(true);
  mockNow = 20_000;
  await between(limiter);
  expect((await permitOf(limiter, maxPauseMs)).recordRefused(20_000)).toBe(mayRetry);
});

test('a request sent before a refusal and accepted after it does not end the pause', async () => {
  const limiter = new RateLimiter();
  const [first, second] = [
    await permitOf(limiter, maxPauseMs),
    await permitOf(limiter, maxPauseMs),
  ];
  expect(first.recordRefused(20_000)).toBe(true);
  second.recordAccepted();
  expect((await permitOf(limiter, maxPauseMs)).recordRefused(20_000)).toBe(false);
});

test.each([
  [30_000, true],
  [30_001, false],
])('a pause of %i ms fits a retry budget of 30 s: %s', async (wait, mayRetry) => {
  const permit = await permitOf(new RateLimiter(), maxPauseMs);
  expect(permit.recordRefused(wait)).toBe(mayRetry);
});

test('a request with enough retry budget waits, one without fails with the time to wait', async () => {
  const limiter = new RateLimiter();
  (await permitOf(limiter, maxPauseMs)).recordRefused(1_000);
  const begun: [who: string, at: number][] = [];
  const faults: unknown[] = [];
  const permits = new Map<string, Permit>();
  const begin = (who: string, maxPauseMs: number) =>
    void Promise.resolve(limiter.acquire(undefined, maxPauseMs)).then(
      (permit) => {
        begun.push([who, mockNow]);
        permits.set(who, permit);
      },
      (fault) => faults.push(fault),
    );
  begin('first', 10_000);
  begin('patient', 60_000);
  begin('impatient', 10_000);
  await passUntil(() => begun.length > 0);
  expect(permits.get('first')?.recordRefused(20_000)).toBe(false);
  await passUntil(() => begun.length > 1);
  expect(begun).toEqual([
    ['first', 1_000],
    ['patient', 21_000],
  ]);
  expect(faults).toEqual([tooMany(20)]);
});

test('the time to wait has no rounding error, however long the process has run', async () => {
  for (let run = 0; run < 100; run += 1) {
    mockNow = 600_000 + run / 7;
    const limiter = new RateLimiter();
    const first = await permitOf(limiter, 60_000);
    first.recordRefused(1_000);
    const next = await permitOf(limiter, 10_000);
    const waiting = limiter.acquire(undefined, 10_000);
    next.recordRefused(3_600_000);
    await expect(waiting).rejects.toEqual(tooMany(3_600));
  }
});

test('a pause longer than every retry budget delays no one', async () => {
  const limiter = new RateLimiter();
  expect((await permitOf(limiter, 10_000)).recordRefused(20_000)).toBe(false);
  await permitOf(limiter, maxPauseMs);
  expect(mockNow).toBeLessThan(20_000);
});

test('an aborted request does not abort the others that wait', async () => {
  const limiter = new RateLimiter();
  (await permitOf(limiter, maxPauseMs)).recordRefused(1_000);
  const leaving = new AbortController();
  const ends = [undefined, leaving.signal, undefined].map(async (signal) => {
    try {
      (await limiter.acquire(signal, maxPauseMs)).recordAccepted();
      return 'sent';
    } catch (error) {
      return (error as { code?: string }).code;
    }
  });
  await settled();
  leaving.abort();
  let ended: unknown[] | undefined;
  void Promise.all(ends).then((all) => {
    ended = all;
  });
  await passUntil(() => ended !== undefined);
  expect(ended).toEqual(['sent', 'aborted', 'sent']);
});
