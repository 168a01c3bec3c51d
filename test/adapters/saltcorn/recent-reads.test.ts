import { setImmediate } from 'node:timers/promises';
import { RecentReads } from '../../../plugin/saltcorn/account/recent-reads.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Pages that a test resolves or rejects. */
function source() {
  const waiting: PromiseWithResolvers<string>[] = [];
  const next = () => {
    const promise = deferred();
    waiting.push(promise);
    return promise.promise;
  };
  async function* pages() {
    for (;;) yield await next();
  }
  const answer = async (page: string) => {
    waiting.shift()?.resolve(page);
    await setImmediate();
  };
  const fail = async () => {
    waiting.shift()?.reject(new Error('broken'));
    await setImmediate();
  };
  return { pages: pages(), answer, fail };
}

interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: Error) => void;
}

function deferred(): PromiseWithResolvers<string> {
  const resolvers = {} as PromiseWithResolvers<string>;
  resolvers.promise = new Promise((resolve, reject) =>
    Object.assign(resolvers, { resolve, reject }),
  );
  return resolvers;
}

async function startRead(reads: RecentReads<string>, key = 'key') {
  const resolvable = source();
  const read = reads.add(key, resolvable.pages);
  const pages = read[Symbol.asyncIterator]();
  const first = pages.next().catch((error: Error) => error.message);
  await setImmediate();
  return { ...resolvable, read, pages, first };
}

test('the failure of an older read keeps the newer one cached', async () => {
  const reads = new RecentReads<string>(5_000);
  const older = await startRead(reads);
  reads.clear();
  const newer = await startRead(reads);
  await newer.answer('new');
  await older.fail();
  expect(await older.first).toBe('broken');
  expect(reads.find('key')).toBe(newer.read);
});

test('a response to an older read does not extend the newer one', async () => {
  const reads = new RecentReads<string>(5_000);
  const older = await startRead(reads);
  const newer = await startRead(reads);
  await newer.answer('new');
  jest.advanceTimersByTime(4_000);
  await older.answer('old');
  jest.advanceTimersByTime(1_001);
  expect(reads.find('key')).toBeUndefined();
});

test('a failed read is not cached', async () => {
  const reads = new RecentReads<string>(5_000);
  const { fail } = await startRead(reads);
  expect(reads.size).toBe(1);
  await fail();
  expect(reads.size).toBe(0);
});

test('a read is cached while in progress, and then for the set time', async () => {
  const reads = new RecentReads<string>(5_000);
  const { read, pages, answer } = await startRead(reads);
  jest.advanceTimersByTime(60_000);
  expect(reads.find('key')).toBe(read);
  await answer('first');
  jest.advanceTimersByTime(4_999);
  expect(reads.find('key')).toBe(read);
  void pages.next();
  await setImmediate();
  await answer('second');
  jest.advanceTimersByTime(4_999);
  expect(reads.find('key')).toBe(read);
});

test('an expired read is removed from memory', async () => {
  const reads = new RecentReads<string>(5_000);
  for (let index = 0; index < 90; index += 1)
    await (await startRead(reads, String(index))).answer('page');
  expect(reads.size).toBe(90);
  jest.advanceTimersByTime(5_001);
  expect(reads.size).toBe(0);
});

test('the cache holds at most a hundred reads', async () => {
  const reads = new RecentReads<string>(5_000);
  for (let index = 0; index < 150; index += 1)
    await (await startRead(reads, String(index))).answer('page');
  expect(reads.size).toBe(100);
});

test('a cache time of zero caches nothing', async () => {
  const reads = new RecentReads<string>(0);
  const { answer } = await startRead(reads);
  await answer('page');
  expect(reads.size).toBe(0);
});
