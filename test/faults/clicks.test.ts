import { clicks, memoryStore, TelephonyError } from '../../src/builder.ts';
import { clickLimits } from '../../src/click/clicks.ts';

/** Two processes that share a store. */
function processes() {
  const store = memoryStore();
  let count = 0;
  const done = { resolve: () => {} };
  const isDone = new Promise<void>((resolve) => {
    done.resolve = resolve;
  });
  const work = async () => {
    count += 1;
    await isDone;
    return `result ${count}`;
  };
  const [one, other] = [clicks<string>(store), clicks<string>(store)];
  return { store, one, other, work, done, times: () => count };
}

/** Lets the clock of entries go on. */
function pass(milliseconds: number) {
  const now = Date.now() + milliseconds;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
}
afterEach(() => jest.restoreAllMocks());

test('simultaneous clicks in two processes are handled once, and all get the result', async () => {
  const { one, other, work, done, times } = processes();
  const all = [one, other, one, other].map((process) => process.once('k', work));
  done.resolve();
  expect(await Promise.all(all)).toEqual(Array(4).fill('result 1'));
  expect(times()).toBe(1);
});

test('a click right after the first one gets its result', async () => {
  const { one, other, work, done, times } = processes();
  done.resolve();
  await one.once('k', work);
  expect(await other.once('k', work)).toBe('result 1');
  expect(times()).toBe(1);
});

test('a later click in another process is handled', async () => {
  const { store, one, work, done, times } = processes();
  done.resolve();
  await one.once('k', work);
  pass(clickLimits.sameMs + 1);
  expect(await clicks<string>(store).once('k', work)).toBe('result 2');
  expect(times()).toBe(2);
});

test('other clicks are handled by themselves', async () => {
  const { one, other, work, done, times } = processes();
  done.resolve();
  await Promise.all([one.once('a', work), other.once('b', work)]);
  expect(times()).toBe(2);
});

test('every click gets the error of the first one, with its details', async () => {
  const { one, other } = processes();
  const details = { field: 'to', status: 400, serviceCode: 21211, request: 'POST /Messages.json' };
  const fail = () => Promise.reject(new TelephonyError('rejected', 'No.', details));
  const errors = await Promise.all([one, other].map((p) => p.once('k', fail).catch((e) => e)));
  for (const error of errors) {
    expect(error).toBeInstanceOf(TelephonyError);
    expect(error).toMatchObject({ code: 'rejected', message: 'No.', ...details });
  }
});

test('a fault of the program is not shared: the outcome is unknown elsewhere', async () => {
  const { one, other } = processes();
  await expect(one.once('k', () => Promise.reject(new RangeError('A mistake')))).rejects.toThrow(
    'A mistake',
  );
  await expect(other.once('k', async () => 'x')).rejects.toMatchObject({ code: 'unknown-outcome' });
});

test('a click whose process ended has an unknown outcome, and only the next one is handled', async () => {
  const { store, other, work, done, times } = processes();
  const process = clicks<string>(store);
  const never = new Promise<string>(() => {});
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  void process.once('k', () => never);
  await new Promise(setImmediate);
  jest.useRealTimers();
  pass(clickLimits.endedMs + 1);
  done.resolve();
  await expect(other.once('k', work)).rejects.toMatchObject({
    code: 'unknown-outcome',
    message: expect.stringContaining('check the message log'),
  });
  expect(times()).toBe(0);
  pass(clickLimits.sameMs + 1);
  expect(await clicks<string>(store).once('k', work)).toBe('result 1');
});

test('a result that cannot be stored is returned all the same', async () => {
  const { store, one, work, done } = processes();
  jest.spyOn(store, 'swap').mockRejectedValue(new Error('The disk is full.'));
  done.resolve();
  expect(await one.once('k', work)).toBe('result 1');
});

test('nothing is handled while the store is away', async () => {
  const { store, one, work, times } = processes();
  jest.spyOn(store, 'insert').mockRejectedValue(new Error('No connection'));
  await expect(one.once('k', work)).rejects.toThrow('No connection');
  expect(times()).toBe(0);
});

test('a process that is alone stores nothing', async () => {
  const store = memoryStore();
  const alone = clicks<string>(store, { isAlone: () => true });
  expect(await alone.once('k', async () => 'x')).toBe('x');
  expect(store.entries()).toEqual([]);
});

test('the store keeps no click for long', async () => {
  const { store, one, work, done } = processes();
  done.resolve();
  await one.once('k', work);
  await one.expire();
  expect(store.entries()).toHaveLength(1);
  pass(clickLimits.keptMs + 1);
  await one.expire();
  expect(store.entries()).toEqual([]);
});
