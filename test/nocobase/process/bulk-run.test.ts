import { storeTable } from '../../../plugin/nocobase/resources.ts';
import type { Account, Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import { runHandlers } from '../../../plugin/nocobase/server/bulk/bulk-run.ts';
import type { Application, Context, Handler } from '../../../plugin/nocobase/server/nocobase.ts';
import { nocobaseStore, storeCollection } from '../../../plugin/nocobase/server/store.ts';
import type { BatchView } from '../../../src/builder.ts';
import { Batches, connect, TelephonyError } from '../../../src/builder.ts';
import { gateTo } from '../../support/gate.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { until } from '../../support/until.ts';
import { openDatabase } from '../open-database.ts';

// Batches over rows of NocoBase's database. Tests in its server cover its pages and the user's rights.

const names = Array.from({ length: 12 }, (_, index) => `P${String(index + 1).padStart(2, '0')}`);
const phoneOf = (name: string) => `+120255501${name.slice(1)}`;
const people = {
  name: 'people',
  fields: [
    { name: 'name', type: 'string' },
    { name: 'phone', type: 'string' },
  ],
};

let db: Awaited<ReturnType<typeof openDatabase>>;
let sandbox: Sandbox;
let handlers: Record<string, Handler>;

let account: Account;
let keys: number[];
const logged: string[] = [];
/** The account's base URL, and the error of opening it. */
const place: { baseUrl: string; fault?: Error } = { baseUrl: '' };

beforeAll(async () => {
  [db, sandbox] = [await openDatabase([storeCollection, people]), await openSandbox()];
  for (const name of names)
    await db.getRepository('people').create({ values: { name, phone: phoneOf(name) } });
  keys = (await db.getRepository('people').find({ sort: ['id'] })).map((row) =>
    Number(row.get('id')),
  );
  const source = {
    // Every role may read everything here.
    acl: {
      middleware: () => (reading: { permission: object }, next: () => Promise<void>) => {
        Object.assign(reading.permission, { can: {} });
        return next();
      },
    },
    collectionManager: { getCollection: (name: string) => db.getCollection(name) },
  };
  const app = {
    ...{ db, dataSourceManager: { get: () => source } },
    logger: { error: (text: string) => logged.push(text) },
  } as unknown as Application;
  account = {
    ...{ key: 'a', settings: {}, defaultSender: '+14155550100' },
    telephony: () => {
      if (place.fault) throw place.fault;
      const { username, password } = sandbox;
      return connect({ username, password, baseUrl: place.baseUrl });
    },
  } as unknown as Account;
  const accounts = { get: async () => account } as unknown as Accounts;
  handlers = runHandlers(app, accounts, new Batches(nocobaseStore(app)));
});
beforeEach(async () => {
  jest.restoreAllMocks();
  Object.assign(account, { roles: { 'send-sms': ['clerk'] }, buttonRoles: {} });
  place.baseUrl = sandbox.url;
  delete place.fault;
  logged.length = 0;
  sandbox.messages.length = 0;
  await db.getCollection(storeTable).model.destroy({ where: {} });
});

const sms = { to: [{ column: 'phone' }], body: ['Dear ', { column: 'name' }] };

/** A request of the browser, and the view that it gets. */
async function call(what: string, values: object, user = 1, role = 'clerk'): Promise<BatchView> {
  const context = {
    ...{ action: { params: { values } }, state: { currentRoles: [role] } },
    ...{ auth: { user: { id: user } }, body: undefined as unknown },
  };
  let isOver = false;
  await handlers[what]?.(context as unknown as Context, async () => {
    isOver = true;
  });
  expect(isOver).toBe(true);
  return context.body as BatchView;
}

const request = { action: 'send-sms', dataSource: 'main', collection: 'people', input: sms };
const openPreview = (count = 12, user = 1, more: object = {}) =>
  call('preview', { ...request, rows: keys.slice(0, count), ...more }, user);

async function end({ key }: BatchView, user = 1): Promise<BatchView> {
  let view = await call('see', { key }, user);
  await until(async () => {
    view = await call('see', { key }, user);
    return view.state === 'ended';
  });
  return view;
}

const sent = () => sandbox.messages.map(({ to, body }) => `${to} ${body}`).sort();
const expected = (count = 12) =>
  names.slice(0, count).map((name) => `${phoneOf(name)} Dear ${name}`);
const recipients = (count = 12) =>
  names.slice(0, count).map((name) => `${name} (${phoneOf(name)})`);
const none = {
  ...{ done: 0, 'already-done': 0, duplicate: 0, failed: 0, 'opted-out': 0, unknown: 0 },
  ...{ 'not-run': 0, waiting: 0 },
};
const example = { from: '+14155550100', to: phoneOf('P01'), body: 'Dear P01' };

test('the preview of a batch lists the recipients and the first message, and sends nothing', async () => {
  expect(await openPreview()).toEqual({
    ...{ key: expect.any(String), state: 'preview', counts: { ...none, waiting: 12 } },
    ...{ waiting: recipients(10), example, problems: [], done: [] },
    cost: { segments: 12, recipients: 12, senders: ['+14155550100'] },
  });
  expect(sent()).toEqual([]);
});

test('a batch sends once to each row, even if it is started several times', async () => {
  const { key } = await openPreview();
  await Promise.all(names.map(() => call('start', { key })));
  const ended = await end({ key } as BatchView);
  expect(ended).toEqual({
    ...{ key, state: 'ended', counts: { ...none, done: 12 } },
    ...{ waiting: [], example: {}, problems: [], done: recipients() },
  });
  expect(await call('start', { key })).toEqual(ended);
  expect(sent()).toEqual(expected());
  expect(logged).toEqual([]);
});

/** Advances the clock past the time of a double click. */
function waitLong() {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 2_500);
}

test('only one of two previews starts, and the other shows its result and a new preview', async () => {
  const tabs = [await openPreview(), await openPreview()];
  const begun = await Promise.all(tabs.map(({ key }) => call('start', { key })));
  const running = begun.filter(({ state }) => state !== 'preview');
  const [waiting] = begun.filter(({ state }) => state === 'preview');
  expect(running).toHaveLength(1);
  await end(running[0] as BatchView);
  expect(await call('see', { key: waiting?.key })).toMatchObject({
    state: 'preview',
    previous: { key: running[0]?.key, state: 'ended', counts: { ...none, done: 12 } },
  });
  expect(sent()).toEqual(expected());
  waitLong();
  await call('start', { key: waiting?.key });
  await end(waiting as BatchView);
  expect(sent()).toHaveLength(24);
});

test('a preview older than another batch of its button is shown again', async () => {
  const [first, second] = [await openPreview(3), await openPreview(3)];
  await call('start', first);
  await end(first);
  expect(await call('start', second)).toMatchObject({
    state: 'preview',
    previous: { key: first.key },
  });
  expect(sent()).toEqual(expected(3));
  expect((await openPreview(3)).previous?.key).toBe(first.key);
});

test('a button stays the same with other rows, but not with another text or user', async () => {
  const first = await openPreview(3);
  await call('start', first);
  await end(first);
  expect((await openPreview(2)).previous?.key).toBe(first.key);
  const body = ['Good bye'];
  expect((await openPreview(3, 1, { input: { ...sms, body } })).previous).toBeUndefined();
  expect((await openPreview(3, 2)).previous).toBeUndefined();
});

/** Starts a batch whose first requests wait at a gate. */
async function beginBeforeGate() {
  const gate = await gateTo(sandbox.url);
  place.baseUrl = gate.url;
  const { key } = await openPreview();
  expect(await call('start', { key })).toMatchObject({ state: 'running' });
  await gate.holds(1);
  return { gate, key };
}

test('a stopped batch reports the rows not run', async () => {
  const { gate, key } = await beginBeforeGate();
  await call('stop', { key });
  await gate.open();
  const { state, counts, done } = await end({ key } as BatchView);
  expect(state).toBe('ended');
  expect(counts.done + counts['not-run']).toBe(12);
  expect(counts['not-run']).toBeGreaterThan(0);
  expect(sent()).toHaveLength(done.length);
});

test('a batch can be deleted after it has ended, and its button then starts over', async () => {
  const { gate, key } = await beginBeforeGate();
  await expect(call('remove', { key })).rejects.toMatchObject({
    ...{ code: 'input', message: 'Stop this batch before you delete it.' },
  });
  await call('stop', { key });
  await gate.open();
  const { done } = await end({ key } as BatchView);
  expect((await openPreview()).counts).toMatchObject({ 'already-done': done.length });
  await expect(call('remove', { key }, 2)).rejects.toMatchObject({ code: 'not-found' });
  expect(await call('remove', { key }, 1, 'guest')).toEqual({});
  await expect(call('see', { key })).rejects.toMatchObject({ code: 'not-found' });
  const next = await openPreview();
  expect(next).toMatchObject({ isPreviousDeleted: true, counts: { ...none, waiting: 12 } });
  expect(next.previous).toBeUndefined();
});

test('an unexpected error at the start ends the batch and is logged', async () => {
  const { key } = await openPreview(3);
  place.fault = new TypeError('An unexpected error.');
  await call('start', { key });
  const { state, counts } = await end({ key } as BatchView);
  expect({ state, done: counts.done, waiting: counts.waiting }).toEqual({
    ...{ state: 'ended', done: 0, waiting: 0 },
  });
  await until(() => logged.length > 0);
  expect(logged).toEqual([expect.stringContaining('An unexpected error.')]);
  expect(sent()).toEqual([]);
});

test('a batch with wrong settings reports them as the problem', async () => {
  const { key } = await openPreview(3);
  place.fault = new TelephonyError('settings', 'The password is missing.');
  await call('start', { key });
  const { problems } = await end({ key } as BatchView);
  expect(problems.map(({ message }) => message)).toContain('The password is missing.');
  expect(sent()).toEqual([]);
});

const over = {
  code: 'not-found',
  message: 'This batch has ended or belongs to someone else. Preview it again.',
};

test('only the user who started a batch can see, start or stop it', async () => {
  const { key } = await openPreview(3);
  for (const what of ['see', 'start', 'stop', 'remove'])
    for (const [named, user] of [
      [key, 2],
      ['another', 1],
      [{ $ne: '' }, 1],
      [undefined, 1],
    ] as const)
      await expect(call(what, { key: named }, user)).rejects.toMatchObject(over);
  expect(await call('see', { key })).toMatchObject({ state: 'preview' });
  expect(sent()).toEqual([]);
});

test('a role without the right can neither preview nor start a batch, but sees its earlier ones', async () => {
  const { key } = await openPreview(3);
  const forbidden = { message: 'Your role may not use “Send SMS”.' };
  const rows = keys.slice(0, 3);
  await expect(call('preview', { ...request, rows }, 1, 'guest')).rejects.toMatchObject(forbidden);
  await expect(call('start', { key }, 1, 'guest')).rejects.toMatchObject(forbidden);
  expect(await call('see', { key }, 1, 'guest')).toMatchObject({ state: 'preview' });
  expect(sent()).toEqual([]);
});

test('a role that may only use buttons since the preview does not start it', async () => {
  const { key } = await openPreview(3);
  Object.assign(account, { roles: {}, buttonRoles: { 'send-sms': ['clerk'] } });
  const changed = 'Your permissions have changed. Press the button again. Nothing was sent.';
  await expect(call('start', { key })).rejects.toMatchObject({ status: 403, message: changed });
  expect(sent()).toEqual([]);
});

test.each<[string, object, string]>([
  ['a list instead of an action', { action: 'view-a-call' }, '"View a Call" is not an action.'],
  ['rows without keys', { rows: 'all' }, 'No row is selected.'],
  ['a collection that is not a text', { collection: ['people'] }, 'There is no collection “”.'],
])('the preview refuses %s', async (_, wrong, message) => {
  await expect(openPreview(3, 1, wrong)).rejects.toMatchObject({
    ...{ code: 'input', message: expect.stringContaining(message) },
  });
});
