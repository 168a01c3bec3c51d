import {
  type Clicks,
  clicks,
  type ErrorCode,
  type KeyedWork,
  keyedActions,
  memoryStore,
  type Said,
  TelephonyError,
  workflowSteps,
} from '../../src/builder.ts';
import { until } from '../support/until.ts';

/** How long an equal click is a repetition, a silent process still runs, clicks are stored, and a key is found in the log, in milliseconds. */
const [sameMs, endedMs, keptMs, confirmMs] = [2_000, 15_000, 3_600_000, 23 * 3_600_000];

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

/** Handles a click in a process that crashes during it. */
async function crashDuring(key: string, process: Clicks<string>) {
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  void process.once(key, () => new Promise<string>(() => {}));
  await new Promise(setImmediate);
  jest.useRealTimers();
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
  advance(sameMs + 1);
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
  await crashDuring('k', clicks<string>(store));
  advance(endedMs + 1);
  done.resolve();
  await expect(other.once('k', work, 'Check the call log.')).rejects.toMatchObject({
    code: 'unknown-outcome',
    message:
      'The same action started a moment ago, and its outcome is unknown. The plugin did not start it again. Check the call log.',
  });
  expect(times()).toBe(0);
  advance(sameMs + 1);
  expect(await clicks<string>(store).once('k', work)).toBe('result 1');
});

test('a result that cannot be stored is still returned', async () => {
  const { store, one, work, done } = processes();
  jest.spyOn(store, 'swap').mockRejectedValue(new Error('The disk is full.'));
  done.resolve();
  expect(await one.once('k', work)).toBe('result 1');
});

test.each(['get', 'insert'] as const)(
  'no click is handled while the store is unavailable (%s), and the error has no secret',
  async (verb) => {
    const { store, one, work, times } = processes();
    const away = Object.assign(new Error('app:secret@db refused'), { code: 'ECONNREFUSED' });
    jest.spyOn(store, verb).mockRejectedValue(away);
    await expect(one.once('k', work)).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'Nothing was sent: the plugin could not use its store (ECONNREFUSED). Try again in a moment.',
    });
    expect(times()).toBe(0);
  },
);

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

test('the only process of an app reports a click before its crash at once, and does not repeat it', async () => {
  const { store, work, done, times } = processes();
  const alone = () => clicks<string>(store, { isAlone: () => true });
  await crashDuring('k', alone());
  done.resolve();
  await expect(alone().once('k', work)).rejects.toMatchObject({ code: 'unknown-outcome' });
  expect(times()).toBe(0);
  advance(sameMs + 1);
  expect(await alone().once('k', work)).toBe('result 1');
});

test('old clicks are deleted from the store', async () => {
  const { store, one, work, done } = processes();
  done.resolve();
  await one.once('k', work);
  await one.expire();
  expect(store.entries()).toHaveLength(1);
  advance(keptMs + 1);
  await one.expire();
  expect(store.entries()).toEqual([]);
});

describe('a workflow step that its builder repeats', () => {
  const failed =
    (code: ErrorCode, said: Said = 'No.') =>
    () =>
      Promise.reject(new TelephonyError(code, said));
  const said = { text: 'No {what}.', values: { what: { text: 'SMS' } } };
  const ends: [end: string, first: () => Promise<string>, again: object, times: number][] = [
    ['gets the result of the first run', async () => 'first', { result: 'first' }, 0],
    ['runs again if the first run did nothing', failed('rejected'), { result: 'again' }, 1],
    [
      'has an unknown outcome if the first run has one',
      failed('unknown-outcome'),
      { code: 'unknown-outcome', message: 'No.' },
      0,
    ],
    [
      'has it as a sentence that can be translated',
      failed('unknown-outcome', said),
      { code: 'unknown-outcome', message: 'No SMS.', said },
      0,
    ],
  ];
  test.each(ends)('%s', async (_, first, again, times) => {
    const store = memoryStore();
    const work = jest.fn(async () => 'again');
    await workflowSteps<string>(store)
      .once('k', first)
      .catch(() => {});
    advance(29 * 24 * 3_600_000);
    await workflowSteps(store).expire();
    const result = await workflowSteps<string>(store)
      .once('k', work)
      .then((one) => ({ result: one }))
      .catch((error) => error);
    expect(result).toMatchObject(again);
    expect(work).toHaveBeenCalledTimes(times);
  });

  test('has an unknown outcome after a crash, each time', async () => {
    const store = memoryStore();
    const steps = () => workflowSteps<string>(store, { isAlone: () => true });
    await crashDuring('k', steps());
    for (const later of [0, 3_600_000]) {
      advance(later);
      await expect(steps().once('k', async () => 'again', 'Check the log.')).rejects.toMatchObject({
        code: 'unknown-outcome',
        message:
          'This workflow step started before, and its outcome is unknown. The plugin did not start it again. Check the log. To repeat it, start the workflow again.',
      });
    }
  });
});

describe('an action with a key', () => {
  const fakeTimers = () =>
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  afterEach(() => jest.useRealTimers());

  /** Work that notes what it sends, once it may go on. */
  function workIn(sent: string[], name: string, may: Promise<void> = Promise.resolve()) {
    const find = jest.fn<Promise<string | undefined>, [Date]>(async () => undefined);
    const work: KeyedWork<string> = {
      ...{ of: 'input', ifUnknown: 'Check the log.', find },
      async act(sending) {
        await may;
        await sending(new Date(1_000));
        sent.push(name);
        return name;
      },
    };
    return { work, find };
  }

  test('is done by another process if the first one ended before it sent; if that was only slow, it sends nothing', async () => {
    const store = memoryStore();
    const sent: string[] = [];
    let goOn = () => {};
    const may = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    fakeTimers();
    const slow = keyedActions<string>(store).answer('k', workIn(sent, 'first', may).work);
    await new Promise(setImmediate);
    const other = () => keyedActions<string>(store).answer('k', workIn(sent, 'second').work);
    expect(await other()).toEqual({ state: 'in progress' });
    advance(endedMs + 1);
    expect(await other()).toEqual({ state: 'done', result: 'second', isReplayed: false });
    goOn();
    expect(await slow).toMatchObject({ state: 'failed', error: { code: 'aborted' } });
    expect(sent).toEqual(['second']);
    expect(await other()).toEqual({ state: 'done', result: 'second', isReplayed: true });
  });

  /** A process ends while it sends. */
  async function endWhileSending() {
    const store = memoryStore();
    fakeTimers();
    const since = new Date();
    void keyedActions<string>(store).answer('k', {
      ...workIn([], '').work,
      async act(sending) {
        await sending(since);
        return new Promise(() => {});
      },
    });
    await new Promise(setImmediate);
    return { store, since };
  }

  test('whose process ended while it sent is unknown until it is found, and is never done again', async () => {
    const { store, since } = await endWhileSending();
    advance(endedMs + 1);
    const sent: string[] = [];
    const { work, find } = workIn(sent, 'again');
    const again = () => keyedActions<string>(store).answer('k', work);
    const unknown = { state: 'failed', error: { code: 'unknown-outcome' }, isReplayed: true };
    expect([await again(), await again()]).toMatchObject([unknown, unknown]);
    find.mockResolvedValueOnce('found');
    const found = { state: 'done', result: 'found', isReplayed: true };
    expect([await again(), await again()]).toEqual([found, found]);
    expect(find.mock.calls).toEqual(Array(3).fill([since]));
    expect(sent).toEqual([]);
  });

  test('is confirmed by no message of the next day, which another key can have sent', async () => {
    const { store } = await endWhileSending();
    advance(confirmMs + 1);
    const { work, find } = workIn([], 'again');
    find.mockResolvedValue('of the next day');
    const answer = await keyedActions<string>(store).answer('k', work);
    expect(answer).toMatchObject({ state: 'failed', error: { code: 'unknown-outcome' } });
    expect(find).not.toHaveBeenCalled();
  });

  test('keeps its key for seven days', async () => {
    const actions = keyedActions<string>(memoryStore());
    const { work } = workIn([], 'done');
    await actions.answer('k', work);
    const dayMs = 24 * 3_600_000;
    for (const [days, isReplayed] of [
      [6, true],
      [2, false],
    ] as const) {
      advance(days * dayMs);
      await actions.expire();
      expect(await actions.answer('k', work)).toMatchObject({ isReplayed });
    }
  });
});
