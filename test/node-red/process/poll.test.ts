import { inEnglish } from '../../../src/builder.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { pollClock } from '../../support/poll-clock.ts';
import { until } from '../../support/until.ts';
import { accountNode, type Host, type Loose, type Node, startNodeRed } from '../host.ts';
import { nodeOf } from '../node-of.ts';

const [customer, ours] = ['+12025550143', '+14155550100'];

let host: Host;
let got: Record<string, Loose[]>;

const pass = pollClock();

beforeAll(async () => {
  host = await startNodeRed();
});
let pause = 0;
beforeEach(async () => {
  await deploy(account({ pollMinutes: '' }));
  host.sandbox.reset();
  // Each test has its own hour, so that earlier records are old.
  pause += 1;
  host.sandbox.pass(pause * 7_200);
  host.sandbox.requests.length = 0;
  host.takeWarnings();
  host.takeStatuses();
});

const account = (overrides: object = {}) =>
  accountNode(host.sandbox, { pollMinutes: '1', publicAddress: '', ...overrides });
const variable = (name: string) => `\${${name}}`;
/** The output of a subflow, from its event node. */
const port = { x: 0, y: 0, wires: [{ id: 'sms-received', port: 0 }] };
const sink = (id: string) => ({ id, type: 'debug', active: false });
const node = (id: string, properties: object = {}): Node => ({
  ...{ id, ...nodeOf(id), account: 'account', wires: [[`got-${id}`]], ...properties },
});

/** Deploys nodes, with a sink after each event node and a Catch node. */
async function deploy(...nodes: Node[]) {
  await host.deploy([
    ...nodes,
    ...nodes.filter(({ type }) => type !== 'telephony-account').map(({ id }) => sink(`got-${id}`)),
    { id: 'errors', type: 'catch', wires: [['got-errors']] },
    sink('got-errors'),
  ]);
  got = {};
  for (const id of [...nodes.map((one) => one.id), 'errors']) {
    const messages: Loose[] = [];
    got[id] = messages;
    host.node(`got-${id}`)?.on('input', (message: Loose) => messages.push(message));
  }
}

type Status = ReturnType<Host['takeStatuses']>[number];

/** Waits until each node shows the outcome of a poll. Resolves to the first node's first status. */
async function polled(...ids: string[]) {
  const waited = new Set(ids.length > 0 ? ids : ['sms-received']);
  const isOf = ([id, text = 'waiting']: Status) =>
    waited.has(id) && /last poll|^[a-z ]+$/.test(text) && text !== 'waiting';
  const shown = new Map<string, Status>();
  await until(() => {
    for (const status of host.takeStatuses().filter(isOf))
      if (!shown.has(status[0])) shown.set(status[0], status);
    return shown.size === waited.size;
  });
  const [, text, fill] = shown.get([...waited][0] ?? '') ?? [];
  return [text, fill];
}

async function poll() {
  pass(60_000);
  return polled();
}

const comesIn = (body = 'Hello') =>
  host.sandbox.receiveMessage({ from: customer, to: ours, body }).sid;
const sids = (id: string) => got[id]?.map(({ payload }) => payload.sid);
const lists = () =>
  host.sandbox.requests.splice(0).map(({ path }) => path.replace(/.*\/(\w+)\.json.*/, '$1'));

test('polls every minute for subscribed events and delivers each once', async () => {
  await deploy(account(), node('sms-received'), node('message-status'));
  expect(await polled()).toEqual([
    expect.stringMatching(/^last poll: \w{3} \d+, \d\d:\d\d$/),
    'green',
  ]);
  const sid = comesIn('Are you open?');
  expect(lists()).toEqual(['Messages']);
  expect(await poll()).toEqual([expect.stringMatching(/^1 received, last poll: /), 'green']);
  await poll();
  expect(lists()).toEqual(['Messages', 'Messages']);
  const [message, ...others] = got['sms-received'] ?? [];
  expect(others).toEqual([]);
  expect(message).toMatchObject({
    payload: { sid, body: 'Are you open?', status: 'received', direction: 'inbound' },
    event: { id: 'sms-received' },
  });
  expect(got['message-status']).toEqual([]);
});

test('a deploy polls at once and neither loses nor repeats an event', async () => {
  await deploy(account(), node('sms-received'));
  await polled();
  const received = [comesIn()];
  await poll();
  expect(sids('sms-received')).toEqual(received);
  const then = comesIn();
  await deploy(account(), node('sms-received'), node('call-status'));
  await polled();
  expect(sids('sms-received')).toEqual([then]);
  expect(host.read('telephony-store-account.jsonl')).toContain(then);
});

test('delivers each event once while flows are deployed again and again', async () => {
  await deploy(account(), node('sms-received'));
  await polled();
  const [sent, received]: [string[], string[]] = [[], []];
  for (let round = 0; round < 10; round += 1) {
    for (let count = 0; count < 20; count += 1) sent.push(comesIn());
    pass(60_000);
    for (let turn = 0; turn < 20 * round; turn += 1) await new Promise(setImmediate);
    const before = got['sms-received'] ?? [];
    await deploy(account(), node('sms-received'));
    received.push(...before.map(({ payload }) => payload.sid));
  }
  await polled();
  await poll();
  received.push(...(sids('sms-received') ?? []));
  expect(received.sort()).toEqual(sent.sort());
  expect(host.takeWarnings()).toEqual([]);
});

test('stops requests when polling is turned off and resets the cursor when it is turned on', async () => {
  await deploy(account(), node('sms-received'));
  await polled();
  await deploy(account({ pollMinutes: '', publicAddress: host.url }), node('sms-received'));
  const missed = comesIn();
  lists();
  pass(600_000);
  host.sandbox.pass(600);
  await deploy(account(), node('sms-received'));
  await polled();
  expect(lists()).toEqual(['Messages']);
  expect(sids('sms-received')).not.toContain(missed);
});

test('reports a failing service once to Catch nodes and loses no event', async () => {
  await deploy(account(), node('sms-received'));
  await polled();
  host.sandbox.faults.add({ name: 'missing', path: 'Messages', times: 2 });
  const sid = comesIn();
  expect(await poll()).toEqual(['not found', 'red']);
  expect(await poll()).toEqual(['not found', 'red']);
  expect(got.errors?.map(({ event, error }) => [event, error.source.id])).toEqual([
    [{ id: 'sms-received' }, 'sms-received'],
  ]);
  const report = await fetch(`${host.url}/telephony/event-report/account`);
  const { polling } = (await report.json()) as Loose;
  expect([polling.every, inEnglish(polling.problem)]).toEqual([
    60_000,
    got.errors?.[0].error.message,
  ]);
  expect(await poll()).toEqual([expect.stringMatching(/^1 received, last poll: /), 'green']);
  expect(sids('sms-received')).toEqual([sid]);
});

test('delivers an event once if it arrives both by webhook and by polling', async () => {
  const { username, password } = host.sandbox;
  await deploy(
    account({ publicAddress: host.url, username, credentials: { password, authToken: '' } }),
    node('sms-received'),
  );
  await polled();
  const url = `${host.url}/telephony/events/account`;
  host.sandbox.events.numbers.set(ours, { smsUrl: url });
  const sid = comesIn();
  await host.sandbox.events.settled();
  await poll();
  expect(host.sandbox.events.log.map(({ tries }) => tries)).toEqual([[200]]);
  expect(sids('sms-received')).toEqual([sid]);
});

test('a reply to a polled event is sent as an SMS to its sender, once, and previews know it', async () => {
  const text = 'We call you back.';
  const reply = node('reply', { inputText: text, typeOfText: 'str' });
  const each = node('send-sms-for-each-row', {
    ...{ inputFrom: ours, inputTo: 'payload.phone', typeOfTo: 'msg', inputBody: text },
  });
  await deploy(account(), node('sms-received', { replies: true, wires: [['reply']] }), reply, each);
  await polled();
  comesIn();
  const sent = () =>
    host.sandbox.messages
      .filter(({ body }) => body === text)
      .map(({ from, to, direction }) => ({ from, to, direction }));
  await poll();
  await poll();
  expect([got.errors, host.takeWarnings(), sent()]).toEqual([
    [],
    [],
    [{ from: ours, to: customer, direction: 'outbound-api' }],
  ]);
  host.node('send-sms-for-each-row')?.receive({ payload: [{ id: 1, phone: customer }] });
  await until(() => got['send-sms-for-each-row']?.length === 1);
  expect(got['send-sms-for-each-row']?.[0]?.payload).toMatchObject({
    rows: [{ who: customer, outcome: 'skipped', repeated: true }],
  });
});

test('polled events without a reply do not wait for each other', async () => {
  await deploy(account(), node('sms-received', { replies: true }));
  await polled();
  const received = [comesIn(), comesIn()];
  pass(60_000);
  await until(() => sids('sms-received')?.length === received.length);
  expect(sids('sms-received')).toEqual(received);
  pass(10_000);
  await polled();
});

test('in a subflow, each instance receives the events of its own account only', async () => {
  const other = await openSandbox({ now: new Date('2026-11-20T12:00:00Z') });
  const env = (value: string) => [{ name: 'SUB_URL', value, type: 'str' }];
  const inner = { z: 'sub', x: 0, y: 0 };
  const place = (use: string) => ({ id: `got-${use}`, type: 'debug', active: false });
  await host.deploy([
    { ...{ id: 'sub', type: 'subflow', name: 'Sub', z: '', env: [], in: [] }, out: [port] },
    account({ ...inner, baseUrl: variable('SUB_URL') }),
    { ...node('sms-received', inner), wires: [] },
    ...[
      ['one', host.sandbox.url],
      ['two', other.url],
    ].flatMap(([use = '', url = '']) => [
      { id: use, type: 'subflow:sub', env: env(url), wires: [[`got-${use}`]] },
      place(use),
    ]),
  ]);
  const received: string[] = [];
  for (const use of ['one', 'two'])
    host
      .node(`got-${use}`)
      .on('input', ({ payload }: Loose) => received.push(`${use} ${payload.sid}`));
  await polled('one-sms-received', 'two-sms-received');
  const sids = [comesIn(), other.receiveMessage({ from: customer, to: ours, body: 'Hi' }).sid];
  pass(60_000);
  await polled('one-sms-received', 'two-sms-received');
  await until(() => received.length > 1);
  expect(received.sort()).toEqual([`one ${sids[0]}`, `two ${sids[1]}`]);
  const report = await (await fetch(`${host.url}/telephony/event-report/account`)).json();
  expect(report).toMatchObject({ polling: { every: 60_000, at: expect.any(String) } });
});

test.each(['often', '-1', '0.05', '1441'])(
  'refuses a poll interval of %j minutes and sends no request',
  async (pollMinutes) => {
    await deploy(account({ pollMinutes }), node('sms-received'));
    expect(await polled()).toEqual(['check the settings', 'red']);
    expect(host.takeWarnings()).toEqual([
      '“Poll every” must be from 0.1 to 1,440 minutes. Leave it empty to turn polling off.',
    ]);
    pass(600_000);
    expect(lists()).toEqual([]);
  },
);

test('does not poll without credentials and shows an error on the node', async () => {
  await deploy(account({ username: '' }), node('sms-received'));
  expect(await polled()).toEqual(['check the settings', 'red']);
  expect(lists()).toEqual([]);
});
