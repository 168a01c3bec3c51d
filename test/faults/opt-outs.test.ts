import {
  actionOf,
  type BatchBuilder,
  Batches,
  batchPart,
  batchText,
  batchView,
  connect,
  countsOf,
  inEnglish,
  type MemoryStore,
  memoryStore,
  planRow,
  type RowItem,
  receiveEvents,
  runItems,
  type Telephony,
} from '../../src/builder.ts';
import { parametersOf } from '../events/fixtures.ts';
import { address, signedForm } from '../events/signed.ts';
import { notesOfRows } from '../requests/notes-of-rows.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { sayAs } from '../support/translations.ts';
import { account, skipRetryWaits, sms } from './service.ts';

const send = actionOf('send-sms');
const { from: number } = sms;
const [ada, bob, cid] = ['+12025550171', '+12025550172', '+12025550173'] as const;
const [magic, unreachable] = ['+15005550004', '+15005550002'] as const;

let sandbox: Sandbox;
let store: MemoryStore;
let telephony: Telephony;
const connected = (more: object = {}) =>
  connect({ ...account, baseUrl: sandbox.url, store, ...more });
beforeAll(async () => {
  sandbox = await openSandbox(account);
});
beforeEach(() => {
  sandbox.messages.length = 0;
  store = memoryStore();
  telephony = connected();
  skipRetryWaits();
});
afterEach(() => jest.restoreAllMocks());

let count = 0;
/** The service reports what someone answered, or the status of a message. */
async function report(id: string, values: Record<string, string>, of = telephony) {
  count += 1;
  const receive = receiveEvents(account, {
    ...{ url: address, onEvent: () => {}, telephony: () => of },
  });
  const { MessagingServiceSid: _, ...parameters } = parametersOf(id);
  const sid = { MessageSid: `SM${count}`, SmsSid: `SM${count}` };
  const response = await receive(
    signedForm({ ...parameters, ...sid, ...values }, { token: account.password }),
  );
  expect(response.status).toBe(200);
}
const stop = (From: string, To = number) => report('opted-out', { From, To });
const start = (From: string, To = number) => report('opted-in', { From, To });

const row = (to: string, values: object = {}) =>
  planRow(send, {
    ...{ row: ['people', to], name: to, filled: ['to'] },
    input: () => ({ from: number, to, body: 'Hello', ...values }),
  });

const press = { owner: 'Eve', actionId: send.id, button: 'B', context: undefined };
const batchesOf = (open: () => Telephony | undefined = () => telephony) =>
  new Batches<undefined>(store, { account: open });
const preview = (items: RowItem[], batches = batchesOf()) => batches.openPreview(press, { items });
const outcomes = async (items: RowItem[], batches?: Batches<undefined>) =>
  (await preview(items, batches)).items.map(({ outcome }) => outcome);

/** Starts a batch and returns its rows when it has ended. */
async function run(key: string, batches = batchesOf()): Promise<RowItem[]> {
  await new Promise<void>((ended) => {
    const work = { action: send, open: async () => telephony, report: () => {} };
    void batches.start(key, 'Eve', { ...work, ended });
  });
  return (await batches.open(key, 'Eve')).items;
}

const single = (to: string, values: object = {}) =>
  telephony.run('send-sms', { from: number, to, body: 'Hello', ...values }).then(
    () => 'sent',
    ({ serviceCode }) => serviceCode,
  );

const sent = () => sandbox.messages.map(({ to }) => to);

const known: [what: string, skipped: string[], before: () => Promise<unknown>][] = [
  ['nothing', [], async () => {}],
  ['an SMS such as STOP', [ada], () => stop(ada)],
  ['STOP to another number', [], () => stop(ada, '+14155550109')],
  ['STOP, then START', [], () => stop(ada).then(() => start(ada))],
  ['START, then STOP', [ada], () => start(ada).then(() => stop(ada))],
  ['a refused message', [magic], () => single(magic)],
  [
    'a message that is refused from another number',
    [],
    () => single(magic, { from: '+14155550109' }),
  ],
  ['a message that is refused for another reason', [], () => single(unreachable)],
  ['a refused message, then START', [], () => single(magic).then(() => start(magic))],
  ['STOP, then an accepted message', [], () => stop(ada).then(() => single(ada))],
  [
    'STOP, then a message that is accepted from another number',
    [ada],
    () => stop(ada).then(() => single(ada, { from: '+14155550109' })),
  ],
  [
    'STOP to a messaging service, then a message that it accepted',
    [ada],
    async () => {
      await report('opted-out', { From: ada, To: number, MessagingServiceSid: 'MG1' });
      const input = { from: number, messagingServiceSid: 'MG1', to: ada, body: 'Hello' };
      await telephony.run('send-a-message', input);
    },
  ],
  [
    'STOP, then a call',
    [ada],
    async () => {
      await stop(ada);
      await telephony.run('make-a-call', { from: number, to: ada, say: 'Hello' });
    },
  ],
];

test.each(known)('after %s, a batch skips %j', async (_, skipped, before) => {
  await before();
  const all = [ada, bob, magic, unreachable];
  const items = all.map((to) => row(to));
  expect(await outcomes(items)).toEqual(
    all.map((to) => (skipped.includes(to) ? 'opted-out' : 'waiting')),
  );
});

test('a batch sends to the others, and a person can still send to who opted out', async () => {
  await stop(ada);
  const { key } = await preview([row(ada), row(bob), row(cid)]);
  const items = await run(key);
  expect(items.map(({ who, outcome }) => [who, outcome])).toEqual([
    [ada, 'opted-out'],
    [bob, 'done'],
    [cid, 'done'],
  ]);
  expect(sent().sort()).toEqual([bob, cid]);
  expect(await single(ada)).toBe('sent');
  expect(await single(magic)).toBe(21610);
});

test('of who opts out after the preview, the batch sends nothing', async () => {
  const { key } = await preview([row(ada), row(bob)]);
  await stop(ada);
  expect((await run(key)).map(({ outcome }) => outcome)).toEqual(['opted-out', 'done']);
  expect(sent()).toEqual([bob]);
});

test('who opts out while a message to them is on its way stays opted out', async () => {
  jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() - 1_000);
  const sending = single(ada);
  await stop(ada);
  await sending;
  expect(await outcomes([row(ada)])).toEqual(['opted-out']);
});

test('each account knows its own opt-outs', async () => {
  await stop(ada);
  const other = connected({ accountSid: 'AC00000000000000000000000000000002' });
  expect(
    await outcomes(
      [row(ada)],
      batchesOf(() => other),
    ),
  ).toEqual(['waiting']);
  await report('opted-in', { From: ada, To: number }, other);
  expect(await outcomes([row(ada)])).toEqual(['opted-out']);
});

test.each<[what: string, open: () => Telephony | undefined]>([
  ['no account', () => undefined],
  ['an account without settings', () => connect({ username: '', password: '' })],
  ['an account without a store', () => connected({ store: undefined })],
])('what is unknown skips no one: %s', async (_, open) => {
  await stop(ada);
  expect(await outcomes([row(ada)], batchesOf(open))).toEqual(['waiting']);
});

test('a row that may have been sent is still checked in the log', async () => {
  await stop(ada);
  const pending: RowItem = { ...row(ada), isPending: true, begun: new Date().toISOString() };
  expect(await outcomes([pending, row(ada, { body: 'Another' })])).toEqual([
    ...['waiting', 'opted-out'],
  ]);
});

const reads = { ...{ get: 0, find: 0, insert: 0 } };
test.each([100, 2_000])('%d rows cost no read each', async (rows) => {
  await stop(ada);
  const counting =
    (verb: keyof typeof reads) =>
    (kind: string, ...args: never[]) => {
      if (kind === 'opt-outs') reads[verb] += 1;
      return (store[verb] as (...all: unknown[]) => never)(kind, ...args);
    };
  Object.assign(reads, { get: 0, find: 0, insert: 0 });
  telephony = connected({
    store: { ...store, get: counting('get'), find: counting('find'), insert: counting('insert') },
  });
  const items = Array.from({ length: rows }, (_, index) =>
    row(`+1202555${String(index).padStart(4, '0')}`),
  );
  expect(await outcomes([row(ada), ...items])).toEqual([
    'opted-out',
    ...items.map(({ values }) => (values?.to === ada ? 'opted-out' : 'waiting')),
  ]);
  expect(reads).toEqual({ get: 0, insert: 0, find: expect.any(Number) });
  expect(reads.find).toBeLessThanOrEqual(Math.min(rows + 1, 256));
});

const builder: BatchBuilder = {
  ...{ name: 'Tiny', isText: true, toContinue: { text: 'Go on.' } },
  toRepeat: () => ({ text: 'send it alone' }),
  skips: {
    skipsSent: [{ text: '' }, { text: '' }],
    skipsChanged: [{ text: '' }, { text: '' }],
    skipsSentSingly: [{ text: '' }, { text: '' }],
  },
};

const languages: [language: string, reason: string, skipping: string][] = [
  [
    '',
    'The recipient unsubscribed by replying STOP. They can subscribe again by replying START. Nothing was sent.',
    'Skipping 2 rows:',
  ],
  [
    'de-DE',
    'Der Empfänger hat sich mit STOP abgemeldet. Mit START kann er sich wieder anmelden. Es wurde nichts gesendet.',
    '2 Zeilen werden übersprungen:',
  ],
  ['zh-CN', '接收方已回复 STOP 退订。对方可回复 START 重新订阅。未发送任何内容。', '跳过 2 行：'],
];

test.each(languages)(
  'says in “%s” why a row is skipped, and who it is',
  async (code, why, skip) => {
    await stop(ada);
    await stop(bob);
    const say = code ? await sayAs(code) : inEnglish;
    const batch = await preview([row(ada), row(bob), row(cid)]);
    const text = batchText(batchPart(send, batchView(send, batch, {}, say), builder), say);
    expect(text).toContain(skip);
    expect([text.includes(ada), text.includes(bob)]).toEqual([true, true]);
    expect(text).toContain(why);
    const items = await run(batch.key);
    expect(countsOf(items)).toMatchObject({ 'opted-out': 2, done: 1 });
  },
);

test('without a preview, rows are skipped, too, and record it', async () => {
  await stop(ada);
  const { notes, notesOf } = notesOfRows({});
  const items = [ada, bob].map((to) => ({ ...row(to), key: to }));
  await runItems(send, items, {
    open: async () => telephony,
    isStopped: async () => false,
    notesOf,
  });
  expect(items.map(({ outcome }) => outcome)).toEqual(['opted-out', 'done']);
  expect(sent()).toEqual([bob]);
  expect([notes[ada]?.outcome, notes[bob]?.outcome]).toEqual(['opted-out', 'sent']);
});

test('runBatch skips who opted out', async () => {
  await stop(ada);
  const results: unknown[] = [];
  const rows = [ada, bob].map((to) => ({ input: { from: number, to, body: 'Hello' } }));
  await telephony.runBatch('send-sms', rows, {
    onResult: ({ input }, { outcome }) => void results.push([input.to, outcome]),
  });
  expect(results.sort()).toEqual([
    [ada, 'opted-out'],
    [bob, 'done'],
  ]);
  expect(sent()).toEqual([bob]);
});

test('a store that fails for a moment costs no row that comes later', async () => {
  const find = jest.spyOn(store, 'find').mockRejectedValueOnce(new Error('The database is away.'));
  const counts: Record<string, number> = {};
  const rows = Array.from({ length: 100 }, (_, index) => ({
    input: { from: number, to: `+1202555${3000 + index}`, body: 'Hello' },
  }));
  await telephony.runBatch('send-sms', rows, {
    onResult: (_, { outcome }) => {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    },
  });
  expect(find).toHaveBeenCalled();
  expect(counts.failed).toBeLessThan(rows.length / 2);
  expect(counts.done).toBe(rows.length - (counts.failed ?? 0));
  expect(sandbox.messages).toHaveLength(counts.done ?? 0);
});
