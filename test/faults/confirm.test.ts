import type { Fault } from '../../demo/sandbox/index.ts';
import { connect } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { shownNowhere } from '../support/shown-nowhere.ts';
import { outcome, sandboxWith, send } from './lost-responses.ts';
import { openRawServer } from './open-raw-server.ts';
import { answer } from './raw-server.ts';
import { account, skipRetryWaits, sms, telephonyAt } from './service.ts';

beforeEach(() => skipRetryWaits());
afterEach(() => jest.restoreAllMocks());

const lost: Fault = { name: 'reset-after', method: 'POST' };
const never: Fault = { name: 'reset-before', method: 'POST' };

const requestsOf = ({ requests }: Sandbox) =>
  requests.map(({ method, path, query }) => `${method} ${path.split('/').at(-1)} ${query}`);

const logRequest = 'GET Messages.json From=%2B14155550100&To=%2B12025550143&PageSize=100';

test('a message whose response was lost is confirmed and returned as the full record', async () => {
  const sandbox = await sandboxWith(lost);
  const record = await telephonyAt(sandbox.url).run('send-sms', sms);
  const [stored] = sandbox.messages;
  expect(sandbox.messages).toHaveLength(1);
  expect(record).toEqual(
    expect.objectContaining({
      ...sms,
      sid: stored?.sid,
      direction: 'outbound-api',
    }),
  );
  expect(requestsOf(sandbox)).toEqual(['POST Messages.json ', logRequest]);
});

test('a recording whose response was lost is confirmed', async () => {
  const sandbox = await openSandbox(account);
  sandbox.faults.add(lost);
  const call = sandbox.calls.find(({ status }) => status === 'in-progress');
  const record = await telephonyAt(sandbox.url).run('create-a-call-recording', {
    callSid: call?.sid ?? '',
  });
  expect(record.sid).toBe(sandbox.recordings[0]?.sid);
  expect(record.callSid).toBe(call?.sid);
});

const service = 'MG00000000000000000000000000000001';
const picture = 'https://example.com/a.png';

test('a message that waits for the end of the quiet hours is confirmed', async () => {
  const sandbox = await sandboxWith(lost);
  const [begin, end] = [-1, 2].map((hours) =>
    new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16),
  );
  const telephony = connect({
    ...{ ...account, baseUrl: sandbox.url },
    spending: { quietHours: `${begin}-${end} UTC`, inQuietHours: 'send-later' },
  });
  const input = { messagingServiceSid: service, to: sms.to, body: sms.body };
  const { sid, status } = await telephony.run('send-a-message', input);
  expect({ sid, status }).toEqual({ sid: sandbox.messages[0]?.sid, status: 'scheduled' });
  expect(sandbox.messages).toHaveLength(1);
});

test.each([
  ['by its sender', { from: sms.from, body: 'Hello' }, true],
  [
    'by its messaging service, with any sender',
    { messagingServiceSid: service, body: 'Hello' },
    true,
  ],
  ['not at all if it is a picture without text', { from: sms.from, mediaUrl: picture }, false],
])('a message whose response was lost is confirmed %s', async (_, input, isFound) => {
  const sandbox = await sandboxWith(lost);
  const others = { ...sms, body: 'Hello', from: '+14155550101' };
  await telephonyAt(sandbox.url, { confirmTimeoutMs: 0 })
    .run('send-sms', others)
    .catch(() => {});
  sandbox.faults.add(lost);
  const run = telephonyAt(sandbox.url).run('send-a-message', { to: sms.to, ...input });
  const sid = await run.then(
    (record) => record.sid,
    (error) => error.code,
  );
  expect(sid).toBe(isFound ? sandbox.messages[0]?.sid : 'unknown-outcome');
  const logRequests = sandbox.requests.filter(({ method }) => method === 'GET');
  expect(logRequests).toHaveLength(isFound ? 1 : 0);
});

const advice =
  'The outcome of "Send SMS" is unknown; it was not sent again. REASON Check your account\'s message log before you send it again.';
const until = 'until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC';
const unknown: [what: string, faults: Fault[], logRequests: number, reason: string][] = [
  [
    'a message that was never stored',
    [never],
    5,
    `The plugin checked "Account Messages" ${until} and did not find it.`,
  ],
  [
    'a message on a service without a message log',
    [lost, shownNowhere],
    1,
    'The plugin could not check the outcome, because the service has no "Account Messages".',
  ],
  [
    'a message whose log cannot be read',
    [lost, { name: 'server-error', method: 'GET', times: 9 }],
    5,
    `The plugin tried to check "Account Messages" ${until}, but could not read it.`,
  ],
];

test.each(unknown)(
  '%s stays unknown, and the error gives the reason',
  async (_, faults, logRequests, reason) => {
    const sandbox = await sandboxWith(...faults);
    const error = await telephonyAt(sandbox.url)
      .run('send-sms', sms)
      .catch((caught) => caught);
    expect(error.code).toBe('unknown-outcome');
    expect(error.message).toMatch(new RegExp(`${advice.replace('REASON', reason)}$`));
    expect(requestsOf(sandbox)).toEqual([
      'POST Messages.json ',
      ...Array(logRequests).fill(logRequest),
    ]);
  },
);

test('a message log that fails or lags at first is checked again', async () => {
  const sandbox = await sandboxWith(lost, { name: 'html', method: 'GET', times: 2 });
  const held: Sandbox['messages'] = [];
  jest.spyOn(Math, 'random').mockImplementation(() => {
    if (held.length === 0) held.push(...sandbox.messages.splice(0));
    if (sandbox.requests.length === 5) sandbox.messages.push(...held);
    return 0;
  });
  expect(await send(sandbox)).toBe(held[0]?.sid);
  expect(requestsOf(sandbox)).toHaveLength(6);
});

const seconds = (count: number) =>
  new Date(Date.now() + count * 1_000).toUTCString().replace('GMT', '+0000');
const others: [what: string, change: (message: Sandbox['messages'][number]) => object][] = [
  ['another text', () => ({ body: 'Hello!' })],
  ['another recipient', () => ({ to: '+12025550144' })],
  ['the same number without its country code', () => ({ to: '2025550143' })],
  ['another sender', () => ({ from: '+14155550101' })],
  ['the inbound copy of its recipient', () => ({ direction: 'inbound' })],
  ['an earlier message', () => ({ date_created: seconds(-60) })],
  ['a message dated in the future', () => ({ date_created: seconds(60) })],
  ['a message without a date', () => ({ date_created: null })],
];

test.each(others)('%s does not confirm a lost message', async (_, change) => {
  const sandbox = await sandboxWith(lost);
  jest.spyOn(Math, 'random').mockImplementation(() => {
    for (const message of sandbox.messages) Object.assign(message, change(message));
    return 0;
  });
  expect(await send(sandbox)).toBe('unknown-outcome');
});

test('a message does not count as confirmed by an earlier one in the same second', async () => {
  const sandbox = await sandboxWith();
  const first = await send(sandbox);
  sandbox.faults.add(never);
  const codes = [await send(sandbox), await send(sandbox)];
  expect(codes).toEqual(['unknown-outcome', sandbox.messages[0]?.sid]);
  expect(codes).not.toContain(first);
});

test('an earlier equal message does not hide the lost one', async () => {
  const sandbox = await sandboxWith();
  const first = await send(sandbox);
  sandbox.faults.add(lost);
  const second = await send(sandbox);
  expect(sandbox.messages.map(({ sid }) => sid)).toEqual([second, first]);
});

test('a message that cannot be confirmed does not prevent confirming others', async () => {
  const sandbox = await sandboxWith(lost);
  const picture = { to: sms.to, from: sms.from, mediaUrl: 'https://example.com/a.png' };
  const run = telephonyAt(sandbox.url).run('send-a-message', picture);
  expect(await outcome(run)).toBe('unknown-outcome');
  sandbox.faults.add(lost);
  expect(await send(sandbox)).toBe(sandbox.messages[0]?.sid);
});

test('one of two equal messages is confirmed if one was stored', async () => {
  const sandbox = await sandboxWith(lost, never);
  const codes = await Promise.all([send(sandbox), send(sandbox)]);
  expect(codes.sort()).toEqual([sandbox.messages[0]?.sid, 'unknown-outcome'].sort());
});

test('a message does not count as confirmed by an equal one still in progress', async () => {
  const slow: Fault = { name: 'slow', method: 'POST', delayMs: 300 };
  const sandbox = await sandboxWith(slow, never);
  const codes = await Promise.all([send(sandbox), send(sandbox)]);
  expect(codes.sort()).toEqual([sandbox.messages[0]?.sid, 'unknown-outcome'].sort());
});

test('a message waits for an equal one in progress, then finds its own record', async () => {
  const slow: Fault = { name: 'slow', method: 'POST', delayMs: 300 };
  const sandbox = await sandboxWith(slow, lost);
  const sids = await Promise.all([send(sandbox), send(sandbox)]);
  expect(sids.toSorted()).toEqual(sandbox.messages.map(({ sid }) => sid).sort());
  expect(new Set(sids).size).toBe(2);
});

test('a message does not count as confirmed by a record that an unknown one may own', async () => {
  const sandbox = await sandboxWith(lost, never);
  expect(await send(sandbox, { confirmTimeoutMs: 0 })).toBe('unknown-outcome');
  expect(await send(sandbox)).toBe('unknown-outcome');
  expect(sandbox.messages).toHaveLength(1);
});

test('turning confirmation off makes no further request', async () => {
  const sandbox = await sandboxWith(lost);
  expect(await send(sandbox, { confirmTimeoutMs: 0 })).toBe('unknown-outcome');
  expect(requestsOf(sandbox)).toEqual(['POST Messages.json ']);
});

test('confirming respects its time limit even if the message log does not respond', async () => {
  const sandbox = await sandboxWith(lost, {
    name: 'slow',
    method: 'GET',
    delayMs: 60_000,
    times: 9,
  });
  expect(await send(sandbox, { confirmTimeoutMs: 1_500 })).toBe('unknown-outcome');
  expect(requestsOf(sandbox)).toEqual(['POST Messages.json ', logRequest]);
});

test('the signal stops confirming', async () => {
  const sandbox = await sandboxWith(never);
  const stop = new AbortController();
  skipRetryWaits().mockImplementation(() => {
    stop.abort();
    return 1;
  });
  const run = telephonyAt(sandbox.url).run('send-sms', sms, { signal: stop.signal });
  const error = await run.catch((caught) => caught);
  expect(error.code).toBe('unknown-outcome');
  expect(error.message).toMatch(new RegExp(`${advice.replace('REASON ', '')}$`));
  expect(requestsOf(sandbox)).toEqual(['POST Messages.json ']);
});

/** A service whose clock is some seconds off, and which stores a message without responding. */
const serviceOf = (offset: number, created: number, sendsDate: boolean) => {
  const clock = (seconds = 0) => new Date(Date.now() + (offset + seconds) * 1_000).toUTCString();
  const { from, to, body } = sms;
  let date_created: string;
  return openRawServer((socket, { method }) => {
    date_created ??= clock(created);
    if (method === 'POST') return socket.resetAndDestroy();
    const messages = [{ sid: 'SM1', from, to, body, date_created }];
    const list = JSON.stringify({ messages, next_page_uri: null });
    return socket.write(answer(200, list, { Date: sendsDate ? clock() : null }));
  });
};

test.each([
  ['right', 0, 0, true, 'SM1'],
  ['an hour behind', -3_600, 0, true, 'SM1'],
  ['an hour ahead', 3_600, 0, true, 'SM1'],
  ['an hour behind and the message is older', -3_600, -60, true, 'unknown-outcome'],
  ['an hour ahead and the message is older', 3_600, -60, true, 'unknown-outcome'],
  ['unknown', 0, 0, false, 'unknown-outcome'],
])(
  'a lost message is confirmed, or not, if the clock of the service is %s',
  async (_, offset, created, sendsDate, expected) => {
    const { url } = await serviceOf(offset, created, sendsDate);
    expect(await outcome(telephonyAt(url).run('send-sms', sms))).toBe(expected);
  },
);
