import type { Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import { actionHandlers, type Done } from '../../../plugin/nocobase/server/action/action.ts';
import type { Application, Context } from '../../../plugin/nocobase/server/nocobase.ts';
import { registerChannels } from '../../../plugin/nocobase/server/notification/channels.ts';
import { nocobaseStore } from '../../../plugin/nocobase/server/store.ts';
import { clicks, TelephonyError } from '../../../src/builder.ts';
import { noteReport } from '../../../src/limits/opt-outs.ts';
import { connectionOf } from '../../../src/wire/connection.ts';
import { gateTo } from '../../support/gate.ts';
import { until } from '../../support/until.ts';
import { names, openBatches, phoneOf, button as request } from '../open-batches.ts';

// Batches over rows of NocoBase's database. Tests in its server cover its pages and the user's rights.

type Opened = Awaited<ReturnType<typeof openBatches>>;
let { app, sandbox, account, place, keys, logged, call, csv, end, reset } = {} as Opened;

beforeAll(async () => {
  ({ app, sandbox, account, place, keys, logged, call, csv, end, reset } = await openBatches());
});
beforeEach(() => reset());
afterEach(() => jest.restoreAllMocks());

const openPreview = (count = 12, user = 1, more: object = {}) =>
  call('preview', { ...request, rows: keys.slice(0, count), ...more }, user);

const sent = () => sandbox.messages.map(({ to, body }) => `${to} ${body}`).sort();
const expected = (count = 12) =>
  names.slice(0, count).map((name) => `${phoneOf(name)} Dear ${name}`);
const recipients = (count = 12) =>
  names.slice(0, count).map((name) => `${name} (${phoneOf(name)})`);
const none = {
  ...{
    done: 0,
    scheduled: 0,
    'already-done': 0,
    duplicate: 0,
    failed: 0,
    'opted-out': 0,
    unknown: 0,
  },
  ...{ 'not-run': 0, waiting: 0 },
};
const example = { from: '+14155550100', to: phoneOf('P01'), body: 'Dear P01' };

const unreachable =
  "The recipient's phone was unreachable. It may be switched off, out of range or abroad. Try again later.".toUpperCase();

test('the preview of a batch lists the recipients and the first message, and sends nothing', async () => {
  expect(await openPreview()).toEqual({
    ...{ key: expect.any(String), state: 'preview', counts: { ...none, waiting: 12 } },
    ...{ waiting: recipients(10), example, problems: [], done: [] },
    cost: { segments: 12, recipients: 12, senders: ['+14155550100'], countries: { US: 12 } },
    limits: { exceeded: [], used: [] },
  });
  expect(sent()).toEqual([]);
});

test('a batch sends once to each row, even if it is started several times', async () => {
  const { key } = await openPreview();
  await Promise.all(names.map(() => call('start', { key })));
  const ended = await end({ key });
  expect(ended).toEqual({
    ...{ key, state: 'ended', counts: { ...none, done: 12 } },
    ...{ waiting: [], example: {}, problems: [], done: recipients() },
  });
  expect(await call('start', { key })).toEqual(ended);
  expect(sent()).toEqual(expected());
  expect(logged).toEqual([]);
});

test('a button stays the same with other rows, but not with another text or user', async () => {
  const first = await openPreview(3);
  await call('start', first);
  await end(first);
  expect((await openPreview(2)).previous?.key).toBe(first.key);
  const body = ['Good bye'];
  expect((await openPreview(3, 1, { input: { ...request.input, body } })).previous).toBeUndefined();
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
  const { state, counts, done } = await end({ key });
  expect(state).toBe('ended');
  expect(counts.done + counts['not-run']).toBe(12);
  expect(counts['not-run']).toBeGreaterThan(0);
  expect(sent()).toHaveLength(done.length);
});

test('rows that got another text can be skipped or included', async () => {
  await end(await call('start', { key: (await openPreview()).key }));
  const input = { ...request.input, body: ['Hi'] };
  const corrected = await openPreview(12, 1, { input });
  expect(corrected).toMatchObject({
    counts: { ...none, waiting: 12 },
    changed: { count: 12, isSkipped: false },
  });
  const skipping = await call('choose', { key: corrected.key, skipsChanged: true });
  expect(skipping).toMatchObject({
    counts: { ...none, 'already-done': 12 },
    changed: { count: 12, isSkipped: true },
  });
  expect(skipping.key).not.toBe(corrected.key);
  expect(await call('see', { key: corrected.key })).toEqual(corrected);
  await call('start', { key: skipping.key });
  expect(sent()).toEqual(expected());
});

test('rows that a button texted today are skipped if it was the same, and can be skipped or included', async () => {
  const accounts = { get: async () => account } as unknown as Accounts;
  const buttons = actionHandlers(app, accounts, clicks<Done>(nocobaseStore(app)));
  for (const [name, body] of [
    ['P01', 'Dear P01'],
    ['P02', 'Your ring was found.'],
  ] as const)
    await buttons['send-sms']?.(
      {
        action: { params: { values: { input: { to: phoneOf(name), body } } } },
        ...{ state: { currentRoles: ['clerk'] }, auth: { user: { id: 2 } } },
        t: (text: string) => text,
      } as unknown as Context,
      async () => {},
    );
  const usual = await openPreview(3);
  expect(usual).toMatchObject({
    counts: { ...none, waiting: 2, 'already-done': 1 },
    ...{ repeated: { count: 1, isSkipped: true }, sentSingly: { count: 1, isSkipped: false } },
  });
  expect(await call('choose', { key: usual.key, skipsSentSingly: true })).toMatchObject({
    counts: { ...none, waiting: 1, 'already-done': 2 },
    ...{ repeated: { count: 1, isSkipped: true }, sentSingly: { count: 1, isSkipped: true } },
  });
  expect(await call('choose', { key: usual.key, skipsSent: false })).toMatchObject({
    counts: { ...none, waiting: 3 },
    ...{ repeated: { count: 1, isSkipped: false }, sentSingly: { count: 1, isSkipped: false } },
  });
});

/** Sends a text as NocoBase's notification manager does, to the channel of an account. */
async function notify(to: string[], content: string): Promise<void> {
  type Channel = { send(notification: object): Promise<{ status: string }> };
  const channels = new Map<string, new (app: object) => Channel>();
  const registerChannelType = (one: { type: string; Channel: new (app: object) => Channel }) =>
    channels.set(one.type, one.Channel);
  const pm = { get: () => ({ registerChannelType }) };
  registerChannels(
    { ...app, pm } as unknown as Application,
    {
      get: async () => account,
    } as unknown as Accounts,
  );
  const Sms = channels.get('telephony-send-sms');
  const channel = { options: { account: 'a' } };
  const done = await (Sms && new Sms(app).send({ channel, message: { input: { to }, content } }));
  expect(done).toMatchObject({ status: 'success' });
}

test('rows that a notification texted today are skipped if it was the same', async () => {
  await notify([phoneOf('P01')], 'Dear P01');
  await notify([phoneOf('P02'), '+12025550199'], 'Your ring was found.');
  expect(await openPreview(3)).toMatchObject({
    counts: { ...none, waiting: 2, 'already-done': 1 },
    ...{ repeated: { count: 1, isSkipped: true }, sentSingly: { count: 1, isSkipped: false } },
  });
});

test('what was not delivered is named with the reason, and sent again', async () => {
  const first = await openPreview(3);
  await call('start', first);
  const { deliveries } = await end(first);
  expect(deliveries).toBeUndefined();
  const [one, two, three] = [...sandbox.messages].sort((a, b) => (a.to < b.to ? -1 : 1));
  Object.assign(one ?? {}, { status: 'delivered' });
  Object.assign(two ?? {}, { status: 'undelivered', error_code: 30003 });
  Object.assign(three ?? {}, { status: 'sent' });
  const checked = await call('check', first);
  const counts = { delivered: 1, undelivered: 1, open: 1 };
  expect(checked).toMatchObject({
    ...{ counts: { ...none, done: 3 }, undelivered: 1 },
    deliveries: {
      ...{ ...counts, checkedAt: expect.any(String) },
      problems: [{ outcome: 'failed', who: [recipients()[1]], message: unreachable }],
    },
  });
  expect((await csv(first)).split('\r\n').slice(1, 4)).toEqual([
    expect.stringContaining(',DELIVERED,,SM'),
    expect.stringContaining(`,UNDELIVERED,"${unreachable}",SM`),
    expect.stringContaining(',SENT,,SM'),
  ]);
  const retry = await openPreview(3);
  expect(retry).toMatchObject({
    ...{ counts: { ...none, waiting: 1, 'already-done': 2 }, waiting: [recipients()[1]] },
    repeated: { count: 2, isSkipped: true },
  });
  await call('start', retry);
  expect((await end(retry)).counts).toMatchObject({ done: 1 });
  expect(sent()).toEqual([...expected(3), expected(3)[1]].sort());
  Object.assign(three ?? {}, { status: 'failed', error_code: 30003 });
  expect(await call('check', first)).toMatchObject({
    deliveries: { ...counts, undelivered: 2, open: 0 },
  });
  expect(await openPreview(3)).toMatchObject({ waiting: [recipients()[2]] });
  await expect(call('check', first, 2)).rejects.toMatchObject({ code: 'not-found' });
});

test.each([
  [{ locale: 'de-DE', timeZone: 'Europe/Berlin' }, 'Due 28.11.2026, 10:00'],
  [{ locale: 'en-US', timeZone: 'Asia/Shanghai' }, 'Due Nov 28, 2026, 5:00 PM'],
])('writes a date as the user with %p reads it', async (reader, body) => {
  const input = { ...request.input, body: ['Due ', { column: 'due' }] };
  expect((await openPreview(1, 1, { input, reader })).example).toEqual({ ...example, body });
});

test('the preview names rows with the same number', async () => {
  const two = [{ column: 'name' }, '!'];
  const input = { to: [phoneOf('P01')], body: two };
  expect(await openPreview(3, 1, { input })).toMatchObject({
    sharedNumbers: { count: 1, rows: [{ who: names.slice(0, 3) }] },
  });
  expect((await openPreview(3)).sharedNumbers).toBeUndefined();
});

test.each([
  {},
  { skipsChanged: 'false' },
  { skipsSent: 0 },
  { skipsSent: null, skipsChanged: true },
])('a choice needs true or false, not %p', async (choice) => {
  const { key } = await openPreview();
  await expect(call('choose', { key, ...choice })).rejects.toMatchObject({ code: 'input' });
});

test('all rows of a batch can be listed in pages, by the user who created it', async () => {
  const list = call as unknown as (what: string, values: object, user?: number) => Promise<object>;
  const { key } = await openPreview(2);
  const row = (index: number) => ({
    ...{ who: recipients()[index], recipient: phoneOf(String(names[index])) },
    ...{ outcome: 'WAITING', reason: '', sid: '' },
  });
  expect(await list('list', { key, page: 1 })).toEqual({
    ...{ shown: [row(0), row(1)], outcomes: [['waiting', 2]] },
    ...{ outcome: '', count: 2, page: 1 },
  });
  await expect(list('list', { key }, 2)).rejects.toMatchObject({ code: 'not-found' });
});

test('the result can be downloaded as CSV, by the user who created the batch', async () => {
  const batch = await openPreview(2);
  await end(await call('start', batch));
  const lines = recipients(2).map((who, index) => {
    const to = phoneOf(String(names[index]));
    return `${who},'${to},SENT,,${sandbox.messages.find((one) => one.to === to)?.sid}`;
  });
  const header = 'ROW,RECIPIENT,OUTCOME,REASON,SID';
  expect((await csv(batch)).split('\r\n')).toEqual([header, ...lines, '']);
  await expect(csv(batch, 2)).rejects.toMatchObject({ code: 'not-found' });
});

test('a batch can be deleted after it has ended, and its button then starts over', async () => {
  const { gate, key } = await beginBeforeGate();
  await expect(call('remove', { key })).rejects.toMatchObject({
    ...{ code: 'input', message: 'Stop this batch before you delete it.' },
  });
  await call('stop', { key });
  await gate.open();
  const { done } = await end({ key });
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
  const { state, counts } = await end({ key });
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
  const { problems } = await end({ key });
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

test('the preview skips who opted out by name, and the batch sends to the others', async () => {
  const connection = connectionOf(account.telephony());
  if (!connection) throw new Error('The account is not connected.');
  const ends = { recipient: phoneOf('P02'), senders: [example.from] };
  await noteReport(connection, { ...ends, isOut: true }, 'stop');
  const { key, counts, problems } = await openPreview(3);
  expect(counts).toEqual({ ...none, 'opted-out': 1, waiting: 2 });
  expect(problems).toMatchObject([{ outcome: 'opted-out', who: recipients(2).slice(1) }]);
  await call('start', { key });
  expect((await end({ key })).counts).toEqual({ ...none, 'opted-out': 1, done: 2 });
  expect(sent()).toEqual([expected(3)[0], expected(3)[2]]);
  await noteReport(connection, { ...ends, isOut: false }, 'start');
});
