import { setImmediate } from 'node:timers/promises';
import { batchLimits } from '../../src/batch/batch.ts';
import {
  type Action,
  Batches,
  batchView,
  countsOf,
  definitions,
  inEnglish,
  type LogStore,
  type MemoryStore,
  memoryStore,
  planRow,
  progressOf,
  type RowItem,
  runItems,
  type SingleSends,
  withSingleSends,
} from '../../src/builder.ts';
import { notesOfRows } from '../requests/notes-of-rows.ts';
import { gateTo } from '../support/gate.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { shownNowhere } from '../support/shown-nowhere.ts';
import { until } from '../support/until.ts';
import { account, skipRetryWaits, telephonyAt } from './service.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];

let sandbox: Sandbox;
let store: MemoryStore;
beforeAll(async () => {
  sandbox = await openSandbox(account);
});
beforeEach(() => {
  sandbox.messages.length = 0;
  store = memoryStore();
  skipRetryWaits();
});
afterEach(() => jest.restoreAllMocks());

type Sms = Batches<undefined>;

const phoneOf = (index: number) => `+120255501${String(index).padStart(2, '0')}`;
const phones = (count: number) => Array.from({ length: count }, (_, index) => phoneOf(index));
const planned = (count: number): RowItem[] =>
  phones(count).map((to) =>
    planRow(action, {
      ...{ name: to, filled: ['to'] },
      input: () => ({ from: '+14155550100', to, body: 'Hello' }),
    }),
  );

const press = { owner: 'Ada', actionId: action.id, button: 'B', context: undefined };

const work = (url = sandbox.url) => ({
  action,
  open: async () => telephonyAt(url, { confirmTimeoutMs: 300 }),
  report: () => {},
});

/** Presses the button, and returns the key of the preview. */
async function preview(batches: Sms, count: number, more: object = {}): Promise<string> {
  const key = await batches.press({ ...press, ...more });
  await batches.preview(key, { items: planned(count) }, undefined);
  return key;
}

const start = (batches: Sms, key: string, url?: string) => batches.start(key, 'Ada', work(url));
const find = (batches: Sms, key: string) => batches.find(key, 'Ada');
const stateOf = async (batches: Sms, key: string) => (await find(batches, key))?.state;
const hasEnded = (batches: Sms, key: string) =>
  until(async () => (await stateOf(batches, key)) === 'ended');
const outcomes = async (batches: Sms, key: string) =>
  (await find(batches, key))?.items.map(({ outcome }) => outcome);
const sent = () => sandbox.messages.map(({ to }) => to).sort();

/** Runs a batch to its end. */
async function send(batches: Sms, count: number) {
  const key = await preview(batches, count);
  await start(batches, key);
  await hasEnded(batches, key);
  return key;
}

/** Starts a batch whose first five messages wait at a gate. */
async function startAtGate(batches: Sms, count = 12, more: object = {}) {
  // The gate lets requests for the service's time through.
  const gate = await gateTo(sandbox.url, (path) => path.endsWith('/Messages.json'));
  const key = await preview(batches, count);
  await batches.start(key, 'Ada', { ...work(gate.url), ...more });
  await gate.holds(Math.min(count, 5));
  return { gate, key };
}

const verbs = ['get', 'insert', 'swap', 'find', 'clear', 'expire'] as const;

/** A store that fails from one call on: before that call takes effect, or after it. */
function crashing(at: number, isDone: boolean) {
  let count = 0;
  const over = new Error('The process has ended.');
  const wrap =
    (verb: (typeof verbs)[number]) =>
    async (...args: never[]) => {
      count += 1;
      if (count > at || (count === at && !isDone)) throw over;
      const result = await (store[verb] as (...all: never[]) => Promise<unknown>)(...args);
      if (count === at) throw over;
      return result;
    };
  const crashingStore = Object.fromEntries(verbs.map((verb) => [verb, wrap(verb)]));
  return { store: crashingStore as unknown as LogStore, counted: () => count };
}

/** How many calls of the store a batch of three rows takes. */
async function callsOfBatch() {
  const whole = crashing(Number.POSITIVE_INFINITY, false);
  await send(new Batches(whole.store), 3);
  sandbox.messages.length = 0;
  store = memoryStore();
  return whole.counted();
}

test.each([
  ['before', false],
  ['after', true],
])(
  'sends to no one twice and to everyone else after a crash %s any call of the store',
  async (_, isDone) => {
    // The retries of the crashed process all fail.
    jest.replaceProperty(batchLimits, 'retryEveryMs', 1);
    const all = await callsOfBatch();
    let resumed = 0;
    for (let at = 1; at <= all; at += 1) {
      sandbox.messages.length = 0;
      store = memoryStore();
      const process = crashing(at, isDone);
      const first: Sms = new Batches<undefined>(process.store);
      const started = preview(first, 3).then((key) => start(first, key));
      await started.catch(() => {});
      const storedBatches = () => store.entries().filter(([kind]) => kind === 'batches');
      const isComplete = () =>
        storedBatches().some(([, { value }]) => value && !Object(value).isRunning);
      await until(() => process.counted() >= at || isComplete());
      await first.close();
      // The button then starts over.
      if (isComplete()) continue;
      const next: Sms = new Batches<undefined>(store, { isAlone: () => true });
      const key = await preview(next, 3);
      const { items = [] } = (await find(next, key)) ?? {};
      resumed += Number(
        items.some(({ isPending, outcome }) => isPending || outcome === 'already-done'),
      );
      await start(next, key);
      await until(async () => ['preview', 'ended'].includes((await stateOf(next, key)) ?? ''));
      const ended = await find(next, key);
      for (const { who, outcome } of ended?.items ?? []) {
        const messages = sandbox.messages.filter(({ to }) => who.includes(to));
        expect([at, outcome, messages.length]).toEqual([
          ...[at, outcome, outcome === 'unknown' ? expect.any(Number) : 1],
        ]);
        expect(messages.length).toBeLessThan(2);
      }
      expect([at, ended?.items.length]).toEqual([at, 3]);
    }
    expect(resumed).toBeGreaterThan(0);
  },
  120_000,
);

test('of two processes and two tabs each, one starts the batch', async () => {
  const [one, other]: Sms[] = [new Batches<undefined>(store), new Batches<undefined>(store)];
  if (!one || !other) throw new Error('There are two.');
  const keys = [await preview(one, 6), await preview(other, 6)];
  await Promise.all(keys.flatMap((key) => [one, other, one].map((batches) => start(batches, key))));
  const states = await Promise.all(keys.map((key) => stateOf(one, key)));
  expect(states.filter((state) => state !== 'preview')).toHaveLength(1);
  await hasEnded(one, keys[states.indexOf('preview') === 0 ? 1 : 0] ?? '');
  expect(sent()).toEqual(phones(6));
});

test('the second click of a double click shows the batch in progress, even while the store is slow', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const slow: LogStore = {
    ...store,
    async insert(kind, entry) {
      if (kind === 'batches') await held;
      return store.insert(kind, entry);
    },
  };
  const batches: Sms = new Batches(slow);
  const key = await preview(batches, 1);
  const shown = [1, 2].map(() => start(batches, key).then(() => stateOf(batches, key)));
  // By then, everything that does not wait for the store has happened.
  await setImmediate();
  release();
  expect(await Promise.all(shown)).toEqual(['running', 'running']);
  await hasEnded(batches, key);
  expect(sent()).toEqual(phones(1));
});

test('starting a batch again while another process runs it shows how far it is, not its beginning', async () => {
  const [one, other]: Sms[] = [new Batches<undefined>(store), new Batches<undefined>(store)];
  if (!one || !other) throw new Error('There are two.');
  let count = 0;
  const isMessage = (path: string) => path.endsWith('/Messages.json');
  const others = await gateTo(sandbox.url, (path) => isMessage(path) && ++count > 5);
  const firstFive = await gateTo(others.url, isMessage);
  const key = await preview(one, 12);
  await start(one, key, firstFive.url);
  await firstFive.holds(5);
  const progress = async () => {
    const batch = await find(other, key);
    return batch && progressOf(batchView(action, batch));
  };
  expect(await progress()).toEqual([0, 12]);
  await firstFive.open();
  await others.holds(1);
  expect(await start(other, key)).toBe(false);
  await until(async () => (await progress())?.[0] === 5);
  expect(await progress()).toEqual([5, 12]);
  await others.open();
  await hasEnded(one, key);
  expect(sent()).toEqual(phones(12));
});

test('a preview older than another batch of its button is shown again, and never repeats that batch', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const second = await preview(batches, 2);
  const first = await send(batches, 2);
  await start(batches, second);
  await start(batches, second);
  expect(await find(batches, second)).toMatchObject({ state: 'preview', isShownAgain: true });
  expect((await batches.previous(press)).batch?.key).toBe(first);
  expect(sent()).toEqual(phones(2));
  const later = Date.now() + 2_500;
  jest.spyOn(Date, 'now').mockImplementation(() => later);
  expect(await start(batches, second)).toBe(false);
  expect(await outcomes(batches, second)).toEqual(['already-done', 'already-done']);
  expect(sent()).toEqual(phones(2));
});

test('a preview that skipped rows in progress sends only the others after these were sent', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const { gate } = await startAtGate(batches, 2);
  const more = await preview(batches, 3);
  const shown = (await find(batches, more))?.items.map(({ outcome }) => outcome);
  expect(shown).toEqual(['failed', 'failed', 'waiting']);
  await gate.open();
  await until(async () => (await batches.previous(press)).batch?.state === 'ended');
  expect(await start(batches, more)).toBe(true);
  await hasEnded(batches, more);
  expect(await outcomes(batches, more)).toEqual(['already-done', 'already-done', 'done']);
  expect(sent()).toEqual(phones(3));
});

test('a preview is shown again if the batch of another button sends all its rows', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const second = await preview(batches, 2, { button: 'another' });
  const { gate } = await startAtGate(batches, 2);
  expect(await start(batches, second)).toBe(false);
  expect(await find(batches, second)).toMatchObject({ state: 'preview', isShownAgain: true });
  await gate.open();
  await until(async () => (await batches.previous(press)).batch?.state === 'ended');
  expect(sent()).toEqual(phones(2));
});

/** Previews rows of a table with a text. */
const previewRows = async (batches: Sms, body: string, more: object = {}, button = body) => {
  const items = phones(2).map((to) =>
    planRow(action, {
      ...{ row: ['People', to], name: to, filled: ['to'] },
      input: () => ({ from: '+14155550100', to, body }),
    }),
  );
  return batches.openPreview({ ...press, button }, { items, ...more });
};

test('a preview with or without the rows that got another text is another preview, so each tab starts what it shows', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const first = await previewRows(batches, 'Helo');
  await start(batches, first.key);
  await hasEnded(batches, first.key);
  const second = await previewRows(batches, 'Hello');
  expect(second.items.map(({ outcome }) => outcome)).toEqual(['waiting', 'waiting']);
  const skipping = await batches.openOther(second.key, 'Ada', { skipsChanged: true });
  expect(skipping.items.map(({ outcome }) => outcome)).toEqual(['already-done', 'already-done']);
  expect(await start(batches, skipping.key)).toBe(false);
  expect(sent()).toEqual(phones(2));
  expect(await outcomes(batches, second.key)).toEqual(['waiting', 'waiting']);
  expect(await start(batches, second.key)).toBe(true);
  await hasEnded(batches, second.key);
  expect(sent()).toHaveLength(4);
  // A batch that was started has no other preview.
  expect((await batches.openOther(second.key, 'Ada', { skipsChanged: true })).key).toBe(second.key);
  await expect(batches.openOther(first.key, 'Bob', { skipsChanged: true })).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('a finished batch is sent again only to those whom its owner chooses to repeat', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const first = await previewRows(batches, 'Hello');
  await start(batches, first.key);
  await hasEnded(batches, first.key);
  const again = await previewRows(batches, 'Hello');
  expect(await outcomes(batches, again.key)).toEqual(['already-done', 'already-done']);
  expect(await start(batches, again.key)).toBe(false);
  const repeating = await batches.openOther(again.key, 'Ada', { skipsSent: false });
  expect(await outcomes(batches, repeating.key)).toEqual(['waiting', 'waiting']);
  const skipping = await batches.openOther(repeating.key, 'Ada', { skipsSent: true });
  expect(await start(batches, skipping.key)).toBe(false);
  expect(sent()).toEqual(phones(2));
  expect(await start(batches, repeating.key)).toBe(true);
  await hasEnded(batches, repeating.key);
  expect(sent().sort()).toEqual([...phones(2), ...phones(2)].sort());
});

test('a finished batch is not sent again after sixty others, of which each preview reads only new ones', async () => {
  const batches: Sms = new Batches<undefined>(store);
  for (let count = 0; count <= 60; count += 1) {
    const { key } = await previewRows(batches, count === 0 ? 'Hello' : `Text ${count}`);
    await start(batches, key);
    await hasEnded(batches, key);
  }
  const again = await previewRows(batches, 'Hello');
  expect(await outcomes(batches, again.key)).toEqual(['already-done', 'already-done']);
  const reads = [jest.spyOn(store, 'get'), jest.spyOn(store, 'find')];
  await batches.remaining(press, { items: planned(2) });
  expect(reads.flatMap(({ mock }) => mock.calls).length).toBeLessThan(20);
});

test('a choice to repeat rows holds for those that its preview shows', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const { key } = await previewRows(batches, 'Hello', { skipsSent: false });
  const other = await previewRows(batches, 'Hello', {}, 'another');
  await start(batches, other.key);
  await hasEnded(batches, other.key);
  expect(await start(batches, key)).toBe(false);
  expect(await find(batches, key)).toMatchObject({ isShownAgain: true });
  expect(sent()).toEqual(phones(2));
});

test('a preview that would skip rows is shown again if it would send them when it is started', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const first = await previewRows(batches, 'Helo');
  const gate = await gateTo(sandbox.url, (path) => path.endsWith('/Messages.json'));
  await start(batches, first.key, gate.url);
  await gate.holds(2);
  await batches.stop(first.key, 'Ada');
  await gate.open();
  await hasEnded(batches, first.key);
  const skipping = await previewRows(batches, 'Hello', { skipsChanged: true });
  await batches.delete(first.key, 'Ada');
  // The second click of a double click doesn't start what the first one has shown.
  for (const _click of [1, 2]) expect(await start(batches, skipping.key)).toBe(false);
  expect(sent()).toEqual(phones(2));
});

test.each<[ms: number, isAlone: boolean, state: string]>([
  [0, false, 'running'],
  [4_900, false, 'running'],
  [5_001, false, 'interrupted'],
  [0, true, 'interrupted'],
])(
  '%d ms after the last renewal, in the only process: %s, the batch of another process is %s',
  async (ms, isAlone, state) => {
    const key = 'K1';
    const at = Date.now();
    const value = { ...press, isRunning: true, log: { id: 'L1', rows: 0 }, startedAt: at };
    jest.spyOn(Date, 'now').mockReturnValue(at);
    await store.insert('batches', { key, value });
    jest.mocked(Date.now).mockReturnValue(at + ms);
    expect(await stateOf(new Batches<undefined>(store, { isAlone: () => isAlone }), key)).toBe(
      state,
    );
  },
);

test('a batch that ends while its entry is read was not interrupted', async () => {
  let held: Promise<void> | undefined;
  const slow: LogStore = {
    ...store,
    async get(kind, key) {
      const wait = held;
      held = undefined;
      const entry = await store.get(kind, key);
      await wait;
      return entry;
    },
  };
  const batches: Sms = new Batches(slow, { isAlone: () => true });
  let isEnded = false;
  const { gate, key } = await startAtGate(batches, 1, { ended: () => (isEnded = true) });
  let release = () => {};
  held = new Promise((resolve) => (release = resolve));
  const state = stateOf(batches, key);
  await gate.open();
  await until(() => isEnded);
  release();
  expect(await state).toBe('ended');
});

test('a process renews the lease of its batch, and another process sees that', async () => {
  const [one, other]: Sms[] = [new Batches<undefined>(store), new Batches<undefined>(store)];
  if (!one || !other) throw new Error('There are two.');
  const { gate, key } = await startAtGate(one, 1);
  const version = async () => (await store.get('batches', key))?.version;
  const before = await version();
  await until(async () => (await version()) !== before);
  expect(await stateOf(other, key)).toBe('running');
  await gate.open();
  await hasEnded(other, key);
});

test('a process whose batch was resumed by another sends nothing more, and records what it had sent', async () => {
  const slow: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(slow);
  const other: Sms = new Batches<undefined>(store, { isAlone: () => true });
  const next = await preview(other, 12);
  expect(countsOf((await find(other, next))?.items ?? [])).toMatchObject({ waiting: 12 });
  await start(other, next);
  await gate.open();
  await hasEnded(other, next);
  await until(async () => !(await outcomes(other, key))?.includes('waiting'));
  await slow.close();
  expect(sent()).toEqual(phones(12));
  const [known, resumed] = [await outcomes(slow, key), await outcomes(other, next)];
  expect(known).toEqual([...Array(5).fill('done'), ...Array(7).fill('not-run')]);
  expect(resumed?.slice(5)).toEqual(Array(7).fill('done'));
});

/** A store that fails while it is away. */
function awayStore() {
  const state = { isAway: (_kind: string): boolean => false, refused: 0 };
  const failing = verbs.map((verb) => [
    verb,
    async (kind: string, ...args: never[]) => {
      if (state.isAway(kind)) {
        state.refused += 1;
        throw new Error('The store is away.');
      }
      return (store[verb] as (...all: unknown[]) => Promise<unknown>)(kind, ...args);
    },
  ]);
  return { state, store: Object.fromEntries(failing) as LogStore };
}

describe('while the store is unavailable', () => {
  test.each<[what: string, isAway: (kind: string) => boolean]>([
    ['any of its verbs', () => true],
    ['the read of a stop', (kind) => kind === 'batch stops'],
    ['the write of the log', (kind) => kind === 'batch changes'],
  ])('a batch waits for %s, and goes on', async (_, isAway) => {
    const { state, store: away } = awayStore();
    const batches: Sms = new Batches<undefined>(away);
    const { gate, key } = await startAtGate(batches);
    state.isAway = isAway;
    await gate.open();
    await until(() => sent().length === 5 && state.refused > 1);
    state.isAway = () => false;
    await hasEnded(batches, key);
    expect(await outcomes(batches, key)).toEqual(Array(12).fill('done'));
    expect(sent()).toEqual(phones(12));
  });

  test('a stop still works', async () => {
    const { state, store: away } = awayStore();
    const batches: Sms = new Batches<undefined>(away);
    const { gate, key } = await startAtGate(batches);
    state.isAway = (kind) => kind === 'batch stops';
    await gate.open();
    await until(() => sent().length === 5 && state.refused > 1);
    await new Batches(store).stop(key, 'Ada');
    state.isAway = () => false;
    await hasEnded(batches, key);
    expect(await outcomes(batches, key)).toEqual([
      ...Array(5).fill('done'),
      ...Array(7).fill('not-run'),
    ]);
  });

  test('for too long, a batch ends with an error, and what it had sent is recorded when the store is back', async () => {
    jest.replaceProperty(batchLimits, 'waitForMs', 100);
    const { state, store: away } = awayStore();
    const batches: Sms = new Batches<undefined>(away);
    const reported: unknown[] = [];
    const report = (error: unknown) => reported.push(error);
    const { gate, key } = await startAtGate(batches, 12, { report });
    state.isAway = (kind) => kind === 'batch changes' || kind === 'batch rows';
    await gate.open();
    await until(async () => !(await outcomes(batches, key))?.includes('waiting'));
    state.isAway = () => false;
    await hasEnded(batches, key);
    expect(await outcomes(batches, key)).toEqual([
      ...Array(5).fill('done'),
      ...Array(7).fill('not-run'),
    ]);
    await until(() => reported.length > 0);
    expect(reported).toEqual([new Error('The store is away.')]);
  });
});

test.each<[how: string, end: (batches: Sms, key: string) => Promise<unknown>]>([
  ['its owner stops it', (batches, key) => batches.stop(key, 'Ada')],
  ['another process stops it', (_, key) => new Batches(store).stop(key, 'Ada')],
  ['the plugin is stopped', async (batches) => void batches.close()],
])('if %s, messages in flight finish, and the rest is not run', async (_, end) => {
  const batches: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(batches);
  await end(batches, key);
  await gate.open();
  await hasEnded(batches, key);
  expect(await outcomes(batches, key)).toEqual([
    ...Array(5).fill('done'),
    ...Array(7).fill('not-run'),
  ]);
  expect(sent()).toHaveLength(5);
});

test.each<[verb: string, when: 'before' | 'after']>([
  ['insert batch rows', 'before'],
  ['insert batch rows', 'after'],
  ['swap false', 'before'],
  ['swap false', 'after'],
  ['clear', 'before'],
  ['clear', 'after'],
])(
  'a batch keeps its result if the first “%s” of its end fails %s it is done',
  async (verb, when) => {
    let isToFail = false;
    const failing = async <Result>(own: string, act: () => Promise<Result>): Promise<Result> => {
      const isFailing = isToFail && own.startsWith(verb);
      if (isFailing) isToFail = false;
      if (isFailing && when === 'before') throw new Error('The store is away.');
      const result = await act();
      if (isFailing) throw new Error('The store is away.');
      return result;
    };
    const failingStore: LogStore = {
      ...store,
      insert: (kind, entry) => failing(`insert ${kind}`, () => store.insert(kind, entry)),
      swap: (kind, entry, value) =>
        failing(`swap ${Object(value).isRunning}`, () => store.swap(kind, entry, value)),
      clear: (kind, index) => failing(`clear ${kind}`, () => store.clear(kind, index)),
    };
    const batches: Sms = new Batches(failingStore);
    const gate = await gateTo(sandbox.url, (path) => path.endsWith('/Messages.json'));
    const key = await preview(batches, 5);
    const ended = new Promise<void>((resolve) => {
      void batches.start(key, 'Ada', { ...work(gate.url), ended: resolve });
    });
    await gate.holds(5);
    isToFail = true;
    await gate.open();
    await ended;
    expect(isToFail).toBe(false);
    expect(await outcomes(batches, key)).toEqual(Array(5).fill('done'));
    const again = await preview(batches, 5);
    expect(await outcomes(batches, again)).toEqual(Array(5).fill('already-done'));
    expect(sent()).toEqual(phones(5));
  },
);

test('every process shows that a batch is stopping, until it has ended', async () => {
  const processes: Sms[] = [new Batches<undefined>(store), new Batches<undefined>(store)];
  const [first] = processes as [Sms];
  const { gate, key } = await startAtGate(first);
  const shown = () =>
    Promise.all(processes.map(async (one) => (await find(one, key))?.isStopping ?? false));
  expect(await shown()).toEqual([false, false]);
  await first.stop(key, 'Ada');
  expect(await shown()).toEqual([true, true]);
  await gate.open();
  await hasEnded(first, key);
  expect(await shown()).toEqual([false, false]);
});

test('a stop that cannot be stored says that the batch goes on', async () => {
  let isAway = false;
  const away: LogStore = {
    ...store,
    async insert(kind, entry) {
      if (isAway && kind === 'batch stops') throw new Error('No database');
      return store.insert(kind, entry);
    },
  };
  const batches: Sms = new Batches<undefined>(away);
  const { gate, key } = await startAtGate(batches, 6);
  isAway = true;
  await expect(batches.stop(key, 'Ada')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The batch goes on: the plugin could not use its store. Stop it again.',
  });
  await gate.open();
  await hasEnded(batches, key);
  expect(sent()).toEqual(phones(6));
});

test('a batch has ended for its builder, even if its outcomes cannot be recorded', async () => {
  const full = new Error('The disk is full.');
  const reports: unknown[] = [];
  const away: LogStore = {
    ...store,
    async swap(kind, entry, value) {
      if (kind === 'batches') throw full;
      return store.swap(kind, entry, value);
    },
  };
  const batches: Sms = new Batches<undefined>(away);
  let isEnded = false;
  const report = (error: unknown) => reports.push(error);
  const { gate } = await startAtGate(batches, 1, { report, ended: () => (isEnded = true) });
  const closed = batches.close();
  await gate.open();
  await closed;
  expect(isEnded).toBe(true);
  expect(reports).toEqual([full]);
});

test('a stop of many rows does not ask the store again for each, and stores them in small parts', async () => {
  const count = 3_000;
  const sizes: number[] = [];
  let asked = 0;
  const counting: LogStore = {
    ...store,
    get(kind, key) {
      if (kind === 'batch stops') asked += 1;
      return store.get(kind, key);
    },
    insert(kind, entry) {
      if (kind === 'batch changes') sizes.push((entry.value as { rows: unknown[] }).rows.length);
      return store.insert(kind, entry);
    },
  };
  const batches: Sms = new Batches<undefined>(counting);
  const items = Array.from({ length: count }, (_, index) => {
    const values = { from: '+14155550100', to: `+1202${5_560_000 + index}`, body: 'Hello' };
    return { who: values.to, outcome: 'waiting' as const, values };
  });
  const gate = await gateTo(sandbox.url, (path) => path.endsWith('/Messages.json'));
  const { key } = await batches.openPreview(press, { items });
  await batches.start(key, 'Ada', work(gate.url));
  await gate.holds(5);
  await batches.stop(key, 'Ada');
  asked = 0;
  await gate.open();
  await hasEnded(batches, key);
  expect(asked).toBeLessThan(100);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(count);
});

test('if the plugin is removed, messages in flight finish, and the rest is not run', async () => {
  let isRemoved = false;
  const batches: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(batches, 12, { isRemoved: () => isRemoved });
  isRemoved = true;
  await gate.open();
  await hasEnded(batches, key);
  expect(await outcomes(batches, key)).toEqual([
    ...Array(5).fill('done'),
    ...Array(7).fill('not-run'),
  ]);
});

test('a stopped plugin waits for messages in flight and starts nothing', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(batches);
  const closed = batches.close();
  const next = await preview(batches, 20);
  await start(batches, next);
  expect(await stateOf(batches, next)).toBe('preview');
  await gate.open();
  await closed;
  expect(await stateOf(batches, key)).toBe('ended');
});

test('a plugin that is stopped while a batch starts sends nothing', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const key = await preview(batches, 3);
  const { insert } = store;
  jest.spyOn(store, 'insert').mockImplementation(async (kind, entry) => {
    if (kind === 'batch starts') await batches.close();
    return insert(kind, entry);
  });
  await start(batches, key);
  await hasEnded(batches, key);
  expect(sent()).toEqual([]);
  expect(await outcomes(batches, key)).toEqual(Array(3).fill('not-run'));
});

test('a stop while a batch starts stops it', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const key = await preview(batches, 12);
  const { insert } = store;
  let stopping: Promise<void> | undefined;
  jest.spyOn(store, 'insert').mockImplementation(async (kind, entry) => {
    if (kind === 'batch starts') stopping = batches.stop(key, 'Ada');
    return insert(kind, entry);
  });
  const { open, ...others } = work();
  // The first rows are sent once the stop is stored.
  const openLater = async () => {
    await stopping;
    return open();
  };
  await batches.start(key, 'Ada', { ...others, open: openLater });
  await hasEnded(batches, key);
  expect((await outcomes(batches, key))?.slice(5)).toEqual(Array(7).fill('not-run'));
});

test('only the owner of a batch finds, starts, stops and deletes it', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const key = await preview(batches, 1);
  expect(await batches.find(key, 'Bob')).toBeUndefined();
  await batches.start(key, 'Bob', work());
  await batches.delete(key, 'Bob');
  expect(await stateOf(batches, key)).toBe('preview');
  const { gate, key: running } = await startAtGate(batches, 1);
  await batches.stop(running, 'Bob');
  expect(await store.get('batch stops', running)).toBeUndefined();
  await gate.open();
  await hasEnded(batches, running);
  await batches.delete(running, 'Bob');
  expect(await stateOf(batches, running)).toBe('ended');
});

test('a preview starts only the action that it shows', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const key = await preview(batches, 1);
  const [other] = definitions.actions.filter(({ id }) => id === 'make-a-call') as [Action];
  expect(await batches.start(key, 'Ada', { ...work(), action: other })).toBe(false);
  expect(await stateOf(batches, key)).toBe('preview');
  expect(await start(batches, key)).toBe(true);
  await hasEnded(batches, key);
  expect(sent()).toEqual(phones(1));
});

test('a batch in progress cannot be deleted', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(batches, 1);
  await expect(batches.delete(key, 'Ada')).rejects.toMatchObject({
    ...{ code: 'input', message: 'Stop this batch before you delete it.' },
  });
  await gate.open();
  await hasEnded(batches, key);
  expect(sent()).toHaveLength(1);
});

test('a deleted batch leaves no names, numbers and texts, and its button starts over', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(batches);
  await batches.stop(key, 'Ada');
  await gate.open();
  await hasEnded(batches, key);
  const shown = await preview(batches, 12);
  expect(countsOf((await find(batches, shown))?.items ?? [])).toMatchObject({
    'already-done': 5,
  });
  await batches.delete(key, 'Ada');
  expect(await find(batches, key)).toBeUndefined();
  expect(await batches.previous(press)).toEqual({ isDeleted: true });
  // Its preview showed another count.
  await start(batches, shown);
  expect(await stateOf(batches, shown)).toBe('preview');
  await batches.delete(shown, 'Ada');
  expect(await find(batches, shown)).toBeUndefined();
  expect(JSON.stringify(store.entries())).not.toMatch(/\+1202555|Hello/);
  const next = await preview(batches, 12);
  expect(countsOf((await find(batches, next))?.items ?? [])).toMatchObject({ waiting: 12 });
});

test('an interrupted batch can be deleted, and its process sends nothing more', async () => {
  const slow: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(slow);
  await new Batches(store, { isAlone: () => true }).delete(key, 'Ada');
  await gate.open();
  await slow.close();
  expect(sent()).toHaveLength(5);
  expect(await find(slow, key)).toBeUndefined();
  expect(JSON.stringify(store.entries())).not.toMatch(/Ada|\+1202555|Hello/);
});

test('a deleted batch cannot be stopped, started or deleted again', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const key = await send(batches, 1);
  await batches.delete(key, 'Ada');
  await batches.delete(key, 'Ada');
  await batches.stop(key, 'Ada');
  await start(batches, key);
  expect(await find(batches, key)).toBeUndefined();
  expect(sent()).toHaveLength(1);
});

const hour = 3_600_000;
test.each<[what: string, make: (batches: Sms) => Promise<string>, ms: number, isKept: boolean]>([
  ['a preview is kept for an hour', (batches) => preview(batches, 1), hour - 60_000, true],
  ['a preview is deleted after an hour', (batches) => preview(batches, 1), hour + 60_000, false],
  ['a result is kept for 30 days', (batches) => send(batches, 1), 30 * 24 * hour - 60_000, true],
  [
    'a result is deleted after 30 days',
    (batches) => send(batches, 1),
    30 * 24 * hour + 60_000,
    false,
  ],
])('%s', async (_, make, ms, isKept) => {
  const batches: Sms = new Batches<undefined>(store);
  const key = await make(batches);
  const later = Date.now() + ms;
  jest.spyOn(Date, 'now').mockImplementation(() => later);
  if (!isKept && ms < 2 * hour) expect(await find(batches, key)).toBeUndefined();
  await batches.expire();
  expect((await find(batches, key)) !== undefined).toBe(isKept);
  expect(JSON.stringify(store.entries()).includes(phoneOf(0))).toBe(isKept);
});

test.each<[when: string, isDone: boolean, rows: number]>([
  ['before', false, 0],
  ['after', true, 1],
])(
  'an hour after a start whose entry could not be written, %s it was done, its texts are kept for its batch only',
  async (_, isDone, rows) => {
    const batches: Sms = new Batches<undefined>({
      ...store,
      async insert(kind, entry) {
        if (kind !== 'batches' || isDone) await store.insert(kind, entry);
        if (kind === 'batches') throw new Error('The store is away.');
        return true;
      },
    });
    const key = await preview(batches, 1);
    await expect(start(batches, key)).rejects.toThrow(
      'Nothing was sent: the plugin could not use its store.',
    );
    const later = Date.now() + hour + 60_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    await new Batches(store).expire();
    expect(JSON.stringify(store.entries()).match(/Hello/g)?.length ?? 0).toBe(rows);
    expect((await find(batches, key))?.state).toBe(isDone ? 'interrupted' : undefined);
    expect(sent()).toEqual([]);
  },
);

test('a start that takes longer than an hour starts nothing', async () => {
  const batches: Sms = new Batches<undefined>({
    ...store,
    async insert(kind, entry) {
      if (kind !== 'batches' || !entry.value) return store.insert(kind, entry);
      const later = Date.now() + hour + 60_000;
      jest.spyOn(Date, 'now').mockImplementation(() => later);
      await new Batches(store).expire();
      return store.insert(kind, entry);
    },
  });
  const key = await preview(batches, 1);
  expect(await start(batches, key)).toBe(false);
  expect(JSON.stringify(store.entries())).not.toContain('Hello');
  expect(sent()).toEqual([]);
});

test('a batch that ends deletes its texts', async () => {
  const batches: Sms = new Batches<undefined>(store);
  await send(batches, 1);
  expect(JSON.stringify(store.entries())).not.toContain('Hello');
});

test('a batch that records outcomes in its rows ignores earlier batches', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(batches);
  await batches.stop(key, 'Ada');
  await gate.open();
  await hasEnded(batches, key);
  const next = await batches.press(press);
  await batches.preview(next, { items: planned(12), isRecorded: true }, undefined);
  expect(countsOf((await find(batches, next))?.items ?? [])).toMatchObject({ waiting: 12 });
});

test('a batch that records outcomes in its rows leaves those of a running batch of its button to it', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(batches);
  const offered = async (count: number) => {
    const next = await batches.press(press);
    await batches.preview(next, { items: planned(count), isRecorded: true }, undefined);
    const { waiting, failed } = countsOf((await find(batches, next))?.items ?? []);
    return { waiting, failed };
  };
  expect(await offered(12)).toEqual({ waiting: 0, failed: 12 });
  expect(await offered(13)).toEqual({ waiting: 1, failed: 12 });
  await gate.open();
  await hasEnded(batches, key);
  expect(await offered(13)).toEqual({ waiting: 13, failed: 0 });
});

test('a batch beside a running one of its button records nothing in the rows that it leaves to it', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(batches);
  const { notesOf, notes } = notesOfRows({});
  const items = planned(13).map((item, index) => ({ ...item, key: index }));
  const next = await batches.press(press);
  await batches.preview(next, { items, isRecorded: true }, undefined);
  expect(await batches.start(next, 'Ada', { ...work(), columns: () => notesOf })).toBe(true);
  await hasEnded(batches, next);
  expect(Object.entries(notes).map(([row, note]) => [row, note?.outcome])).toEqual([
    ['12', 'sent'],
  ]);
  await gate.open();
  await hasEnded(batches, key);
});

test('rows in progress stay with their batch, even if another batch of its button left them to it', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(batches);
  const beside = await preview(batches, 13);
  expect(await start(batches, beside)).toBe(true);
  await hasEnded(batches, beside);
  const next = await preview(batches, 13);
  expect(countsOf((await find(batches, next))?.items ?? [])).toMatchObject({
    ...{ waiting: 0, failed: 12, 'already-done': 1 },
  });
  await start(batches, next);
  await gate.open();
  await hasEnded(batches, key);
  await until(async () => (await stateOf(batches, next)) !== 'running');
  expect(sent()).toEqual(phones(13));
});

test('a batch whose only rows to check are those in progress of a running one of its button is not started', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const { gate, key } = await startAtGate(batches);
  const items = planned(12).map(
    (item, index): RowItem => (index < 5 ? { ...item, isPending: true } : item),
  );
  const next = await batches.press(press);
  await batches.preview(next, { items, isRecorded: true }, undefined);
  expect(countsOf((await find(batches, next))?.items ?? [])).toMatchObject({
    ...{ waiting: 0, failed: 12 },
  });
  expect(await start(batches, next)).toBe(false);
  await gate.open();
  await hasEnded(batches, key);
  expect((await find(batches, next))?.items.map(({ isPending = false }) => isPending)).toEqual(
    items.map(({ isPending = false }) => isPending),
  );
  expect(sent()).toEqual(phones(12));
});

describe('a batch that records outcomes in its rows, after its database was away for longer than its lease', () => {
  /** Starts a batch that can't renew its lease while five rows are in progress. */
  async function startAway(more = 12) {
    const { notesOf, notes } = notesOfRows({});
    const rows = (count: number) => planned(count).map((item, key) => ({ ...item, key }));
    const columns = () => notesOf;
    const { state, store: away } = awayStore();
    const slow: Sms = new Batches<undefined>(away);
    const offer = async (batches: Sms, count = 12) => {
      const key = await batches.press(press);
      await batches.preview(key, { items: rows(count), isRecorded: true }, undefined);
      return key;
    };
    const gate = await gateTo(sandbox.url, (path) => path.endsWith('/Messages.json'));
    const key = await offer(slow);
    await slow.start(key, 'Ada', { ...work(gate.url), columns });
    await gate.holds(5);
    state.isAway = () => true;
    const late = Date.now() + batchLimits.leaseMs + 1_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => late);
    const next = await offer(new Batches<undefined>(store), more);
    const goOn = () => {
      clock.mockRestore();
      state.isAway = () => false;
    };
    return { slow, key, next, gate, goOn, columns, notes };
  }

  test('ends when the next one starts, and no row is reported as failed or sent twice', async () => {
    const { slow, key, next, gate, goOn, columns, notes } = await startAway();
    const other: Sms = new Batches<undefined>(store);
    expect(await other.start(next, 'Ada', { ...work(), columns })).toBe(true);
    goOn();
    await gate.open();
    for (const [batches, one] of [
      [slow, key],
      [other, next],
    ] as const)
      await hasEnded(batches, one);
    expect(sent()).toEqual(phones(12));
    expect(await outcomes(slow, key)).toEqual([
      ...Array(5).fill('done'),
      ...Array(7).fill('not-run'),
    ]);
    expect((await outcomes(other, next))?.slice(5)).toEqual(Array(7).fill('done'));
    expect(countsOf((await find(other, next))?.items ?? [])).toMatchObject({
      failed: 0,
      unknown: 0,
    });
    expect(Object.values(notes).map((note) => note?.outcome)).toEqual(Array(12).fill('sent'));
  });

  test('is shown before the next one starts beside it, if it goes on first', async () => {
    const { slow, key, next, gate, goOn, columns } = await startAway(13);
    goOn();
    const other: Sms = new Batches<undefined>(store);
    await until(async () => (await stateOf(other, key)) === 'running');
    expect(await other.start(next, 'Ada', { ...work(), columns })).toBe(false);
    expect(await find(other, next)).toMatchObject({ state: 'preview', isShownAgain: true });
    await gate.open();
    await hasEnded(slow, key);
    expect(await outcomes(slow, key)).toEqual(Array(12).fill('done'));
    expect(sent()).toEqual(phones(12));
  });
});

test('a preview is shown again if another button has started a batch that sends some of its rows', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const asked = await preview(batches, 13, { button: 'C' });
  const { gate, key } = await startAtGate(batches, 12, {});
  expect(await start(batches, asked)).toBe(false);
  expect(await find(batches, asked)).toMatchObject({ isShownAgain: true });
  await gate.open();
  await hasEnded(batches, key);
  expect(sent()).toEqual(phones(12));
});

/** Numbers that the sandbox refuses, as the service does for tests. */
const refusing = { optedOut: '+15005550004', noSms: '+15005550009', unreachable: '+15005550002' };
const reasons = {
  optedOut:
    'The recipient unsubscribed by replying STOP. They can subscribe again by replying START. The service said: Attempt to send to unsubscribed recipient (21610)',
  noSms:
    'The number in "To" cannot receive SMS. It may be a landline. The service said: \'To\' number +15005550009 is not a valid mobile number (21614)',
};
const before =
  'An earlier batch got this response, so nothing was sent now. You can still send to this number without a batch.';

describe.each([
  ['stores its outcomes', false],
  ['records outcomes in its rows', true],
])('a batch that %s', (_, isRecorded) => {
  const batches: Sms = new Batches<undefined>(memoryStore());
  const rows = (body: string, from = '+14155550100') =>
    [phoneOf(1), ...Object.values(refusing)].map((to) =>
      planRow(action, {
        ...{ name: to, filled: ['to'] },
        input: () => ({ from, to, body }),
      }),
    );
  async function offer(items: RowItem[]) {
    const key = await batches.press(press);
    await batches.preview(key, { items, isRecorded }, undefined);
    return key;
  }
  const read = async (key: string) =>
    ((await find(batches, key))?.items ?? []).map(({ who, outcome, message = '' }) => [
      ...[who, outcome, inEnglish(message)],
    ]);
  const refusedNow = [
    [refusing.optedOut, 'opted-out', reasons.optedOut],
    [refusing.noSms, 'failed', reasons.noSms],
  ];
  const refusedBefore = [refusing.noSms, 'failed', `${reasons.noSms}. ${before}`];

  test('skips numbers that the service called invalid, from the same sender, until the result is deleted', async () => {
    const first = await offer(rows('Hello'));
    await start(batches, first);
    await hasEnded(batches, first);
    expect(await read(first)).toEqual([
      [phoneOf(1), 'done', ''],
      ...refusedNow,
      [refusing.unreachable, 'failed', expect.stringContaining('(21612)')],
    ]);
    expect(JSON.stringify(await find(batches, first))).not.toContain('Hello');

    const next = await offer(rows('A new text'));
    expect(await read(next)).toEqual([
      ...[phoneOf(1), refusing.optedOut].map((who) => [who, 'waiting', '']),
      ...[refusedBefore, [refusing.unreachable, 'waiting', '']],
    ]);
    sandbox.messages.length = 0;
    await start(batches, next);
    await hasEnded(batches, next);
    expect((await read(next)).slice(1, 3)).toEqual([refusedNow[0], refusedBefore]);
    expect(sent()).toEqual([phoneOf(1)]);

    const other = await offer(rows('Hello', '+14155550101'));
    expect((await read(other)).map(([, outcome]) => outcome)).toEqual(Array(4).fill('waiting'));

    await batches.delete(first, 'Ada');
    const last = await offer(rows('A third text'));
    expect((await read(last)).map(([, outcome]) => outcome)).toEqual(Array(4).fill('waiting'));
  });
});

test('a batch whose action was removed since is not started, says so, and can be deleted', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const key = await preview(batches, 3, { actionId: 'send-fax' });
  const none = await batches.press({ ...press, actionId: 'send-fax' });
  const ended = await send(batches, 1);
  const entry = await store.get('batches', ended);
  if (entry) await store.swap('batches', entry, { ...Object(entry.value), actionId: 'send-fax' });
  const opening = (key: string) => batches.open(key, 'Ada');
  const sentence = (effect: string) => ({
    ...{ code: 'not-found' },
    message: `This version of the plugin doesn't have the batch's action "send-fax", so ${effect}.`,
  });
  for (const one of [key, none])
    await expect(opening(one)).rejects.toMatchObject(sentence('nothing was sent'));
  await expect(opening(ended)).rejects.toMatchObject(sentence("its result can't be shown"));
  expect(await start(batches, key)).toBe(false);
  expect(sent()).toEqual([phoneOf(0)]);
  await batches.delete(key, 'Ada');
  expect(await find(batches, key)).toBeUndefined();
});

describe('rows to whose recipient a single action sent something in the last day', () => {
  const at = (url: string) => telephonyAt(url, { confirmTimeoutMs: 300 });
  /** Presses a button that sends an SMS to the first person. */
  const single = (
    body: string,
    {
      to = phoneOf(0),
      url = sandbox.url,
      ...more
    }: SingleSends & { to?: string; url?: string } = {},
  ) => withSingleSends(at(url), store, more).run(action.id, { from: '+14155550100', to, body });
  /** The rows of a preview: their outcomes, and whether a single action reached them. */
  const shown = async (choice: object = {}) => {
    const { items } = await previewRows(new Batches<undefined>(store), 'Hello', choice);
    return items.map(({ outcome, isRepeated, isChanged, isSentSingly, isPending }) =>
      Object.entries({ [outcome]: true, isRepeated, isChanged, isSentSingly, isPending })
        .flatMap(([name, is]) => (is ? [name] : []))
        .join(' '),
    );
  };
  const untouched = ['waiting', 'waiting'];

  test.each<[what: string, body: string, choice: object, first: string]>([
    ['the same are skipped', 'Hello', {}, 'already-done isRepeated'],
    ['the same are skipped', 'Hello', { skipsSentSingly: false }, 'already-done isRepeated'],
    ['the same are included on demand', 'Hello', { skipsSent: false }, 'waiting isRepeated'],
    ['another text are included', 'Your ring was found.', {}, 'waiting isSentSingly'],
    [
      'another text are included, whatever is decided about batches',
      'Bye',
      { skipsChanged: true },
      'waiting isSentSingly',
    ],
    [
      'another text are skipped on demand',
      'Bye',
      { skipsSentSingly: true },
      'already-done isSentSingly',
    ],
  ])('%s', async (_, body, choice, first) => {
    await single(body);
    expect(await shown(choice)).toEqual([first, 'waiting']);
    expect(await shown({ ...choice, isRecorded: true })).toEqual([first, 'waiting']);
  });

  test.each<[byBatch: string, singly: string, choice: object, rows: string[]]>([
    ['Hello', 'Hello', {}, ['already-done isRepeated', 'already-done isRepeated']],
    ['Hello', 'Hello', { skipsSent: false }, ['waiting isRepeated', 'waiting isRepeated']],
    [
      ...(['Hello', 'Bye', { skipsSent: false }] as const),
      ['waiting isRepeated isSentSingly', 'waiting isRepeated'],
    ],
    [
      ...(['Hello', 'Bye', { skipsSent: false, skipsSentSingly: true }] as const),
      ['already-done isSentSingly', 'waiting isRepeated'],
    ],
    ['Bye', 'Hello', {}, ['already-done isRepeated', 'waiting isChanged']],
    ['Bye', 'Hello', { skipsChanged: true }, ['already-done isChanged', 'already-done isChanged']],
  ])('a batch sent “%s” and a button “%s”, with %j', async (byBatch, singly, choice, rows) => {
    const batches: Sms = new Batches<undefined>(store);
    const { key } = await previewRows(batches, byBatch);
    await start(batches, key);
    await hasEnded(batches, key);
    await single(singly);
    expect(await shown(choice)).toEqual(rows);
  });

  test.each<[what: string, send: () => Promise<unknown>]>([
    ['of another account', () => single('Hello', { scope: 'other' })],
    ['that failed', () => single('Hello', { url: 'http://127.0.0.1:9' })],
    ['that was refused', () => single('Hello', { to: '+15005550001' })],
  ])('are none after an action %s', async (_, send) => {
    await send().catch(() => {});
    expect(await shown()).toEqual(untouched);
  });

  test('are none after a day, and the store forgets them', async () => {
    await single('Hello');
    const now = Date.now() + 24 * 3_600_000 + 1;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    expect(await shown()).toEqual(untouched);
    await new Batches(store).expire();
    expect(store.entries().filter(([kind]) => kind === 'single sends')).toEqual([]);
  });

  test('are checked in the log if the outcome is unknown, and not sent again', async () => {
    sandbox.faults.add({ name: 'reset-after', method: 'POST', times: 1 });
    sandbox.faults.add({ ...shownNowhere, times: 100 });
    await expect(single('Hello')).rejects.toMatchObject({ code: 'unknown-outcome' });
    sandbox.faults.clear();
    expect(await shown()).toEqual(['waiting isPending', 'waiting']);
    const batches: Sms = new Batches<undefined>(store);
    const { key } = await previewRows(batches, 'Hello');
    await start(batches, key);
    await hasEnded(batches, key);
    expect(await outcomes(batches, key)).toEqual(['done', 'done']);
    expect(sent()).toEqual(phones(2));
  });

  test('are checked in the log after a crash', async () => {
    const gate = await gateTo(sandbox.url, (path) => path.endsWith('/Messages.json'));
    const crashed = single('Hello', { url: gate.url });
    await gate.holds(1);
    expect(await shown()).toEqual(['waiting isPending', 'waiting']);
    await gate.open();
    await crashed;
    expect(await shown()).toEqual(['already-done isRepeated', 'waiting']);
  });

  test('are shown before the batch starts, if someone presses a button after the preview', async () => {
    const batches: Sms = new Batches<undefined>(store);
    const { key } = await previewRows(batches, 'Hello');
    await single('Bye');
    expect(await start(batches, key)).toBe(false);
    expect(await find(batches, key)).toMatchObject({ isShownAgain: true });
    expect(sent()).toEqual(phones(1));
  });

  test('are shown before they are repeated, if someone presses a button after that choice', async () => {
    const batches: Sms = new Batches<undefined>(store);
    const { key } = await previewRows(batches, 'Hello', { skipsSent: false });
    await single('Hello');
    expect(await start(batches, key)).toBe(false);
    expect(await find(batches, key)).toMatchObject({ isShownAgain: true });
    expect(sent()).toEqual(phones(1));
  });

  test('send nothing if the store is unavailable', async () => {
    jest.spyOn(store, 'insert').mockRejectedValue(new Error('The disk is full.'));
    await expect(single('Hello')).rejects.toMatchObject({
      ...{ code: 'unavailable', message: expect.stringMatching(/^Nothing was sent:/) },
    });
    expect(sent()).toEqual([]);
  });

  test('are sent although the store is unavailable, if that is optional', async () => {
    jest.spyOn(store, 'insert').mockRejectedValue(new Error('The disk is full.'));
    await single('Hello', { isOptional: true });
    expect(sent()).toEqual(phones(1));
  });

  test('that were skipped for another text are not taken for sent the same', async () => {
    await single('Bye');
    const batches: Sms = new Batches<undefined>(store);
    const skipping = await previewRows(batches, 'Hello', { skipsSentSingly: true });
    await start(batches, skipping.key);
    await hasEnded(batches, skipping.key);
    expect(await shown()).toEqual(['waiting isSentSingly', 'already-done isRepeated']);
  });

  test('are read for the recipients of a batch only, whatever else was sent', async () => {
    for (let index = 0; index < 40; index += 1)
      await single('Hello', { to: `+120255502${String(index).padStart(2, '0')}` });
    await single('Hello');
    const { find: read } = store;
    let count = 0;
    jest.spyOn(store, 'find').mockImplementation(async (kind, index) => {
      const found = await read(kind, index);
      if (kind === 'single sends') count += found.length;
      return found;
    });
    expect(await shown()).toEqual(['already-done isRepeated', 'waiting']);
    // The preview reads them twice.
    expect(count).toBeLessThan(10);
  });

  test('are those of a batch without a preview, too, and one store entry each', async () => {
    const telephony = withSingleSends(at(sandbox.url), store);
    const rows = [0, 1].map((index) => ({
      input: { from: '+14155550100', to: phoneOf(index), body: index === 0 ? 'Hello' : 'Bye' },
    }));
    await telephony.runBatch(action.id, rows);
    expect(await shown()).toEqual(['already-done isRepeated', 'waiting isSentSingly']);
    expect(store.entries().filter(([kind]) => kind === 'single sends')).toHaveLength(2);
  });

  test('are those whose row has recorded them, but not those that another press has claimed', async () => {
    const open = async () => withSingleSends(at(sandbox.url), store);
    const isStopped = async () => false;
    const [first, second] = planned(2).map((item, key) => ({ ...item, key }));
    const notesOf = (key: unknown) => ({
      read: async () => undefined,
      replace: async () => key === 0,
    });
    if (!first || !second) throw new Error('The rows of the test are gone.');
    await runItems(action, [first, second], { open, isStopped, notesOf });
    expect(sent()).toEqual(phones(1));
    expect(await shown()).toEqual(['already-done isRepeated', 'waiting']);
  });

  test('are none after a list', async () => {
    const telephony = withSingleSends(at(sandbox.url), store);
    expect(await telephony.run('account-calls')).toMatchObject({ records: expect.any(Array) });
    expect(store.entries().filter(([kind]) => kind === 'single sends')).toEqual([]);
  });
});

describe('the texts of a preview that is no longer shown', () => {
  const texts = () => JSON.stringify(store.entries()).match(/Hello/g)?.length ?? 0;

  test('go when it gets other rows', async () => {
    const batches: Sms = new Batches<undefined>(store);
    const key = await preview(batches, 3);
    await batches.preview(key, { items: planned(1) }, undefined);
    expect(texts()).toBe(1);
    expect(await outcomes(batches, key)).toEqual(['waiting']);
  });

  test('go if it is deleted while it gets its rows', async () => {
    const batches: Sms = new Batches<undefined>(store);
    const key = await batches.press(press);
    const deleting: LogStore = {
      ...store,
      async swap(kind, entry, value) {
        if (kind === 'batch previews') await batches.delete(key, 'Ada');
        return store.swap(kind, entry, value);
      },
    };
    const shown = await new Batches<undefined>(deleting).preview(
      key,
      { items: planned(1) },
      undefined,
    );
    expect([shown, texts()]).toEqual([undefined, 0]);
  });
});

test('a preview that is shown again can start a batch for another hour', async () => {
  const batches: Sms = new Batches<undefined>(store);
  const key = await preview(batches, 2);
  await send(batches, 1);
  const at = Date.now();
  const later = (minutes: number) =>
    jest.spyOn(Date, 'now').mockImplementation(() => at + minutes * 60_000);
  later(50);
  expect(await start(batches, key)).toBe(false);
  later(70);
  await batches.expire();
  expect(await outcomes(batches, key)).toEqual(['already-done', 'waiting']);
});
