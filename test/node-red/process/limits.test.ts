import { inEnglish } from '../../../src/builder.ts';
import { gateIn } from '../../support/gate.ts';
import { proxyTo } from '../../support/reverse-proxy.ts';
import { until } from '../../support/until.ts';
import { accountNode, type Host, type Loose, type Node, runNode, startNodeRed } from '../host.ts';
import { nodeOf } from '../node-of.ts';

let host: Host;
let proxy: Awaited<ReturnType<typeof proxyTo>>;
beforeAll(async () => {
  host = await startNodeRed(undefined, {}, () => new Date());
  proxy = await proxyTo(host.sandbox.url);
});
beforeEach(() => {
  host.sandbox.messages.length = 0;
  process.env.TELEPHONY_TEST_LIMIT = '3';
});
afterAll(() => delete process.env.TELEPHONY_TEST_LIMIT);

const sms = (to: string): Node => ({
  ...{ id: 'sms', type: 'telephony-send-sms', inputFrom: '+14155550100' },
  ...{ inputTo: to, inputBody: 'Hello' },
});

/** Each has its own store. */
let accounts = 0;
const freshId = () => {
  accounts += 1;
  return `account-${accounts}`;
};

const send = async (limits: object, to = '+12025550199', id = 'account') => {
  const { caught } = await runNode(
    host,
    { ...sms(to), account: id },
    accountNode(host.sandbox, { id, ...limits }),
  );
  return caught[0]?.error.message.replace(/^"Send SMS" \(.*?\): /, '');
};

const usageOf = async (id: string) => (await fetch(`${host.url}/telephony/usage/${id}`)).json();

it('limits what an account sends, also after a deploy, and counts it for the dialog', async () => {
  const id = freshId();
  const limits = { perRecipientPerHour: '2', countries: 'us' };
  const said = [];
  for (const to of ['+12025550199', '+12025550199', '+12025550199', '+442079460000'])
    said.push(await send(limits, to, id));
  expect(said).toEqual([
    undefined,
    undefined,
    expect.stringMatching(
      /^The limit "Messages per recipient" \(2 an hour\) is reached\. Nothing was sent\..*in the account node\.$/,
    ),
    expect.stringMatching(/^"To" is \+442079460000, a number of GB\./),
  ]);
  expect(host.sandbox.messages).toHaveLength(2);
  expect(await usageOf(id)).toEqual({
    usage: {
      messages: { lastHour: 2, lastDay: 2 },
      calls: { lastHour: 0 },
      reached: [{ limit: 'perRecipientPerHour', most: 2, until: expect.stringMatching(/Z$/) }],
    },
  });
  expect(host.read(`telephony-store-${id}.jsonl`)).toContain('"kind":"usage"');
});

it('limits a flow of an earlier version by the defaults', async () => {
  const id = freshId();
  await host.deploy([
    accountNode(host.sandbox, { id }),
    { ...sms('+12025550198'), account: id, wires: [] },
    { id: 'errors', type: 'catch', wires: [['caught']] },
    { id: 'caught', type: 'debug', active: false },
  ]);
  const caught: Loose[] = [];
  host.node('caught').on('input', (message: Loose) => caught.push(message));
  for (let count = 0; count < 61; count += 1) host.node('sms').receive({});
  await until(() => caught.length > 0 && host.sandbox.messages.length === 60);
  expect(caught.map(({ error }) => [error.code, error.message])).toEqual([
    [
      'limit-reached',
      expect.stringContaining('The limit "Messages per recipient" (60 an hour) is'),
    ],
  ]);
});

const variable = (name: string) => `\${${name}}`;

it.each<[limits: object, message: string | undefined]>([
  [{ stopped: true }, '"Stop sending" is on. Nothing was sent.'],
  [{ stopped: 'true' }, '"Stop sending" in the account node must be true or false.'],
  [{ stopped: false }, undefined],
  [{ stopped: '' }, undefined],
  [{ perHour: 'many' }, '"Messages per hour" in the account node must be a whole number from 1.'],
  [{ perHour: variable('TELEPHONY_NONE') }, '"Messages per hour" is the variable TELEPHONY_NONE'],
  [{ perHour: variable('TELEPHONY_TEST_LIMIT') }, undefined],
])('%j: %s', async (limits, message) => {
  const said = await send(limits, undefined, freshId());
  expect(said).toEqual(message && expect.stringContaining(message));
  expect(host.sandbox.messages).toHaveLength(message ? 0 : 1);
});

it('tests limits with the connection', async () => {
  await host.deploy([accountNode(host.sandbox)]);
  const { username, url: baseUrl } = host.sandbox;
  const body = JSON.stringify({ username, baseUrl, password: '__PWRD__', quietHours: 'at night' });
  const headers = { 'Content-Type': 'application/json' };
  const path = `${host.url}/telephony/test-connection/account`;
  const response = await fetch(path, { method: 'POST', headers, body });
  const { outcome, said } = (await response.json()) as Loose;
  expect(outcome).toBe('wrong-settings');
  expect(inEnglish(said)).toContain('"Quiet hours" in the account node must be');
});

it('says nothing about an account that is not deployed or lacks its password', async () => {
  await host.deploy([accountNode(host.sandbox, { id: 'fresh', credentials: {} })]);
  expect([await usageOf('fresh'), await usageOf('nothing')]).toEqual([{}, {}]);
});

const rows = Array.from({ length: 40 }, (_, id) => ({ id, phone: `+120255502${10 + id}` }));

const batchFlow = (id: string, limits: object): Node[] => [
  accountNode(host.sandbox, { id, baseUrl: proxy.url, ...limits }),
  {
    ...{ id: 'each', ...nodeOf('send-sms-for-each-row'), account: id, rowKey: 'id' },
    ...{ inputFrom: '+14155550100', inputBody: 'Hello' },
    ...{ inputTo: 'payload.phone', typeOfTo: 'msg', wires: [['preview'], [], ['result']] },
  },
  ...['preview', 'result'].map((one) => ({ id: one, type: 'debug', active: false })),
];

const nextOf = (id: string) =>
  new Promise<Loose>((resolve) => host.node(id).once('input', resolve));

async function preview() {
  const previewed = nextOf('preview');
  host.node('each').receive({ payload: rows });
  return previewed;
}

it('ends a batch at a limit; its other rows are not run', async () => {
  await host.deploy(batchFlow(freshId(), { perHour: '15' }));
  const { batch } = await preview();
  const ended = nextOf('result');
  host.node('each').receive({ start: true, batch });
  const { payload } = await ended;
  expect(payload.counts).toEqual({ sent: 15, 'not run': 25 });
  expect(payload.text).toContain('The limit "Messages per hour" (15) is reached');
  expect(host.sandbox.messages).toHaveLength(15);
});

it.each(['full', 'nodes'] as const)(
  '“Stop sending” ends a running batch with a deploy; its other rows are not run: %s',
  async (type) => {
    const id = freshId();
    await host.deploy(batchFlow(id, {}));
    const { batch } = await preview();
    host.takeWarnings();
    let posts = 0;
    const gate = gateIn(proxy, (path) => path.endsWith('/Messages.json') && ++posts > 5);
    host.node('each').receive({ start: true, batch });
    await gate.holds(1);
    const closing = host.closing();
    const deployed = host.deploy(batchFlow(id, { stopped: true }), type);
    await closing;
    await gate.open();
    await deployed;
    expect(host.takeWarnings().join()).toMatch(/not run.*“Stop sending” is on\./s);
    const { batch: left } = await preview();
    const sent = host.sandbox.messages.length;
    expect(sent).toBeGreaterThanOrEqual(5);
    expect(sent).toBeLessThan(rows.length);
    const ended = nextOf('result');
    host.node('each').receive({ start: true, batch: left });
    const { payload } = await ended;
    expect(payload.counts['not run']).toBe(rows.length - sent);
    expect(payload.text).toContain('"Stop sending" is on');
    expect(host.sandbox.messages).toHaveLength(sent);
  },
);
