import { runInNewContext } from 'node:vm';
import * as library from '../../src/builder.ts';
import { errorOf, parts } from './errors.ts';
import { account, accountPath, answerWith, isolate, telephony } from './service.ts';

isolate();

// Arguments that only JavaScript can pass.
const { connect, receiveEvents, pollEvents, eventReader } = library as unknown as Record<
  string,
  (...args: unknown[]) => unknown
>;
const address = 'https://app.example.com/events';
const onEvent = () => {};
const call = (method: string, ...args: unknown[]) =>
  Reflect.get(telephony(), method).call(telephony(), ...args);
const iterate = (method: string, ...args: unknown[]) => call(method, ...args).next();
const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello' };

const noSettings = ['settings', 'The settings must be an object with a username and a password.'];
const bad = (key: string, demand: string) => ['input', `The option "${key}" ${demand}.`, key];
const noOptions = ['input', 'The options must be an object.'];
const noRecord = ['input', 'The record must be an object, or the SID of one.'];

const cases: [call: string, make: () => unknown, (string | undefined)[]][] = [
  ['connect()', () => connect?.(), noSettings],
  ['connect(null)', () => connect?.(null), noSettings],
  ['connect("AC1")', () => connect?.('AC1'), noSettings],
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
    bad('limit', 'must be a number'),
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
];

test.each(cases)('%s throws an error of the plugin', async (_, make, [code, message, field]) => {
  const sent = answerWith([]);
  const error = await errorOf(Promise.resolve().then(make));
  expect(parts(error)).toEqual({ code, message, ...(field && { field }) });
  expect(sent).toEqual([]);
});

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
