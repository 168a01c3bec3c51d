import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import { accountNode, type Host, type Node, runNode, startNodeRed } from '../host.ts';
import { nodeOf } from '../node-of.ts';

let host: Host;
beforeAll(async () => {
  host = await startNodeRed();
});
beforeEach(() => takeRequests(host.sandbox));

const list = 'calls-by-caller-id';
const node = (id: string, properties: object): Node => ({
  id: 'node',
  ...nodeOf(id),
  ...properties,
});
const run = (id: string, properties: object, message: object = {}) =>
  runNode(host, node(id, properties), accountNode(host.sandbox), message);

const inputs: [type: string, properties: object, message: object, query: string][] = [
  ['a text', { inputFrom: '+12025550143', typeOfFrom: 'str' }, {}, '?From=%2B12025550143'],
  ['a choice', { inputStatus: 'busy', typeOfStatus: 'str' }, {}, '?Status=busy'],
  ['a number', { inputPageSize: '7', typeOfPageSize: 'num' }, {}, '?PageSize=7'],
  [
    'a property of the message',
    { inputFrom: 'payload.from', typeOfFrom: 'msg' },
    { payload: { from: '+1 (202) 555-0143' } },
    '?From=%2B12025550143',
  ],
  ['an expression', { inputStatus: '"bu" & "sy"', typeOfStatus: 'jsonata' }, {}, '?Status=busy'],
  [
    'an expression of a record’s time',
    {
      inputStatus: 'payload.startTime.getTime() = 1000000000000 ? "busy" : "queued"',
      typeOfStatus: 'jsonata',
    },
    { payload: { startTime: new Date(1_000_000_000_000) } },
    '?Status=busy',
  ],
  [
    'an environment variable',
    { inputStatus: 'TEST_STATUS', typeOfStatus: 'env' },
    {},
    '?Status=queued',
  ],
  ['left empty', { inputFrom: '', inputPageSize: '', typeOfPageSize: 'num' }, {}, ''],
  [
    '"*" in the message, which means all',
    { inputFrom: 'from', typeOfFrom: 'msg' },
    { from: '*' },
    '',
  ],
];

test.each(inputs)('an input can be %s', async (_, properties, message, query) => {
  process.env.TEST_STATUS = 'queued';
  const { caught } = await run(list, { ...properties, limit: '1' }, message);
  expect(caught).toEqual([]);
  expect(takeRequests(host.sandbox)[0]).toBe(`GET /Calls.json${query}`);
});

test('an input with choices can be a list of them', async () => {
  const properties = { inputStatus: '["busy", "failed"]', typeOfStatus: 'jsonata', limit: '2' };
  const { sent } = await run(list, properties);
  expect(takeRequests(host.sandbox)).toEqual([
    'GET /Calls.json?Status=busy',
    'GET /Calls.json?Status=failed',
  ]);
  const { calls } = host.sandbox;
  const wanted = calls.filter(({ status }) => status === 'busy' || status === 'failed').slice(0, 2);
  const payload = wanted.map(({ sid }) => expect.objectContaining({ sid }));
  expect(sent).toEqual([expect.objectContaining({ payload })]);
});

test.each(['flow', 'global'])('an input can come from the %s context', async (type) => {
  const properties = { inputStatus: 'wanted', typeOfStatus: type, limit: '1' };
  await host.deploy([node(list, properties)]);
  host.node('node').context()[type].set('wanted', 'ringing');
  await run(list, properties);
  expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json?Status=ringing']);
});

const missing = (why: string) => `"From" is missing: ${why}. For all, set it to "*".`;
const noValue = (place: string) => missing(`${place} has no value`);

const absent: [what: string, value: string, type: string, message: object, place: string][] = [
  ['a missing property', 'caller', 'msg', {}, 'msg.caller'],
  [
    'a path through a missing property',
    'payload.caller.number',
    'msg',
    {},
    'msg.payload.caller.number',
  ],
  ['null', 'caller', 'msg', { caller: null }, 'msg.caller'],
  ['an empty text', 'caller', 'msg', { caller: '' }, 'msg.caller'],
  ['blanks', 'caller', 'msg', { caller: '  ' }, 'msg.caller'],
  ['a missing value in the flow context', 'caller', 'flow', {}, 'flow.caller'],
  ['a missing value in the global context', 'caller', 'global', {}, 'global.caller'],
  ['an unset variable', 'TEST_NONE', 'env', {}, 'the variable TEST_NONE'],
  ['an expression without a result', 'payload.x', 'jsonata', {}, 'the expression payload.x'],
  ['an emptied variable in a field', `\${TEST_EMPTY}`, 'str', {}, `the variable TEST_EMPTY`],
  ['an unset variable in the older form', '$(TEST_NONE)', 'str', {}, 'the variable TEST_NONE'],
];

test.each(absent)('a filter by %s sends no request', async (_, inputFrom, typeOfFrom, ...rest) => {
  const [message, place] = rest;
  process.env.TEST_EMPTY = '';
  const { sent, caught } = await run('recordings-by-caller-id', { inputFrom, typeOfFrom }, message);
  expect(sent).toEqual([]);
  expect(caught).toEqual([
    expect.objectContaining({
      error: expect.objectContaining({ code: 'input', message: noValue(place) }),
    }),
  ]);
  expect(takeRequests(host.sandbox)).toEqual([]);
});

const nowhere: [type: string, what: string][] = [
  ['msg', 'property of msg'],
  ['flow', 'property of flow'],
  ['global', 'property of global'],
  ['env', 'variable'],
  ['jsonata', 'expression'],
];

test.each(nowhere)('a filter with an empty %s input sends no request', async (type, what) => {
  for (const inputFrom of ['', ' ']) {
    const properties = { inputFrom, typeOfFrom: type };
    const { sent, caught } = await run('recordings-by-caller-id', properties);
    expect(sent).toEqual([]);
    expect(caught.map(({ error }) => error.message)).toEqual([
      missing(`the node does not name the ${what}`),
    ]);
  }
  expect(takeRequests(host.sandbox)).toEqual([]);
});

const senders: [what: string, properties: object, message: object, from: string | undefined][] = [
  ['the sender of the account if the node has none', {}, {}, '+14155550100'],
  ['the sender of the node if it has one', { inputFrom: '+14155550101' }, {}, '+14155550101'],
  [
    'no sender if the input of the node has no value',
    { inputFrom: 'x', typeOfFrom: 'msg' },
    {},
    undefined,
  ],
];

test.each(senders)('uses %s', async (_, properties, message, from) => {
  host.sandbox.messages.length = 0;
  const sms = { inputTo: '+12025550143', inputBody: 'Hello', ...properties };
  const account = accountNode(host.sandbox, { defaultSender: '+14155550100' });
  await runNode(host, node('send-sms', sms), account, message);
  expect(host.sandbox.messages[0]?.from).toBe(from);
});

const fromMessage: [what: string, id: string, properties: object, message: object, sent: object][] =
  [
    [
      'msg.to and msg.from, before the sender of the account',
      'send-sms',
      {},
      { to: '+1 202 555 0143', from: '+14155550101' },
      { to: '+12025550143', from: '+14155550101' },
    ],
    [
      'msg.to, from the sender of the account',
      'send-sms',
      {},
      { to: '+12025550143' },
      { to: '+12025550143', from: '+14155550100' },
    ],
    [
      'what the node says instead of the message',
      'send-sms',
      { inputTo: '+12025550144', inputFrom: '+14155550101' },
      { to: '+12025550143', from: '+14155550100' },
      { to: '+12025550144', from: '+14155550101' },
    ],
    [
      'no msg.from next to a messaging service',
      'send-a-message',
      { inputMessagingServiceSid: 'MG0123456789abcdef0123456789abcdef' },
      { to: '+12025550143', from: 'someone@example.com' },
      { to: '+12025550143', messaging_service_sid: 'MG0123456789abcdef0123456789abcdef' },
    ],
  ];

test.each(fromMessage)('sends to %s', async (_, id, properties, message, sent) => {
  host.sandbox.messages.length = 0;
  const account = accountNode(host.sandbox, { defaultSender: '+14155550100' });
  const sms = { inputBody: 'Hello', ...properties };
  const { caught } = await runNode(host, node(id, sms), account, message);
  expect(caught).toEqual([]);
  expect(host.sandbox.messages).toEqual([expect.objectContaining(sent)]);
});

const noRecipient: [what: string, message: object, problem: string][] = [
  ['no msg.to', {}, '"To" is missing'],
  ['an empty msg.to', { to: ' ' }, '"To" is missing: msg.to has no value.'],
  ['null as msg.to', { to: null }, '"To" is missing: msg.to has no value.'],
  ['false as msg.to', { to: false }, '"To"'],
  [
    'an empty msg.from',
    { to: '+12025550143', from: '' },
    '"From" is missing: msg.from has no value.',
  ],
];

test.each(noRecipient)('sends nothing for %s', async (_, message, problem) => {
  host.sandbox.messages.length = 0;
  const account = accountNode(host.sandbox, { defaultSender: '+14155550100' });
  const { caught } = await runNode(
    host,
    node('send-sms', { inputBody: 'Hello' }),
    account,
    message,
  );
  expect(caught.map(({ error }) => error)).toEqual([
    expect.objectContaining({ code: 'input', message: expect.stringContaining(problem) }),
  ]);
  expect(host.sandbox.messages).toEqual([]);
});

const [ada, bob] = ['+12025550143', '+12025550144'];
const outer = { id: 'outer' };
const several: [
  what: string,
  properties: object,
  message: object,
  to: string[],
  failed: unknown[],
][] = [
  ['a typed list', { inputTo: `${ada}, ${bob}` }, {}, [ada, bob], []],
  ['lines, which repeat one', { inputTo: `(202) 555-0143\n${bob};${ada}` }, {}, [ada, bob], []],
  ['an array with lists', {}, { to: [[ada], `${bob}; ${ada}`, ada] }, [ada, bob], []],
  ['an array of one', { inputTo: 'one', typeOfTo: 'msg' }, { one: [bob] }, [bob], []],
  [
    'those of an array that have a number',
    { inputTo: 'payload.phones', typeOfTo: 'msg' },
    { payload: { phones: [ada, null, '1202555014', bob] }, parts: outer },
    [ada, bob],
    [null, '1202555014'],
  ],
];

test.each(several)('sends to %s', async (_, properties, message, to, failed) => {
  host.sandbox.messages.length = 0;
  const account = accountNode(host.sandbox, {
    ...{ defaultSender: '+14155550100', defaultCountry: 'US' },
  });
  const sms = { inputBody: '"For " & to', typeOfBody: 'jsonata', property: 'sms', ...properties };
  const { sent, caught } = await runNode(host, node('send-sms', sms), account, message);
  await until(() => sent.length + caught.length === to.length + failed.length);
  const part = { id: expect.any(String), type: 'array', count: to.length + failed.length };
  const parts = { ...part, index: expect.any(Number), ...('parts' in message && { parts: outer }) };
  const own = (recipient: unknown) => ({ to: recipient, parts });
  const byRecipient = <Of extends { to?: unknown }>(all: Of[]) =>
    all.toSorted((a, b) => to.indexOf(String(a.to)) - to.indexOf(String(b.to)));
  expect(byRecipient(host.sandbox.messages)).toEqual(
    to.map((one) => expect.objectContaining({ to: one, body: `For ${one}` })),
  );
  expect(byRecipient(sent)).toEqual(
    to.map((one) =>
      expect.objectContaining({ ...own(one), sms: expect.objectContaining({ to: one }) }),
    ),
  );
  expect(caught).toEqual(
    failed.map((one) =>
      expect.objectContaining({ ...own(one), error: expect.objectContaining({ code: 'input' }) }),
    ),
  );
});

test('never takes a filter from a message that its node does not name', async () => {
  await run(list, { limit: '1' }, { from: '+12025550143' });
  expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json']);
});

test('never filters a list by the sender of the account', async () => {
  const account = accountNode(host.sandbox, { defaultSender: '+14155550100' });
  await runNode(host, node(list, { limit: '1' }), account);
  expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json']);
});

const none = [`\${TEST_NONE}`, '$(TEST_NONE)'];
const unset = none.flatMap((name): [label: string, name: string, account: object][] => [
  ['username', name, { username: name }],
  ['password', name, { credentials: { password: name } }],
  ['Account SID', name, { accountSid: name }],
  ['Base URL', name, { baseUrl: name }],
  ['Default sender', name, { defaultSender: name }],
]);

test.each(unset)('sends nothing if the %s is %s, an unset variable', async (label, _, account) => {
  const sms = { inputTo: '+12025550143', inputBody: 'Hello' };
  const config = accountNode(host.sandbox, { defaultSender: '+14155550100', ...account });
  const { caught } = await runNode(host, node('send-sms', sms), config);
  expect(caught.map(({ error }) => [error.code, error.message])).toEqual([
    [
      'settings',
      `"${label}" is the variable TEST_NONE, which has no value. Set it in the flow or in Node-RED's environment.`,
    ],
  ]);
  expect(takeRequests(host.sandbox)).toEqual([]);
});

const noText: [type: string, value: string][] = [
  ['bool', 'false'],
  ['json', '{"text":"Hello"}'],
  ['json', '["Hello"]'],
];

test.each(noText)('refuses to send a variable with %s %s as text', async (type, value) => {
  const variables = { id: 'variables', type: 'global-config', z: '' };
  const sms = { inputFrom: '+14155550100', inputTo: '+12025550143', inputBody: `\${TEST_TEXT}` };
  const { caught } = await runNode(host, node('send-sms', sms), [
    accountNode(host.sandbox),
    { ...variables, env: [{ name: 'TEST_TEXT', type, value }] },
  ]);
  expect(caught.map(({ error }) => error.code)).toEqual(['input']);
  expect(takeRequests(host.sandbox)).toEqual([]);
});

const notUnderstood: [what: string, caller: unknown][] = [
  ['false', false],
  ['an object', { number: '+12025550143' }],
  ['a list', ['+12025550143']],
  ['an object that cannot become text', Object.create(null)],
];

test.each(notUnderstood)('a filter by %s sends no request', async (_, caller) => {
  const { sent, caught } = await run(
    'recordings-by-caller-id',
    { inputFrom: 'caller', typeOfFrom: 'msg' },
    { caller },
  );
  expect(sent).toEqual([]);
  expect(caught[0].error.code).toBe('input');
  expect(takeRequests(host.sandbox)).toEqual([]);
});

test('sends nothing for a message that cannot be copied, and handles the next one', async () => {
  const message = {
    get broken() {
      throw new Error('No value');
    },
  };
  const sms = { inputFrom: '+14155550100', inputTo: '+12025550143', inputBody: 'Hello' };
  await host.deploy([
    accountNode(host.sandbox),
    node('send-sms', { ...sms, account: 'account', wires: [[]] }),
    { id: 'errors', type: 'catch', scope: ['node'], wires: [[]] },
  ]);
  const warned: string[] = [];
  const sender = host.node('node');
  sender.warn = (text: string) => void warned.push(text);
  sender.receive(message);
  await until(() => warned.length > 0);
  expect(warned).toEqual([expect.stringMatching(/cannot be copied .* so nothing was sent\./)]);
  expect(takeRequests(host.sandbox).filter((one) => one.startsWith('POST'))).toEqual([]);
});
