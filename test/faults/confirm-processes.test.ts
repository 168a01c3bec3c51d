import type { Fault } from '../../demo/sandbox/index.ts';
import type { Http, Input, Limits, NewEntry, Store, Telephony } from '../../src/builder.ts';
import { memoryStore } from '../../src/builder.ts';
import type { Sandbox } from '../support/open-sandbox.ts';
import { fetchHttp } from './fetch-http.ts';
import { sandboxWith } from './lost-responses.ts';
import { startProcess } from './processes.ts';
import { account, skipRetryWaits, sms } from './service.ts';

// Processes that share an account and a store: each has its own copy of the modules.

beforeEach(() => skipRetryWaits());
afterEach(() => jest.restoreAllMocks());

interface Options {
  store?: Store;
  limits?: Partial<Limits>;
  connect?: typeof import('../../src/index.ts').connect;
  /** What happens before the process reads the log for the first time. */
  beforeRead?: (() => Promise<unknown>) | undefined;
}

/** Opens the account, in another process unless one is given. */
function open(
  sandbox: Sandbox,
  { store, limits, connect = startProcess(), beforeRead }: Options,
): Telephony {
  let before = beforeRead;
  const http: Http = async (request) => {
    const act = request.method === 'GET' ? before : undefined;
    if (act) before = undefined;
    await act?.();
    return fetchHttp(request);
  };
  return connect({ ...account, baseUrl: sandbox.url, limits, http, store });
}

/** The number of the message among those of the service, or the error's code. */
const outcomeOf = async (sandbox: Sandbox, run: Promise<{ sid: string }>) => {
  const sid = await run.then(
    (record) => record.sid,
    (error) => error.code ?? error,
  );
  const index = sandbox.messages.findIndex((message) => message.sid === sid);
  // The newest is the first.
  return index < 0 ? sid : sandbox.messages.length - index;
};

const lost: Fault = { name: 'reset-after', method: 'POST' };
const never: Fault = { name: 'reset-before', method: 'POST' };
const refused: Fault = { name: 'rate-limited', method: 'POST' };
const fine: Fault = { name: 'slow', method: 'POST', delayMs: 0 };
const once = { maxAttempts: 1 };
const unconfirmed = { confirmTimeoutMs: 0 };

const unknown = 'unknown-outcome';

interface Case {
  what: string;
  /** What happens to the message of the one process, and to that of the other. */
  faults: [one: Fault, other: Fault];
  other?: Options & { input?: Input<'send-a-message'> };
  when?: 'before' | 'meanwhile';
  outcomes: [one: unknown, other: unknown];
  stored: number;
}

const cases: Case[] = [
  {
    what: 'does not confirm a lost message by that of another process before',
    faults: [never, fine],
    when: 'before',
    outcomes: [unknown, 1],
    stored: 1,
  },
  {
    what: 'does not confirm a lost message by that of another process meanwhile',
    faults: [never, fine],
    outcomes: [unknown, 1],
    stored: 1,
  },
  {
    what: 'does not confirm a lost message by that of another action',
    faults: [never, fine],
    other: { input: { messagingServiceSid: `MG${'0'.repeat(32)}`, to: sms.to, body: sms.body } },
    outcomes: [unknown, 1],
    stored: 1,
  },
  {
    what: 'does not confirm a lost message by that of a process that does not know either',
    faults: [never, lost],
    other: { limits: unconfirmed },
    outcomes: [unknown, unknown],
    stored: 1,
  },
  {
    what: 'does not confirm two messages by one record',
    faults: [lost, never],
    outcomes: [unknown, unknown],
    stored: 1,
  },
  {
    what: 'confirms a message by its own record next to that of another',
    faults: [lost, fine],
    outcomes: [1, 2],
    stored: 2,
  },
  {
    what: 'confirms a message by its own record after that of another',
    faults: [lost, fine],
    when: 'before',
    outcomes: [2, 1],
    stored: 2,
  },
  {
    what: 'confirms a message by its own record if another process was refused',
    faults: [lost, refused],
    other: { limits: once },
    when: 'before',
    outcomes: [1, 'rate-limited'],
    stored: 1,
  },
  {
    what: 'confirms a message by its own record if another process sends another text',
    faults: [lost, never],
    other: { input: { ...sms, body: 'Else' }, limits: unconfirmed },
    outcomes: [1, unknown],
    stored: 1,
  },
];

test.each(cases)('$what', async (one) => {
  const { faults, when = 'meanwhile', other = {}, outcomes, stored } = one;
  const { input = sms, ...options } = other;
  const sandbox = await sandboxWith(...(when === 'before' ? [...faults].reverse() : faults));
  const store = memoryStore();
  const second = open(sandbox, { store, ...options });
  let sent: Promise<unknown> | undefined;
  const sendOther = () => {
    sent = outcomeOf(sandbox, second.run('send-a-message', input));
    return sent;
  };
  if (when === 'before') await sendOther();
  const first = open(sandbox, {
    store,
    beforeRead: when === 'meanwhile' ? sendOther : undefined,
  });
  const own = await outcomeOf(sandbox, first.run('send-sms', sms));
  expect([own, await sent]).toEqual(outcomes);
  expect(sandbox.messages).toHaveLength(stored);
});

const away = Object.assign(new Error('The database is away.'), { code: 'ECONNREFUSED' });

/** A store in which some verbs of a kind fail, a number of times. */
const failing = (verb: 'insert' | 'find', kind: string, times = 99): Store => {
  const store = memoryStore();
  let left = times;
  const act = store[verb] as (...given: unknown[]) => Promise<never>;
  const fails = async (...given: unknown[]) => {
    if (given[0] !== kind || left === 0) return act(...given);
    left -= 1;
    throw away;
  };
  return { ...store, [verb]: fails };
};

const unread =
  /It contains matching entries, which may belong to other attempts: the plugin could not read its store, which knows them\./;

test.each([
  ['the writes of others cannot be read', failing('find', 'writes')],
  ['the claims of others cannot be read', failing('find', 'claims')],
  ['its claim cannot be stored', failing('insert', 'claims')],
  ['its store does not respond', { ...memoryStore(), find: () => new Promise<never>(() => {}) }],
])('a message is not confirmed if %s', async (_, store) => {
  const sandbox = await sandboxWith(lost);
  const error = await open(sandbox, { store, limits: { confirmTimeoutMs: 2_000 } })
    .run('send-sms', sms)
    .catch((caught) => caught);
  expect([error.code, error.message]).toEqual([unknown, expect.stringMatching(unread)]);
});

test('a message is confirmed once the store can be read again', async () => {
  const sandbox = await sandboxWith(lost);
  const store = failing('find', 'claims', 2);
  const { sid } = await open(sandbox, { store }).run('send-sms', sms);
  expect(sid).toBe(sandbox.messages[0]?.sid);
});

test('a message that cannot be stored is not sent, and sent once if that works a moment later', async () => {
  const sandbox = await sandboxWith();
  const send = (times: number) =>
    open(sandbox, { store: failing('insert', 'writes', times) }).run('send-sms', sms);
  const error = await send(99).catch((caught) => caught);
  expect([error.code, error.message, sandbox.requests]).toEqual([
    'unavailable',
    'Nothing was sent: the plugin could not use its store (ECONNREFUSED). Try again in a moment.',
    [],
  ]);
  expect((await send(2)).sid).toBe(sandbox.messages[0]?.sid);
  expect(sandbox.requests).toHaveLength(1);
});

test('a message is not confirmed by that of a process that is killed before it stores its claim', async () => {
  const sandbox = await sandboxWith(fine, never);
  const store = memoryStore();
  const killed = {
    ...store,
    insert: (kind: string, entry: NewEntry) =>
      kind === 'claims' ? new Promise<never>(() => {}) : store.insert(kind, entry),
  };
  await open(sandbox, { store: killed }).run('send-sms', sms);
  expect(await outcomeOf(sandbox, open(sandbox, { store }).run('send-sms', sms))).toBe(unknown);
});

test('an equal message of another account does not matter', async () => {
  const sandbox = await sandboxWith(lost);
  const other = await sandboxWith(never);
  const store = memoryStore();
  const unsure = open(other, { store, limits: unconfirmed }).run('send-sms', sms);
  expect(await outcomeOf(other, unsure)).toBe(unknown);
  expect(await outcomeOf(sandbox, open(sandbox, { store }).run('send-sms', sms))).toBe(1);
});

// What processes do one after the other: `send` as another action of the app, `row` as a batch that confirms it later.
interface Story {
  what: string;
  faults: Fault[];
  /** The process that runs the row, the one that sends the same, and the one that confirms the row later. */
  processes: [row: number, send: number, later: number];
  found: unknown;
}

const stories: Story[] = [
  {
    what: 'does not confirm it by a record that another may own',
    faults: [lost, never],
    processes: [0, 1, 2],
    found: undefined,
  },
  {
    what: 'does not confirm it by a message of another process',
    faults: [never, fine],
    processes: [0, 1, 2],
    found: undefined,
  },
  {
    what: 'does not confirm it by a message of the same process',
    faults: [never, fine],
    processes: [0, 0, 0],
    found: undefined,
  },
  {
    what: 'does not confirm it by a message of the process that checks',
    faults: [never, fine],
    processes: [0, 1, 1],
    found: undefined,
  },
  {
    what: 'confirms it by its own message next to another',
    faults: [lost, fine],
    processes: [0, 1, 2],
    found: 1,
  },
  {
    what: 'confirms it by its own message in one process',
    faults: [lost, fine],
    processes: [0, 0, 0],
    found: 1,
  },
  {
    what: 'confirms it by the message that it got as a response',
    faults: [fine, fine],
    processes: [0, 1, 2],
    found: 1,
  },
];

test.each(stories)('a later check of a row $what (processes $processes)', async (story) => {
  const { faults, processes, found } = story;
  const sandbox = await sandboxWith(...faults);
  const store = memoryStore();
  const started = [startProcess(), startProcess(), startProcess()];
  const [row, other, later] = processes.map((number) => started[number]);
  const send = (connect = startProcess()) =>
    outcomeOf(sandbox, open(sandbox, { store, limits: unconfirmed, connect }).run('send-sms', sms));
  const confirm = async (connect = startProcess()) => {
    const { record } = await open(sandbox, { store, connect }).confirm('send-sms', sms, { since });
    return record && outcomeOf(sandbox, Promise.resolve(record));
  };
  const since = await open(sandbox, { store }).now();
  await send(row);
  await send(other);
  expect([await confirm(later), await confirm(later), await confirm()]).toEqual([
    ...[found, found, found],
  ]);
});

test('a row that was confirmed later leaves no doubt about an equal message', async () => {
  const sandbox = await sandboxWith(lost, lost);
  const store = memoryStore();
  const killed = open(sandbox, { store, limits: unconfirmed });
  const since = await killed.now();
  expect(await outcomeOf(sandbox, killed.run('send-sms', sms))).toBe(unknown);
  const { record } = await open(sandbox, { store }).confirm('send-sms', sms, { since });
  expect(record?.sid).toBe(sandbox.messages[0]?.sid);
  expect(await outcomeOf(sandbox, open(sandbox, { store }).run('send-sms', sms))).toBe(2);
});
