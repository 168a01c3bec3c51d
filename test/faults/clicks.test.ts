import { clicks, memoryStore, TelephonyError } from '../../src/builder.ts';
import { clickLimits } from '../../src/click/clicks.ts';
import { until } from '../support/until.ts';

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

/** Advances the clock. */
function advance(milliseconds: number) {
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
  advance(clickLimits.sameMs + 1);
  expect(await clicks<string>(store).once('k', work)).toBe('result 2');
  expect(times()).toBe(2);
});

test('clicks with other inputs are handled separately', async () => {
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

test('an unexpected error is not shared: another process reports an unknown outcome', async () => {
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
  advance(clickLimits.endedMs + 1);
  done.resolve();
  await expect(other.once('k', work, 'Check the call log.')).rejects.toMatchObject({
    code: 'unknown-outcome',
    message:
      'The same action started a moment ago, and its outcome is unknown. The plugin did not start it again. Check the call log.',
  });
  expect(times()).toBe(0);
  advance(clickLimits.sameMs + 1);
  expect(await clicks<string>(store).once('k', work)).toBe('result 1');
});

test('a result that cannot be stored is still returned', async () => {
  const { store, one, work, done } = processes();
  jest.spyOn(store, 'swap').mockRejectedValue(new Error('The disk is full.'));
  done.resolve();
  expect(await one.once('k', work)).toBe('result 1');
});

test('no click is handled while the store is unavailable', async () => {
  const { store, one, work, times } = processes();
  jest.spyOn(store, 'insert').mockRejectedValue(new Error('No connection'));
  await expect(one.once('k', work)).rejects.toThrow('No connection');
  expect(times()).toBe(0);
});

test('a click that waits for another process has an unknown outcome if the store becomes unavailable', async () => {
  const { store, one, other, work, done, times } = processes();
  const first = one.once('k', work);
  const second = other.once('k', work);
  await until(() => times() === 1);
  jest.spyOn(store, 'get').mockRejectedValue(new Error('The disk is full.'));
  await expect(second).rejects.toMatchObject({ code: 'unknown-outcome' });
  done.resolve();
  expect(await first).toBe('result 1');
});

test('the only process of an app stores nothing', async () => {
  const store = memoryStore();
  const alone = clicks<string>(store, { isAlone: () => true });
  expect(await alone.once('k', async () => 'x')).toBe('x');
  expect(store.entries()).toEqual([]);
});

test('old clicks are deleted from the store', async () => {
  const { store, one, work, done } = processes();
  done.resolve();
  await one.once('k', work);
  await one.expire();
  expect(store.entries()).toHaveLength(1);
  advance(clickLimits.keptMs + 1);
  await one.expire();
  expect(store.entries()).toEqual([]);
});
