import {
  deliveryLog,
  type EventPoller,
  type EventPollerOptions,
  eventPoller,
  type MemoryStore,
  memoryStore,
  type PolledAccount,
  type PollState,
  pollIntervalMs,
  pollStateOf,
  type Store,
  type Telephony,
} from '../../src/builder.ts';
import { killedAt, unsteady } from '../stores/faulty.ts';

// When accounts are polled, by which process, and what is delivered. The tests advance the clock.

const second = 1_000;
const minute = 60 * second;
const began = Date.parse('2026-11-20T12:00:00Z');
const since = () => (Date.now() - began) / second;
const pass = (seconds: number) => jest.advanceTimersByTimeAsync(seconds * second);

const running: EventPoller[] = [];
beforeEach(() => jest.useFakeTimers({ now: began }));
afterEach(() => {
  for (const poller of running.splice(0)) void poller.stop();
  jest.useRealTimers();
});

/** A service with a list of messages, which can fail or be slow. */
function openService(address = 'https://api.example.com') {
  const messages: object[] = [];
  const service = {
    /** The times of polls, in seconds. */
    polled: [] as number[],
    fault: undefined as Error | undefined,
    /** Delays its responses. */
    gate: Promise.resolve() as Promise<unknown>,
    receive(sid: string) {
      const dateCreated = new Date();
      messages.unshift({ sid, direction: 'inbound', status: 'received', dateCreated });
    },
    telephony: {
      account: address,
      now: async () => new Date(),
      async *pages() {
        service.polled.push(since());
        const records = [...messages];
        await service.gate;
        if (service.fault) throw service.fault;
        yield { records, more: false };
      },
    } as unknown as Telephony,
  };
  return service;
}

type Service = ReturnType<typeof openService>;

interface Settings extends Partial<PolledAccount> {
  service: Service;
}

/** An account that is polled every minute for incoming SMS. */
const accountOf = ({ service, ...settings }: Settings): PolledAccount => ({
  ...{ key: 'one', intervalMs: minute, events: ['sms-received'] },
  telephony: () => service.telephony,
  ...settings,
});

/** A process with a poller, its deliveries and its log. */
function start(
  accounts: PolledAccount[] | EventPollerOptions<PolledAccount>['accounts'],
  store: Store,
  options: Partial<EventPollerOptions<PolledAccount>> = {},
) {
  const [delivered, logged, looked]: [string[], string[], number[]] = [[], [], []];
  const log = deliveryLog(store, options.isAlone ? { isAlone: options.isAlone } : {});
  const poller = eventPoller({
    accounts: () => {
      looked.push(since());
      return typeof accounts === 'function' ? accounts() : accounts;
    },
    store: () => store,
    deliveryLog: () => log,
    deliver: (_, { record }) => void delivered.push(String(record.sid)),
    report: () => {},
    logProblem: ({ key }, { message }) => void logged.push(`${key}: ${message}`),
    logFault: ({ message }) => void logged.push(message),
    ...options,
  });
  running.push(poller);
  poller.start();
  return { poller, delivered, logged, looked };
}

const stateIn = (store: Store) => pollStateOf(store, 'one').read();
const cursorIn = (store: Store) => pollStateOf(store, 'one').cursor().read();

test('polls each account when it is due, and reads the accounts once a minute', async () => {
  const [one, two] = [openService(), openService()];
  const accounts = [
    accountOf({ service: one }),
    accountOf({ service: two, key: 'two', intervalMs: 15 * second }),
  ];
  const { looked } = start(accounts, memoryStore());
  await pass(100);
  expect([one.polled, two.polled, looked]).toEqual([
    [0, 60],
    [0, 15, 30, 45, 60, 75, 90],
    [0, 60],
  ]);
});

test('touches neither the store nor the account until a poll is due', async () => {
  const service = openService();
  const store = memoryStore();
  const account = accountOf({ service, intervalMs: 10 * minute });
  start([account], store);
  await pass(5);
  const verbs = jest.spyOn(store, 'get');
  const opened = jest.spyOn(account, 'telephony');
  await pass(500);
  expect([verbs, opened].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

test('a slow account delays no other', async () => {
  const [slow, quick] = [openService(), openService()];
  slow.gate = new Promise(() => {});
  start([accountOf({ service: slow }), accountOf({ service: quick, key: 'two' })], memoryStore());
  await pass(125);
  expect([slow.polled, quick.polled]).toEqual([[0], [0, 60, 120]]);
});

test('delivers nothing from before the first poll, and each later event once', async () => {
  const service = openService();
  service.receive('SM0');
  await pass(60);
  const { delivered } = start([accountOf({ service })], memoryStore());
  await pass(1);
  service.receive('SM1');
  await pass(60);
  service.receive('SM2');
  await pass(180);
  expect(delivered).toEqual(['SM1', 'SM2']);
});

describe('when the settings change', () => {
  test('polls a newly subscribed event at once, then at the usual interval', async () => {
    const service = openService();
    const account = accountOf({ service });
    const { poller } = start([account], memoryStore());
    await pass(10);
    account.events = ['sms-received', 'message-status'];
    poller.wake(3 * second);
    await pass(100);
    expect(service.polled).toEqual([0, 13, 73]);
  });

  test('a shorter interval counts at once', async () => {
    const service = openService();
    const account = accountOf({ service });
    const { poller } = start([account], memoryStore());
    await pass(10);
    account.intervalMs = 20 * second;
    poller.wake();
    await pass(31);
    expect(service.polled).toEqual([0, 20, 40]);
  });

  test.each<[string, Partial<PolledAccount>]>([
    ['no interval', { intervalMs: 0 }],
    ['no subscribed events', { events: [] }],
  ])('%s resets the cursor, and events in the meantime are not delivered', async (_, off) => {
    const service = openService();
    const account = accountOf({ service });
    const store = memoryStore();
    const { poller, delivered } = start([account], store);
    await pass(10);
    const on = { ...account };
    Object.assign(account, off);
    poller.wake();
    await pass(10);
    expect(store.entries().filter(([kind]) => kind.startsWith('poll'))).toEqual([]);
    service.receive('SM1');
    await pass(60);
    Object.assign(account, on);
    poller.wake();
    await pass(10);
    service.receive('SM2');
    await pass(60);
    expect([delivered, service.polled]).toEqual([['SM2'], [0, 81, 141]]);
  });

  test('another account delivers events from now on only', async () => {
    const [one, other] = [openService(), openService('https://other.example.com')];
    let service = one;
    other.receive('SM0');
    const store = memoryStore();
    const account = accountOf({ service, telephony: () => service.telephony });
    const { delivered } = start([account], store);
    await pass(59);
    service = other;
    await pass(2);
    service.receive('SM1');
    await pass(60);
    expect(delivered).toEqual(['SM1']);
  });

  test('a poll from before a reset does not move the new cursor', async () => {
    const service = openService();
    const account = accountOf({ service });
    const store = memoryStore();
    const { poller, delivered, logged } = start([account], store);
    await pass(59);
    service.receive('SM1');
    let open = () => {};
    service.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await pass(2);
    account.intervalMs = 0;
    poller.wake();
    await pass(2);
    service.gate = Promise.resolve();
    account.intervalMs = minute;
    poller.wake();
    await pass(2);
    const cursor = await cursorIn(store);
    open();
    await pass(2);
    expect([delivered, logged, await cursorIn(store)]).toEqual([['SM1'], [], cursor]);
  });

  test.each<[when: string, slow: 'accounts' | 'expire' | 'insert', polled: number[]]>([
    ['while the accounts are read', 'accounts', [0, 60]],
    ['during the reset', 'expire', [0, 60]],
    ['while it stores that it began', 'insert', []],
  ])('a poll that ends %s leaves no cursor when polling is turned off', async (_, slow, polled) => {
    const service = openService();
    const account = accountOf({ service });
    const store = memoryStore();
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let [isSlow, isOpen] = [slow === 'insert', false];
    const waiting = async (call: string) => {
      if (isSlow && !isOpen && call === slow) await gate;
    };
    const slowStore: Store = {
      ...store,
      insert: (...entry) => waiting('insert').then(() => store.insert(...entry)),
      expire: (...before) => waiting('expire').then(() => store.expire(...before)),
    };
    const { poller, delivered } = start(async () => {
      const read = [{ ...account }];
      await waiting('accounts');
      return read;
    }, slowStore);
    let answer = () => {};
    await pass(59);
    service.gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await pass(2);
    expect(service.polled).toEqual(polled);
    isSlow = true;
    account.intervalMs = 0;
    poller.wake();
    await pass(2);
    answer();
    await pass(2);
    isOpen = true;
    open();
    await pass(2);
    expect(store.entries().filter(([kind]) => kind.startsWith('poll'))).toEqual([]);
    service.receive('SM1');
    await pass(60);
    account.intervalMs = minute;
    poller.wake();
    await pass(2);
    service.receive('SM2');
    await pass(60);
    expect(delivered).toEqual(['SM2']);
  });

  test('polls nothing and resets nothing while the accounts cannot be read', async () => {
    const service = openService();
    const store = memoryStore();
    let isKnown = true;
    const { poller } = start(() => (isKnown ? [accountOf({ service })] : undefined), store);
    await pass(10);
    const cursor = await cursorIn(store);
    isKnown = false;
    poller.wake();
    await pass(100);
    expect([service.polled, await cursorIn(store)]).toEqual([[0], cursor]);
  });
});

describe('two processes', () => {
  test('share the polls of an account', async () => {
    const service = openService();
    const store = memoryStore();
    const processes = [1, 2].map(() => start([accountOf({ service })], store));
    await pass(10);
    service.receive('SM1');
    await pass(280);
    expect(service.polled).toEqual([0, 60, 120, 180, 240]);
    expect(processes.flatMap(({ delivered }) => delivered)).toEqual(['SM1']);
  });

  test('one keeps its lease during a long poll', async () => {
    const service = openService();
    const store = memoryStore();
    service.gate = new Promise(() => {});
    for (const _ of [1, 2]) start([accountOf({ service })], store);
    await pass(600);
    expect(service.polled).toEqual([0]);
  });

  test('the other polls once the lease of an ended process has expired', async () => {
    const service = openService();
    const store = memoryStore();
    await pollStateOf(store, 'one').begin('ended', 0, () => false);
    start([accountOf({ service, intervalMs: 10 * second })], store);
    await pass(80);
    expect(service.polled[0]).toBe(60);
  });

  test.each([-3_600, 3_600])(
    'a clock that jumps by %d s does not stop polling',
    async (seconds) => {
      const service = openService();
      const store = memoryStore();
      start([accountOf({ service })], store);
      await pass(30);
      jest.setSystemTime(Date.now() + seconds * second);
      await pass(61);
      expect(service.polled.length).toBeGreaterThan(1);
    },
  );

  test('the only process does not wait for an old lease', async () => {
    const service = openService();
    const store = memoryStore();
    await pollStateOf(store, 'one').begin('ended', 0, () => false);
    start([accountOf({ service, intervalMs: 10 * second })], store, { isAlone: () => true });
    await pass(12);
    expect(service.polled).toEqual([0, 10]);
  });
});

test('a stop interrupts polls, and the next start polls at once and delivers the rest', async () => {
  const service = openService();
  const store = memoryStore();
  const { poller, delivered } = start([accountOf({ service })], store);
  await pass(10);
  for (const sid of ['SM1', 'SM2', 'SM3']) service.receive(sid);
  let stopped: Promise<void> | undefined;
  const second = start([accountOf({ service })], store, {
    deliver(_, { record }) {
      delivered.push(String(record.sid));
      stopped ??= second.poller.stop();
    },
  });
  await poller.stop();
  await pass(55);
  await stopped;
  expect(delivered).toHaveLength(1);
  second.poller.start();
  await pass(3);
  expect(delivered.sort()).toEqual(['SM1', 'SM2', 'SM3']);
});

describe('a problem', () => {
  test('is logged once for all processes, shown, and cleared by the next response', async () => {
    const service = openService();
    const store = memoryStore();
    service.fault = new Error('No answer.');
    const processes = [1, 2].map(() => start([accountOf({ service })], store));
    await pass(200);
    expect(processes.flatMap(({ logged }) => logged)).toEqual(['one: No answer.']);
    expect(await stateIn(store)).toEqual({ begunAt: began + 180_000, problem: 'No answer.' });
    service.fault = undefined;
    await pass(50);
    const answered: PollState = { begunAt: began + 240_000, answeredAt: began + 240_000 };
    expect(await stateIn(store)).toEqual(answered);
    service.fault = new Error('No answer.');
    await pass(100);
    expect(processes.flatMap(({ logged }) => logged)).toHaveLength(2);
  });

  test.each<[string, (state: { isAway: boolean }) => void]>([
    ['the store', (state) => Object.assign(state, { isAway: true })],
    ['the accounts', (state) => Object.assign(state, { isUnreadable: true })],
  ])('with %s is logged once, and no event is lost', async (_, fail) => {
    const service = openService();
    const { state, store } = unsteady(memoryStore());
    const faults = state as { isAway: boolean; isUnreadable?: boolean };
    const { delivered, logged, poller } = start(() => {
      if (faults.isUnreadable) throw new Error('The database is away.');
      return [accountOf({ service })];
    }, store);
    await pass(10);
    service.receive('SM1');
    fail(faults);
    poller.wake();
    await pass(300);
    expect(logged).toEqual(['The database is away.']);
    Object.assign(faults, { isAway: false, isUnreadable: false });
    await pass(120);
    expect(delivered).toEqual(['SM1']);
  });
});

const steps = Array.from({ length: 16 }, (_, index) => index + 1);
describe.each([true, false])('with a kill after a call of the store took effect: %s', (isDone) => {
  test.each(steps)(
    'at step %d, the next process delivers the event unless the delivery was recorded',
    async (step) => {
      const disk: MemoryStore = memoryStore();
      const service = openService();
      const first = start([accountOf({ service })], disk);
      await pass(10);
      await first.poller.stop();
      service.receive('SM1');
      const killed = start(
        [accountOf({ service })],
        killedAt(disk, step, isDone, () => {}),
        {
          isAlone: () => true,
        },
      );
      await pass(120);
      const [recorded] = disk.entries().filter(([kind]) => kind.startsWith('deliveries'));
      const isRecorded = recorded !== undefined && !JSON.stringify(recorded).includes('"by"');
      const next = start([accountOf({ service })], disk, { isAlone: () => true });
      await pass(240);
      expect(next.delivered).toEqual(isRecorded ? [] : ['SM1']);
      expect([...killed.delivered, ...next.delivered].length).toBeGreaterThan(0);
    },
  );
});

test.each<[typed: unknown, intervalMs: number | undefined]>([
  [undefined, 0],
  [null, 0],
  ['', 0],
  [' ', 0],
  [0, 0],
  ['0', 0],
  ['0.1', 6_000],
  [1, 60_000],
  [1_440, 86_400_000],
  [0.05, undefined],
  [-1, undefined],
  ['often', undefined],
  [1_441, undefined],
])('a poll interval of %j minutes is %j ms', (typed, intervalMs) => {
  if (intervalMs === undefined)
    expect(() => pollIntervalMs(typed)).toThrow(
      '“Poll every” must be from 0.1 to 1,440 minutes. Leave it empty to turn polling off.',
    );
  else expect(pollIntervalMs(typed)).toBe(intervalMs);
});
