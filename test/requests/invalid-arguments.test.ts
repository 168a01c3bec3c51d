import { runInNewContext } from 'node:vm';
import * as library from '../../src/builder.ts';
import * as publicApi from '../../src/index.ts';
import { errorOf, parts } from './errors.ts';
import { account, accountPath, answerWith, isolate, telephony } from './service.ts';

isolate();

// Arguments that only JavaScript can pass.
const {
  connect,
  receiveEvents,
  pollEvents,
  eventReader,
  nodeHandler,
  fetchHandler,
  operation,
  finalStatuses,
  isAction,
  isList,
  isNotSent,
  isPage,
  smsSegments,
  dayIn,
  sendMedia,
  memoryDeliveryLog,
} = library as unknown as Record<string, (...args: unknown[]) => unknown>;
const address = 'https://app.example.com/events';
const onEvent = () => {};
const call = (method: string, ...args: unknown[]) =>
  Reflect.get(telephony(), method).call(telephony(), ...args);
const iterate = (method: string, ...args: unknown[]) => call(method, ...args).next();
const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello' };

const noSettings = ['settings', 'The settings must be an object with a username and a password.'];
const bad = (key: string, demand: string) => ['input', `The option "${key}" ${demand}.`, key];
const noOptions = ['input', 'The options must be an object.'];
const unknownOption = (key: string, keys: string) => [
  'input',
  `Unknown option "${key}". Choose one of: ${keys}.`,
];
const milliseconds = 'must be a number of milliseconds from 1 to 2147483647';
const noInput = ['input', 'The input must be an object with the values of the fields.'];
const noHandler = ['input', 'Pass the function that receiveEvents() returns.'];
const noRecord = ['input', 'The record must be an object, or the SID of one.'];

const noServer = ['input', 'Pass a request and a response of node:http.'];
const noIdentity = [
  'input',
  'The identity of an event must have a key, a signature and a subject.',
];
const receive = library.receiveEvents(account, { url: address, onEvent });
const response = { writeHead() {}, end() {}, once() {} };

const eventIds = library.definitions.events.map(({ id }) => id).join(', ');

const cases: [call: string, make: () => unknown, (string | undefined)[]][] = [
  ['connect()', () => connect?.(), noSettings],
  ['connect(null)', () => connect?.(null), noSettings],
  ['connect("AC1")', () => connect?.('AC1'), noSettings],
  [
    'connect with a misspelt option',
    () => connect?.({ ...account, limts: {} }),
    unknownOption(
      'limts',
      'username, password, accountSid, baseUrl, defaultCountry, contentUrl, lookupsUrl, verifyUrl, limits, spending, caller, onLimitReached, statusCallback, http, onRequest, raw, store',
    ),
  ],
  [
    'connect with a number as statusCallback',
    () => connect?.({ ...account, statusCallback: 5 }),
    bad('statusCallback', 'must be text'),
  ],
  [
    'connect with text as limits',
    () => connect?.({ ...account, limits: 'x' }),
    bad('limits', 'must be an object'),
  ],
  [
    'connect with text as raw',
    () => connect?.({ ...account, raw: 'yes' }),
    bad('raw', 'must be true or false'),
  ],
  [
    'connect with a store without its verbs',
    () => connect?.({ ...account, store: { get() {} } }),
    bad('store', 'must be an object with the functions get, insert, swap, find and expire'),
  ],
  ['run with text as options', () => call('run', 'account-calls', {}, 'x'), noOptions],
  [
    'run with text as signal',
    () => call('run', 'account-calls', {}, { signal: 'x' }),
    bad('signal', 'must be an AbortSignal'),
  ],
  [
    'run with text as beforeSend',
    () => call('run', 'send-sms', sms, { beforeSend: 'x' }),
    bad('beforeSend', 'must be a function'),
  ],
  [
    'pages with text as prefetch',
    () => iterate('pages', 'account-calls', {}, { prefetch: 'x' }),
    bad('prefetch', 'must be true or false'),
  ],
  [
    'records with text as limit',
    () => iterate('records', 'account-calls', {}, { limit: '5' }),
    bad('limit', 'must be a whole number above 0'),
  ],
  [
    'records with a misspelt option',
    () => iterate('records', 'account-calls', {}, { limt: 5 }),
    unknownOption('limt', 'signal, waitSignal, limit, prefetch'),
  ],
  ...[null, 5, 'x', [], new Map([['from', '+1']]), () => {}, Symbol('x')].map(
    (input): (typeof cases)[number] => [
      `run with ${Object.prototype.toString.call(input)} as input`,
      () => call('run', 'calls-by-caller-id', input),
      noInput,
    ],
  ),
  [
    'waitForFinalStatus for ever',
    () => call('waitForFinalStatus', 'message', 'SM1', { timeoutMs: Number.POSITIVE_INFINITY }),
    bad('timeoutMs', milliseconds),
  ],
  [
    'cleanPhone of a number',
    () => call('cleanPhone', 5),
    ['input', 'A phone number must be text.'],
  ],
  [
    'runBatch of a list',
    () => call('runBatch', 'account-calls', []),
    ['input', '"Account Calls" is not an action.'],
  ],
  [
    'runBatch without rows',
    () => call('runBatch', 'send-sms'),
    ['input', 'The rows must be an array.'],
  ],
  [
    'runBatch with text as onResult',
    () => call('runBatch', 'send-sms', [{ input: sms }], { onResult: 'x' }),
    bad('onResult', 'must be a function'),
  ],
  [
    'confirm without options',
    () => call('confirm', 'send-sms', sms),
    bad('since', 'must be a Date'),
  ],
  [
    'confirm with text as since',
    () => call('confirm', 'send-sms', sms, { since: 'yesterday' }),
    bad('since', 'must be a Date'),
  ],
  [
    'confirm since an invalid date',
    () => call('confirm', 'send-sms', sms, { since: new Date('never') }),
    bad('since', 'must be a Date'),
  ],
  ['media of null', () => call('media', 'recording', null), noRecord],
  ['media of a number', () => call('media', 'recording', 5), noRecord],
  ['test with text as options', () => call('test', 'x'), noOptions],
  ['receiveEvents without options', () => receiveEvents?.(account), bad('url', 'must be text')],
  [
    'receiveEvents without a handler',
    () => receiveEvents?.(account, { url: address }),
    bad('onEvent', 'must be a function'),
  ],
  [
    'receiveEvents without settings',
    () => receiveEvents?.(null, { url: address, onEvent }),
    noSettings,
  ],
  ['eventReader without options', () => eventReader?.(account), bad('url', 'must be text')],
  [
    'receiveEvents with a delivery log without functions',
    () => receiveEvents?.(account, { url: address, onEvent, deliveryLog: {} }),
    bad('deliveryLog', 'must be an object with the functions begin, delivered and release'),
  ],
  [
    'receiveEvents without a time',
    () => receiveEvents?.(account, { url: address, onEvent, timeoutMs: 0 }),
    bad('timeoutMs', milliseconds),
  ],
  [
    'receiveEvents with a misspelt option',
    () => receiveEvents?.(account, { url: address, onEvent, onOutcom: onEvent }),
    unknownOption(
      'onOutcom',
      'url, authToken, telephony, onEvent, deliveryLog, timeoutMs, onOutcome',
    ),
  ],
  [
    'sendMedia without a request',
    () => sendMedia?.(),
    ['input', 'Pass a request and a response of node:http, and a function that opens the media.'],
  ],
  [
    'sendMedia with a function that opens nothing',
    () => sendMedia?.({ headers: {} }, response, () => {}),
    ['input', 'The function that opens the media must return what telephony.media() returns.'],
  ],
  ['a handler for node:http without arguments', () => Object(nodeHandler)(receive)(), noServer],
  [
    'a handler for node:http without a response',
    () => Object(nodeHandler)(receive)({ headers: {} }),
    noServer,
  ],
  [
    'a handler for Fetch with null',
    () => Object(fetchHandler)(receive)(null),
    ['input', "Pass Fetch's Request."],
  ],
  ...['begin', 'delivered', 'release'].map((name): (typeof cases)[number] => [
    `${name} of a delivery log without an event`,
    () => Object(memoryDeliveryLog)()[name](),
    noIdentity,
  ]),
  [
    'memoryDeliveryLog with text',
    () => memoryDeliveryLog?.('x'),
    ['input', 'The number of records must be a whole number from 1.'],
  ],
  [
    'a reader of events with text as time',
    () => Object(eventReader)(account, { url: address })({}, 'now'),
    ['input', 'The time of receipt must be a Date.'],
  ],
  ['nodeHandler without a function', () => nodeHandler?.(), noHandler],
  ['fetchHandler without a function', () => fetchHandler?.({}), noHandler],
  [
    'pollEvents without a handler',
    () => pollEvents?.(telephony()),
    bad('onEvent', 'must be a function'),
  ],
  [
    'pollEvents without an account',
    () => pollEvents?.(undefined, { onEvent }),
    ['input', 'The first argument must be what connect() returns.'],
  ],
  [
    'pollEvents with text as events',
    () => pollEvents?.(telephony(), { onEvent, events: 'x' }),
    bad('events', 'must be an array'),
  ],
  [
    'pollEvents with a hole as event',
    () => pollEvents?.(telephony(), { onEvent, events: Array(1) }),
    ['input', `Unknown event "undefined". Choose one of: ${eventIds}.`],
  ],
  [
    'pollEvents with a cursor without functions',
    () => pollEvents?.(telephony(), { onEvent, cursor: 'x' }),
    bad('cursor', 'must be an object with the functions read and write'),
  ],
  [
    'a poll with a number as signal',
    () => library.pollEvents(telephony(), { onEvent })({ signal: 5 as never }),
    bad('signal', 'must be an AbortSignal'),
  ],
];

test.each(cases)('%s throws an error of the plugin', async (_, make, [code, message, field]) => {
  const sent = answerWith([]);
  const error = await errorOf(Promise.resolve().then(make));
  expect(parts(error)).toEqual({ code, message, ...(field && { field }) });
  expect(sent).toEqual([]);
});

const operationIds = library.operations.map(({ id }) => id).join(', ');

test.each([
  [undefined, 'undefined'],
  [Symbol('x'), 'symbol'],
  [Object.create(null), 'object'],
])('%p as an id is an error of the plugin', async (id, given) => {
  const message = `Unknown operation "${given}". Choose one of: ${operationIds}.`;
  for (const make of [() => operation?.(id), () => call('run', id), () => iterate('pages', id)])
    expect(parts(await errorOf(Promise.resolve().then(make)))).toEqual({ code: 'input', message });
  for (const make of [() => finalStatuses?.(id), () => call('media', id, 'RE1')])
    expect(await errorOf(Promise.resolve().then(make))).toMatchObject({ code: 'input' });
});

test.each([[undefined], [null], [5], [{}]])('%j is no operation, page or text', (thing) => {
  expect([isAction?.(thing), isList?.(thing), isPage?.(thing)]).toEqual([false, false, false]);
  expect(smsSegments?.(thing)).toMatchObject({ segments: 1, left: 160 });
});

test.each([[undefined], [null], [{ method: 'POST' }]])('the request %j is no event', (request) => {
  const read = eventReader?.(account, { url: address }) as (request: unknown) => unknown;
  expect(read(request)).toMatchObject({ outcome: 'refused' });
});

const handle = Object(nodeHandler)(receive);
const respond = Object(fetchHandler)(receive);
const identity = { key: 'a', signature: 'a', subject: 'a', step: 1, lateFrom: 1 };
const log = Object(memoryDeliveryLog)();
const webhook = { url: address, onEvent };
const incoming = { method: 'GET', url: '/', headers: {} };
const poll = library.pollEvents(telephony(), { onEvent });

/** Every public function, with valid arguments. */
const functions: [name: string, call: (...args: never[]) => unknown, args: unknown[]][] = [
  ['connect', Object(connect), [account]],
  ['cleanPhone', (...args) => call('cleanPhone', ...args), ['+12025550143']],
  ['run', (...args) => call('run', ...args), ['send-sms', sms, {}]],
  ['confirm', (...args) => call('confirm', ...args), ['send-sms', sms, { since: new Date() }]],
  ['runBatch', (...args) => call('runBatch', ...args), ['send-sms', [], {}]],
  ['pages', (...args) => iterate('pages', ...args), ['account-messages', {}, {}]],
  ['records', (...args) => iterate('records', ...args), ['account-messages', {}, {}]],
  ['media', (...args) => call('media', ...args), ['recording', { sid: 'RE1' }, {}]],
  [
    'waitForFinalStatus',
    (...args) => call('waitForFinalStatus', ...args),
    ['message', { sid: 'SM1' }, { timeoutMs: 1 }],
  ],
  ['now', (...args) => call('now', ...args), []],
  ['usage', (...args) => call('usage', ...args), []],
  ['test', (...args) => call('test', ...args), [{}]],
  ['receiveEvents', Object(receiveEvents), [account, webhook]],
  ['eventReader', Object(eventReader), [account, { url: address }]],
  ['pollEvents', Object(pollEvents), [telephony(), { onEvent }]],
  ['nodeHandler', Object(nodeHandler), [receive]],
  ['fetchHandler', Object(fetchHandler), [receive]],
  ['memoryDeliveryLog', Object(memoryDeliveryLog), [10]],
  ['operation', Object(operation), ['send-sms']],
  ['finalStatuses', Object(finalStatuses), ['message']],
  ['smsSegments', Object(smsSegments), ['x']],
  ['dayIn', Object(dayIn), ['UTC', -1, new Date()]],
  ['isAction', Object(isAction), [library.operation('send-sms')]],
  ['isList', Object(isList), [library.operation('send-sms')]],
  ['isPage', Object(isPage), [{ records: [] }]],
  ['isNotSent', Object(isNotSent), ['ECONNREFUSED']],
  ['sendMedia', Object(sendMedia), [incoming, response, () => call('media', 'recording', ''), {}]],
];

/** The functions that public functions return. */
const returned: typeof functions = [
  ['receive', receive, [incoming]],
  ['read', library.eventReader(account, { url: address }), [incoming, new Date()]],
  ['poll', poll, [{}]],
  ['handle', handle, [incoming, response]],
  ['respond', respond, [new Request(address)]],
  ['begin', log.begin, [identity]],
  ['delivered', log.delivered, [identity]],
  ['release', log.release, [identity]],
];

const keys = ['from', 'username', 'url', 'signal', 'headers', 'sid', 'key', 'records', 'request'];
const everywhere = (value: unknown) => Object.fromEntries(keys.map((key) => [key, value]));
const values: unknown[] = [
  ...[undefined, null, '', 'x', 5, Number.NaN, 5n, true, Symbol('x'), onEvent],
  ...[[], [null], [Symbol('x')], {}, Object.create(null), new Date(), new Date('never')],
  ...[runInNewContext('new Date()'), runInNewContext('[null]'), new Map([['from', '+1']])],
  everywhere(Symbol('x')),
];

test('the table has every public function', () => {
  const isFunction = (value: unknown) => typeof value === 'function';
  const all = [publicApi, telephony()].flatMap((of) =>
    Object.entries(of).flatMap(([name, value]) => (isFunction(value) ? name : [])),
  );
  const tested = functions.map(([name]) => name);
  expect(all.filter((name) => name !== 'TelephonyError').sort()).toEqual(tested.sort());
});

test.each([...functions, ...returned])(
  '%s throws no other error, whatever it gets',
  async (_, take, args) => {
    answerWith(Array(999).fill({ status: 404, body: {} }));
    const lists = [
      [],
      ...args.flatMap((_arg, index) => values.map((value) => args.with(index, value))),
    ];
    for (const list of lists) {
      const error = await Promise.resolve()
        .then(() => take(...(list as never[])))
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
      if (error !== undefined) expect(error).toBeInstanceOf(library.TelephonyError);
    }
  },
);

test.each([
  ['null as options', null],
  ['undefined as options', undefined],
  ['null as each option', { signal: null, waitSignal: null, beforeSend: null }],
])('%s means no options', async (_, options) => {
  const sent = answerWith([{ status: 200, body: { calls: [] } }]);
  expect(await call('run', 'account-calls', {}, options)).toEqual({ records: [], more: false });
  expect(sent).toHaveLength(1);
});

test('a date of another realm is a date', async () => {
  const sent = answerWith([{ status: 200, body: { calls: [] } }]);
  const startTimeAfter = runInNewContext('new Date(Date.UTC(2026, 10, 1))');
  await call('run', 'calls-by-number-and-date', { startTimeAfter });
  expect(sent.map(({ path }) => path)).toEqual([
    `${accountPath}/Calls.json?StartTime%3E=2026-11-01T00%3A00%3A00Z`,
  ]);
});

test('the settings may be getters of a class', async () => {
  class Settings {
    get username() {
      return account.username;
    }
    get password() {
      return account.password;
    }
    get baseUrl() {
      return account.baseUrl;
    }
  }
  const sent = answerWith([{ status: 200, body: { calls: [] } }]);
  await library.connect(new Settings()).run('account-calls');
  expect(sent).toHaveLength(1);
});
