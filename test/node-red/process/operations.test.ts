import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, definitions, type Telephony } from '../../../src/builder.ts';
import { proxyTo } from '../../support/reverse-proxy.ts';
import { shownNowhere } from '../../support/shown-nowhere.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import {
  accountNode,
  artefact,
  type Host,
  type Loose,
  type Node,
  runNode,
  startNodeRed,
} from '../host.ts';
import { nodeOf } from '../node-of.ts';

let host: Host;
let telephony: Telephony;
beforeAll(async () => {
  host = await startNodeRed();
  const { username, password, url: baseUrl } = host.sandbox;
  telephony = connect({ username, password, baseUrl });
});
beforeEach(() => {
  takeRequests(host.sandbox);
  host.takeWarnings();
  host.sandbox.faults.clear();
});

const account = (overrides: object = {}) => accountNode(host.sandbox, overrides);
const node = (id: string, properties: object = {}): Node => ({
  id: 'node',
  ...nodeOf(id),
  ...properties,
});
const run = (id: string, properties: object = {}, message: object = {}) =>
  runNode(host, node(id, properties), account(), message);
const statuses = () =>
  host
    .takeStatuses()
    .filter(([id]) => id === 'node')
    .map(([, text]) => text);

const list = 'calls-by-caller-id';
/** What flows get: times are texts. */
const forFlow = (records: object): unknown => JSON.parse(JSON.stringify(records));

const sms = { inputFrom: '+14155550100', inputTo: '+12025550143', inputBody: 'Hello' };

test('a national number finds nothing and warns, and with a default country finds its calls', async () => {
  const from = '(202) 555-0143';
  const national = await run(list, { inputFrom: from });
  expect(national.sent[0]?.payload).toEqual([]);
  expect(host.takeWarnings()).toEqual([
    expect.stringContaining(`"From" is ${from}, which has no country code.`),
  ]);
  const american = account({ defaultCountry: 'us' });
  const found = await runNode(host, node(list, { inputFrom: from }), american);
  const whole = await telephony.run(list, { from: '+12025550143', pageSize: 1000 });
  expect(found.sent[0]?.payload).toHaveLength(whole.records.length);
  expect(whole.records).not.toHaveLength(0);
  expect(host.takeWarnings()).toEqual([]);
});

test('registers a node for the account, each action, rows, reading, each event and replies', async () => {
  const response = await fetch(`${host.url}/nodes`, { headers: { Accept: 'application/json' } });
  const sets = (await response.json()) as { module: string; types: string[]; err?: string }[];
  expect(sets.filter(({ module }) => module.includes('telephony'))).toEqual([
    expect.objectContaining({
      module: '@telephony-plugin/node-red',
      enabled: true,
      types: [
        'telephony-account',
        ...definitions.actions.map(({ id }) => `telephony-${id}`),
        ...['telephony-for-each-row', 'telephony-read'],
        ...definitions.events.map(({ id }) => `telephony-${id}`),
        'telephony-reply',
      ],
    }),
  ]);
});

test('puts a list into the payload and keeps the rest of the message', async () => {
  const message = { topic: 'kept', payload: 'replaced', req: { nested: true } };
  const { sent, caught } = await run(list, { inputStatus: 'busy' }, message);
  const { records } = await telephony.run(list, { status: 'busy' });
  expect(records.length).toBeGreaterThan(1);
  expect(sent).toEqual([
    { _msgid: 'm1', topic: 'kept', req: { nested: true }, payload: forFlow(records), more: false },
  ]);
  expect(caught).toEqual([]);
  expect(statuses()).toEqual(['requesting', `${records.length} records`]);
});

test('truncates a list at its limit, which msg.more and the status show', async () => {
  const { sent } = await run(list, { limit: '3' });
  const { records } = await telephony.run(list, {});
  expect(sent).toEqual([{ _msgid: 'm1', payload: forFlow(records.slice(0, 3)), more: true }]);
  expect(statuses()).toEqual(['requesting', '3 records, and more']);
});

test('puts a single record into the payload', async () => {
  const sid = host.sandbox.calls[0]?.sid ?? '';
  const { sent } = await run('view-a-call', { inputCallSid: sid });
  const record = await telephony.run('view-a-call', { callSid: sid });
  expect(sent).toEqual([{ _msgid: 'm1', payload: forFlow(record) }]);
  expect(statuses()).toEqual(['requesting', '1 record']);
});

test('puts the record of an action into the payload', async () => {
  const { sent } = await run('send-sms', sms, { topic: 'kept' });
  const [message] = host.sandbox.messages;
  expect(message).toMatchObject({ from: '+14155550100', to: '+12025550143', body: 'Hello' });
  expect(sent).toEqual([
    {
      _msgid: 'm1',
      topic: 'kept',
      payload: expect.objectContaining({ sid: message?.sid, to: '+12025550143' }),
    },
  ]);
  expect(statuses()).toEqual(['requesting', '1 sent']);
  expect(host.takeWarnings()).toEqual([]);
});

describe('page by page', () => {
  const paged = { output: 'pages', inputPageSize: '4', typeOfPageSize: 'num', limit: '10' };

  test('sends each page as a message with its position in msg.parts', async () => {
    const { sent } = await run(list, paged, { topic: 'kept', parts: { id: 'outer' } });
    const { records } = await telephony.run(list, {});
    const id = sent[0].parts.id;
    const part = { id, type: 'array', len: 4, parts: { id: 'outer' } };
    const kept = { _msgid: 'm1', topic: 'kept', more: true };
    expect(sent).toEqual([
      { ...kept, payload: forFlow(records.slice(0, 4)), parts: { ...part, index: 0 } },
      { ...kept, payload: forFlow(records.slice(4, 8)), parts: { ...part, index: 1 } },
      {
        ...kept,
        payload: forFlow(records.slice(8, 10)),
        parts: { ...part, len: 2, index: 2, count: 3 },
      },
    ]);
    expect(id).toEqual(expect.any(String));
    expect(statuses()).toEqual([
      'requesting',
      '4 records, and more',
      '8 records, and more',
      '10 records, and more',
    ]);
  });

  const joined: [size: string, limit: string, count: number][] = [
    ['4', '10', 10],
    ['1', '1', 1],
    ['1', '3', 3],
    ['20', '10', 10],
  ];
  test.each(joined)('a Join node joins pages of %s up to %s into a list of %i', async (...row) => {
    const [inputPageSize, limit, count] = row;
    await host.deploy([
      account(),
      { ...node(list, { ...paged, inputPageSize, limit }), account: 'account', wires: [['join']] },
      { id: 'join', type: 'join', mode: 'auto', build: 'array', wires: [['out']] },
      { id: 'out', type: 'debug', active: false },
    ]);
    const message = new Promise<{ payload: unknown }>((resolve) =>
      host.node('out').on('input', resolve),
    );
    host.node('node').receive({});
    const { records } = await telephony.run(list, {});
    expect((await message).payload).toEqual(forFlow(records.slice(0, count)));
  });

  test('sends one empty page for an empty list', async () => {
    const { sent } = await run(list, { ...paged, inputFrom: '+19995550199' });
    expect(sent).toEqual([
      {
        ...{ _msgid: 'm1', payload: [], more: false },
        parts: { id: expect.any(String), type: 'array', index: 0, len: 2, count: 1 },
      },
    ]);
    expect(statuses()).toEqual(['requesting', '0 records']);
  });
});

describe('the result', () => {
  test('of an action can go to another property and keeps the payload', async () => {
    const { sent } = await run('send-sms', { ...sms, property: 'sent.sms' }, { payload: 'kept' });
    expect(sent).toEqual([
      expect.objectContaining({
        payload: 'kept',
        sent: { sms: expect.objectContaining({ to: '+12025550143', body: 'Hello' }) },
      }),
    ]);
  });

  test('of a list can go to a property of the payload', async () => {
    const { sent } = await run(list, { property: 'payload.calls' }, { payload: { id: 1 } });
    expect(sent[0].payload).toEqual({ id: 1, calls: expect.any(Array) });
    expect(sent[0].payload.calls.length).toBeGreaterThan(1);
  });

  test.each(['more', 'parts', 'parts.calls'])(
    'of a list takes precedence over msg.more and msg.parts: %s',
    async (property) => {
      const { sent } = await run(list, { property, output: 'pages', limit: '3' });
      const { records } = await telephony.run(list, {});
      const result = property.split('.').reduce((place, key) => place[key], sent[0]);
      expect(result).toEqual(forFlow(records.slice(0, 3)));
    },
  );

  test.each(['', '  ', undefined])('goes to the payload for property %j', async (property) => {
    const { sent } = await run('send-sms', { ...sms, property });
    expect(sent[0].payload.to).toBe('+12025550143');
  });

  test.each(['payload.sent', 'a..b', '['])(
    'needs a property that can hold it, or nothing is sent: %s',
    async (property) => {
      const { caught } = await run('send-sms', { ...sms, property }, { payload: 'a text' });
      expect(caught).toEqual([
        expect.objectContaining({
          payload: 'a text',
          error: expect.objectContaining({
            code: 'input',
            message: `The result cannot be stored in msg.${property}. Choose another property in the node.`,
          }),
        }),
      ]);
      expect(takeRequests(host.sandbox)).toEqual([]);
    },
  );
});

/** The status text for each error code. */
const statusWords: Record<string, string> = {
  settings: 'check the settings',
  input: 'check the fields',
  unauthorised: 'wrong username or password',
  'not-found': 'not found',
  rejected: 'refused by the service',
};

const failures: [
  what: string,
  id: string,
  properties: object,
  setting: object | undefined,
  code: string,
  message: string,
  requests: number,
][] = [
  [
    'a wrong password',
    list,
    {},
    { credentials: { password: 'wrong' } },
    'unauthorised',
    'The service rejected the credentials. Check the username (the Account SID) and the password (the Auth Token) in the account node. (20003)',
    1,
  ],
  [
    'a missing password',
    'send-sms',
    sms,
    { credentials: { password: '' } },
    'settings',
    `"password" in the account node is empty. Enter it first.`,
    0,
  ],
  [
    'a missing username',
    'send-sms',
    sms,
    { username: '' },
    'settings',
    `"username" in the account node is empty. Enter it first.`,
    0,
  ],
  [
    'no account',
    'send-sms',
    sms,
    undefined,
    'settings',
    'Choose an “Account” in the node first.',
    0,
  ],
  [
    'a missing input',
    'send-sms',
    { ...sms, inputTo: 'payload.to', typeOfTo: 'msg' },
    {},
    'input',
    '"To" is missing: msg.payload.to has no value.',
    0,
  ],
  [
    'an expression that fails',
    list,
    { inputFrom: '$error("no")', typeOfFrom: 'jsonata' },
    {},
    'input',
    '"From" cannot be read from the expression $error("no"): no',
    0,
  ],
  [
    'a limit below 1',
    list,
    { limit: '-5' },
    {},
    'input',
    '"Maximum rows" must be a whole number above 0, not “-5”.',
    0,
  ],
  [
    'a limit that is not a number',
    list,
    { limit: 'all' },
    {},
    'input',
    '"Maximum rows" must be a whole number above 0, not “all”.',
    0,
  ],
  [
    'a request that the service rejects',
    'send-sms',
    { ...sms, inputTo: '+15005550001' },
    {},
    'rejected',
    `The number in "To" is not a valid phone number. Enter it with its country code, such as +14155550100. The service said: Invalid 'To' Phone Number: +15005550001 (21211)`,
    1,
  ],
];

test.each(failures)('%s reaches a Catch node', async (_, id, properties, setting, ...expected) => {
  const [code, message, requests] = expected;
  const before = host.sandbox.messages.length;
  const outcome = await runNode(host, node(id, properties), setting && account(setting), {
    topic: 'kept',
  });
  expect(outcome).toEqual({
    sent: [],
    caught: [
      {
        ...{ _msgid: 'm1', topic: 'kept' },
        error: expect.objectContaining({ code, message }),
      },
    ],
  });
  expect(statuses().at(-1)).toBe(`1 failed: ${statusWords[code]}`);
  expect(takeRequests(host.sandbox)).toHaveLength(requests);
  expect(host.sandbox.messages).toHaveLength(before);
});

test('a Catch node receives every detail of a failure', async () => {
  const { caught } = await run('send-sms', { ...sms, inputTo: '+15005550001' });
  host.sandbox.faults.add({ name: 'rate-limited', retryAfter: 3600 });
  const limited = await run('send-sms', sms);
  expect([caught[0].error.cause, limited.caught[0].error.cause]).toEqual([
    {
      ...{ field: 'to', status: 400, serviceCode: 21211 },
      serviceMessage: expect.any(String),
      requestId: expect.any(String),
      request: 'POST /Messages.json',
      docs: 'docs/troubleshooting.md#rejected',
    },
    {
      ...{ status: 429, serviceCode: 20429, retryAfter: 3600 },
      serviceMessage: expect.any(String),
      requestId: expect.any(String),
      request: 'POST /Messages.json',
      docs: 'docs/troubleshooting.md#rate-limited',
    },
  ]);
});

test('the status counts done, unknown and failed requests until a reset', async () => {
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
  host.sandbox.faults.add(shownNowhere);
  const to = ['+12025550143', '+12025550144', '+15005550001', '+12025550145', '+15005550001'];
  await host.deploy([
    account(),
    { ...node('send-sms', { ...sms, inputTo: 'payload', typeOfTo: 'msg' }), account: 'account' },
    { id: 'errors', type: 'catch' },
  ]);
  host.takeStatuses();
  const shown: unknown[] = [];
  for (const message of [...to.map((payload) => ({ payload })), { reset: true }]) {
    const before = shown.length;
    host.node('node').receive(message);
    await until(() => {
      const said = host.takeStatuses().filter(([, text]) => !text?.startsWith('requesting'));
      shown.push(...said.map(([, text, fill]) => [text, fill]));
      return shown.length > before;
    });
  }
  expect(shown).toEqual([
    ['1 unknown', 'red'],
    ['1 sent, 1 unknown', 'yellow'],
    ['1 sent, 1 unknown, 1 failed: refused by the service', 'red'],
    ['2 sent, 1 unknown, 1 failed: refused by the service', 'yellow'],
    ['2 sent, 1 unknown, 2 failed: refused by the service', 'red'],
    [undefined, undefined],
  ]);
});

test('the status counts the requests in progress next to the outcomes of the others', async () => {
  const count = 12;
  const proxy = await proxyTo(host.sandbox.url);
  const held: (() => void)[] = [];
  proxy.handler = ({ method }, _, forward) => (method === 'POST' ? held.push(forward) : forward());
  await host.deploy([
    account({ baseUrl: proxy.url }),
    { ...node('send-sms', sms), account: 'account' },
    { id: 'errors', type: 'catch' },
  ]);
  const shown: unknown[] = [];
  const look = () => shown.push(...statuses()) > 0;
  statuses();
  for (let index = 0; index < count; index += 1) host.node('node').receive({});
  const answers = [
    () => {},
    () => host.sandbox.faults.add({ name: 'missing', method: 'POST' }),
    () => {
      host.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
      host.sandbox.faults.add(shownNowhere);
    },
    ...Array.from({ length: count - 3 }, () => () => host.sandbox.faults.clear()),
  ];
  await until(() => look() && shown.length === count);
  for (const [index, prepare] of answers.entries()) {
    await until(() => held.length > 0);
    prepare();
    held.shift()?.();
    await until(() => look() && shown.length > count + index);
  }
  const faults = '1 unknown, 1 failed: not found';
  expect(shown).toEqual([
    'requesting',
    ...Array.from({ length: 11 }, (_, index) => `${index + 2} requesting`),
    '11 requesting, 1 sent',
    '10 requesting, 1 sent, 1 failed: not found',
    `9 requesting, 1 sent, ${faults}`,
    ...Array.from(
      { length: 7 },
      (_, index) => `${8 - index} requesting, ${index + 2} sent, ${faults}`,
    ),
    `requesting, 9 sent, ${faults}`,
    `10 sent, ${faults}`,
  ]);
});

test('never resends an SMS whose outcome is unknown, and reports it to Catch nodes', async () => {
  const before = host.sandbox.messages.length;
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
  host.sandbox.faults.add(shownNowhere);
  const { sent, caught } = await run('send-sms', sms);
  expect(sent).toEqual([]);
  expect(caught).toEqual([
    expect.objectContaining({ error: expect.objectContaining({ code: 'unknown-outcome' }) }),
  ]);
  expect(host.sandbox.messages).toHaveLength(before + 1);
  const requests = takeRequests(host.sandbox).filter((request) => request.startsWith('POST'));
  expect(requests).toEqual(['POST /Messages.json']);
});

test('sends the pages it read before a failure, then reports the failure', async () => {
  host.sandbox.faults.add({ name: 'html', path: 'Page=1', times: 100 });
  const properties = { output: 'pages', inputPageSize: '4', typeOfPageSize: 'num' };
  const { sent, caught } = await run(list, properties);
  expect(sent).toHaveLength(1);
  expect(caught).toHaveLength(1);
});

test('the first example sends an SMS once its account is chosen and its numbers are filled in', async () => {
  const text = readFileSync(join(artefact, 'examples/First SMS.json'), 'utf8');
  const example: Loose[] = JSON.parse(text).filter(({ type }: Loose) => type !== 'tab');
  expect(example.filter(({ z }) => z)).toHaveLength(5);
  const chosen = { account: 'account', inputFrom: '+14155550100', inputTo: '+12025550143' };
  await host.deploy([
    account(),
    ...example.map(({ z: _, ...one }) =>
      one.type.startsWith('telephony-') ? { ...one, ...chosen } : one,
    ),
  ]);
  const before = host.sandbox.messages.length;
  host.node('first-press').receive({});
  await until(() => host.sandbox.messages.length > before);
  expect(host.sandbox.messages[0]).toMatchObject({
    ...{ from: '+14155550100', to: '+12025550143', body: 'Hello from Node-RED' },
  });
});

test('no secret is in the flows, their export, the credentials file or the log', async () => {
  await run('send-sms', sms);
  await runNode(host, node(list), account({ credentials: { password: 'wrong-Secret-1' } }));
  await host.deploy([account(), node('send-sms', { account: 'account' })]);
  const exported = await fetch(`${host.url}/flows`);
  const credentials = await fetch(`${host.url}/credentials/telephony-account/account`);
  const seen = [
    host.read('flows.json'),
    host.read('flows_cred.json'),
    host.logged(),
    await exported.text(),
    await credentials.text(),
  ];
  expect(host.logged()).toContain('Started flows');
  expect(host.read('flows.json')).toContain(host.sandbox.username);
  for (const text of seen) {
    expect(text).not.toContain(host.sandbox.password);
    expect(text).not.toContain('wrong-Secret-1');
  }
});
