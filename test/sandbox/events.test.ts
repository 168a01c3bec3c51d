import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '../../demo/ports.ts';
import type { EventFault } from '../../demo/sandbox/index.ts';
import { signForm } from '../../demo/sandbox/signature.ts';
import { nodeHandler, receiveEvents } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { serveHttp } from '../support/serve-http.ts';
import { until } from '../support/until.ts';
import { given, NOW_TEXT, post, sandboxFor } from './client.ts';

const MAIN = '+14155550100';
const CALLER = '+12025550143';
const DRAFT = { From: MAIN, To: CALLER, Body: 'Hello' };

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  parameters: Record<string, string>;
}

interface Answer {
  status: number;
  body: string;
}

/** An app that records its requests, and answers them as the test wants. */
async function openApp(answer: () => Answer = () => empty) {
  const received: Received[] = [];
  const { url } = await serveHttp(async (request, response) => {
    const { method, url: path, headers } = request;
    const parameters = Object.fromEntries(new URLSearchParams(await text(request)));
    received.push({ method, url: path, headers, parameters });
    const { status, body } = answer();
    response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
  });
  const statuses = () =>
    received.map(({ parameters: p }) => p.MessageStatus ?? p.CallStatus ?? p.RecordingStatus);
  return { url: `${url}/events`, received, statuses };
}
const empty = { status: 200, body: '<Response/>' };

async function passes(sandbox: Sandbox, ...seconds: number[]) {
  for (const one of seconds) {
    sandbox.pass(one);
    await sandbox.events.settled();
  }
}

test('the sandbox posts each status of a message to its status callback, signed', async () => {
  const [sandbox, app] = [await sandboxFor(), await openApp()];
  const { body } = await post(sandbox, '/Messages.json', { ...DRAFT, StatusCallback: app.url });
  await passes(sandbox, 0.9);
  expect(app.received).toEqual([]);
  await passes(sandbox, 0.1, 2, 60);
  const parameters = (status: string) => ({
    ...{ SmsSid: body.sid, MessageSid: body.sid, SmsStatus: status, MessageStatus: status },
    ...{ From: MAIN, To: CALLER, AccountSid: sandbox.username, ApiVersion: '2010-04-01' },
  });
  expect(app.received.map(({ parameters: one }) => one)).toEqual([
    parameters('sent'),
    parameters('delivered'),
  ]);
  const [first] = app.received;
  expect(first).toMatchObject({ method: 'POST', url: '/events' });
  const pairs = Object.entries(parameters('sent'));
  expect(given(first).headers).toMatchObject({
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    'x-twilio-signature': signForm(sandbox.password, app.url, pairs),
    'i-twilio-idempotency-token': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(sandbox.events.log.map(({ tries }) => tries)).toEqual([[200], [200]]);
});

test.each([
  ['+15005553003', ['sent', 'undelivered'], '30003'],
  ['+15005553001', ['failed'], '30001'],
])('a message to %s gets the statuses %j and its error code', async (To, statuses, ErrorCode) => {
  const [sandbox, app] = [await sandboxFor(), await openApp()];
  await post(sandbox, '/Messages.json', { ...DRAFT, To, StatusCallback: app.url });
  await passes(sandbox, 10);
  expect(app.statuses()).toEqual(statuses);
  expect(app.received.at(-1)?.parameters.ErrorCode).toBe(ErrorCode);
});

test('a message without a status callback causes no webhook', async () => {
  const sandbox = await sandboxFor();
  await post(sandbox, '/Messages.json', DRAFT);
  await passes(sandbox, 10);
  expect(sandbox.events.log).toEqual([]);
});

const incoming = { from: CALLER, to: MAIN, body: 'Yes & <no> 👍' };

test('an incoming message causes a webhook, and the sandbox sends the reply', async () => {
  const reply = 'We &lt;are&gt; here &amp; wait&#xD;\n🙂';
  const app = await openApp(() => ({
    status: 200,
    body: `<?xml version="1.0"?><Response><Message>${reply}</Message></Response>`,
  }));
  const sandbox = await sandboxFor({ numbers: { [MAIN]: { smsUrl: app.url } } });
  const { sid } = sandbox.receiveMessage(incoming);
  await sandbox.events.settled();
  expect(app.received[0]?.parameters).toEqual({
    ...{ ToCountry: 'US', ToState: '', ToCity: '', ToZip: '', FromCountry: 'US' },
    ...{ SmsMessageSid: sid, SmsSid: sid, MessageSid: sid, SmsStatus: 'received' },
    ...{ Body: incoming.body, From: CALLER, To: MAIN, NumMedia: '0', NumSegments: '1' },
    ...{ AccountSid: sandbox.username, ApiVersion: '2010-04-01' },
  });
  expect(sandbox.messages.slice(0, 2)).toMatchObject([
    {
      ...{ from: MAIN, to: CALLER, body: 'We <are> here & wait\r\n🙂' },
      ...{ status: 'queued', direction: 'outbound-reply' },
    },
    { sid, ...incoming, status: 'received', direction: 'inbound', date_created: NOW_TEXT },
  ]);
});

test('a number without a webhook URL receives messages, too', async () => {
  const sandbox = await sandboxFor();
  const { sid } = sandbox.receiveMessage(incoming);
  await sandbox.events.settled();
  expect([sandbox.messages[0]?.sid, sandbox.events.log]).toEqual([sid, []]);
});

const voice = (content: string) => ({ status: 200, body: `<Response>${content}</Response>` });

/** A number whose calls an app answers with this, and what the app gets of its calls. */
async function openLine(content: string) {
  const line = await openApp(() => voice(content));
  const other = await openApp();
  const sandbox = await sandboxFor({
    numbers: {
      [MAIN]: {
        ...{ voiceUrl: line.url, statusCallback: other.url },
        statusCallbackEvents: ['answered', 'completed'],
      },
    },
  });
  return { line, sandbox, statuses: other.statuses };
}

test('a call to a number with a webhook URL for calls requests instructions there', async () => {
  const { line, sandbox, statuses } = await openLine(
    '<Say language="de-DE">Wir rufen zurück</Say>',
  );
  const { sid } = sandbox.receiveCall({ from: CALLER, to: MAIN });
  await passes(sandbox, 0);
  expect(line.received.map(({ parameters }) => parameters)).toEqual([
    {
      ...{ CallSid: sid, CallStatus: 'ringing', Direction: 'inbound', ApiVersion: '2010-04-01' },
      ...{ From: CALLER, Caller: CALLER, To: MAIN, Called: MAIN, AccountSid: sandbox.username },
      ...{ FromCountry: 'US', ToCountry: 'US', CallerCountry: 'US', CalledCountry: 'US' },
    },
  ]);
  expect(sandbox.calls[0]).toMatchObject({ sid, status: 'ringing' });
  await passes(sandbox, 2);
  expect(sandbox.calls[0]).toMatchObject({ sid, status: 'in-progress' });
  await passes(sandbox, 2);
  expect(sandbox.calls[0]).toMatchObject({ sid, status: 'completed', duration: '2' });
  expect(statuses()).toEqual(['in-progress', 'completed']);
});

test('an app forwards a call', async () => {
  const dial =
    '<Dial timeout="9" callerId="+14155550101" answerOnBridge="true">+13105550177</Dial>';
  const { sandbox, statuses } = await openLine(dial);
  const { sid } = sandbox.receiveCall({ from: CALLER, to: MAIN, seconds: 7 });
  await passes(sandbox, 0, 2);
  expect(sandbox.calls.slice(0, 2)).toMatchObject([
    {
      ...{ from: '+14155550101', to: '+13105550177', status: 'ringing' },
      ...{ direction: 'outbound-dial', parent_call_sid: sid },
    },
    { sid, status: 'ringing', direction: 'inbound' },
  ]);
  await passes(sandbox, 2);
  expect(sandbox.calls.slice(0, 2).map(({ status }) => status)).toEqual(
    Array(2).fill('in-progress'),
  );
  await passes(sandbox, 7);
  expect(sandbox.calls.slice(0, 2)).toMatchObject(
    Array(2).fill({ status: 'completed', duration: '7' }),
  );
  expect(statuses()).toEqual(['in-progress', 'completed']);
});

test.each([
  ['no-answer' as const, 9],
  ['busy' as const, 2],
])('a forwarded call that ends as %s was not answered', async (forwarded, seconds) => {
  const dial = '<Dial timeout="9" answerOnBridge="true">+13105550177</Dial>';
  const { sandbox, statuses } = await openLine(dial);
  sandbox.receiveCall({ from: CALLER, to: MAIN, forwarded });
  await passes(sandbox, 0, 2, seconds);
  expect(sandbox.calls.slice(0, 2).map(({ status }) => status)).toEqual([forwarded, 'no-answer']);
  expect(statuses()).toEqual(['no-answer']);
});

test.each([
  [4, '4'],
  [99, '30'],
])('an app records a message of %s seconds', async (seconds, duration) => {
  const recorder = await openApp();
  const { line, sandbox, statuses } = await openLine(
    `<Say>Please speak</Say><Record maxLength="30" recordingStatusCallback="${recorder.url}?a=1&amp;b"/>`,
  );
  const { sid } = sandbox.receiveCall({ from: CALLER, to: MAIN, seconds });
  await passes(sandbox, 0, 2, 1);
  const [recording] = sandbox.recordings;
  expect(recording).toMatchObject({ call_sid: sid, status: 'in-progress', source: 'RecordVerb' });
  await passes(sandbox, Number(duration));
  expect(recording).toMatchObject({ status: 'completed', duration });
  expect(recorder.received).toMatchObject([
    {
      url: '/events?a=1&b',
      parameters: {
        ...{ RecordingSid: recording?.sid, CallSid: sid, RecordingStatus: 'completed' },
        ...{ RecordingDuration: duration, RecordingSource: 'RecordVerb' },
      },
    },
  ]);
  // The service requests the next instructions from the same URL.
  expect(line.received.slice(1)).toMatchObject([
    { parameters: { CallSid: sid, CallStatus: 'completed', Digits: 'hangup' } },
  ]);
  expect(statuses()).toEqual(['in-progress', 'completed']);
});

test('a call that an app has nothing for is answered and ends at once', async () => {
  const { sandbox, statuses } = await openLine('');
  sandbox.receiveCall({ from: CALLER, to: MAIN });
  await passes(sandbox, 0, 2);
  expect(sandbox.calls[0]).toMatchObject({ status: 'completed', duration: '0' });
  expect(statuses()).toEqual(['in-progress', 'completed']);
});

test('a caller can hang up before an app has answered', async () => {
  const { line, sandbox, statuses } = await openLine('<Say>Hello</Say>');
  sandbox.receiveCall({ from: CALLER, to: MAIN, end: 'no-answer' });
  await passes(sandbox, 0, 2, 10);
  expect([line.received.length, statuses()]).toEqual([1, ['no-answer']]);
});

test.each([
  ['that someone answers', {}, ['ringing', 'in-progress', 'completed'], '10'],
  ['that no one answers', { end: 'no-answer' as const }, ['ringing', 'no-answer'], '0'],
  ['to a busy line', { end: 'busy' as const }, ['ringing', 'busy'], '0'],
])(
  'a call %s causes webhooks for the events its number subscribes to',
  async (_, how, statuses, CallDuration) => {
    const app = await openApp();
    const all = ['ringing', 'answered', 'completed'] as const;
    const sandbox = await sandboxFor({
      numbers: {
        [MAIN]: { statusCallback: app.url, statusCallbackEvents: [...all] },
        '+14155550101': { statusCallback: app.url },
      },
    });
    const call = sandbox.receiveCall({ from: CALLER, to: MAIN, ...how });
    await passes(sandbox, 0, 2, 10);
    expect(app.statuses()).toEqual(statuses);
    expect(app.received.at(-1)?.parameters).toMatchObject({
      ...{ CallSid: call.sid, CallDuration, Direction: 'inbound', From: CALLER, To: MAIN },
      ...{ SequenceNumber: String(statuses.length - 1), CallbackSource: 'call-progress-events' },
    });
    const lasted = Date.parse(call.end_time ?? '') - Date.parse(call.start_time ?? '');
    expect(lasted).toBe(Number(CallDuration) * 1_000);
    // By default, a number reports only the end.
    sandbox.receiveCall({ from: CALLER, to: '+14155550101', ...how });
    await passes(sandbox, 0, 2, 10);
    expect(app.statuses()).toEqual([...statuses, statuses.at(-1)]);
  },
);

test.each([
  ['the steps in StatusCallbackEvent', 'answered', ['in-progress']],
  ['only the end, without StatusCallbackEvent,', undefined, ['completed']],
])('the sandbox reports %s of a call that it places', async (_, event, statuses) => {
  const [sandbox, app] = [await sandboxFor(), await openApp()];
  const { body } = await post(sandbox, '/Calls.json', {
    ...{ From: MAIN, To: CALLER, StatusCallback: app.url },
    // It speaks thirty characters in two seconds.
    Twiml: `<Response><Say>${'x'.repeat(30)}</Say></Response>`,
    ...(event && { StatusCallbackEvent: event }),
  });
  const [call] = sandbox.calls;
  expect([call?.sid, call?.status]).toEqual([body.sid, 'queued']);
  await passes(sandbox, 1);
  expect(call?.status).toBe('ringing');
  await passes(sandbox, 2);
  expect(call?.status).toBe('in-progress');
  await passes(sandbox, 1.9);
  expect(call?.status).toBe('in-progress');
  await passes(sandbox, 0.1);
  expect(call).toMatchObject({ status: 'completed', duration: '2' });
  expect(app.statuses()).toEqual(statuses);
});

test('a call with a URL of instructions requests them when it is answered', async () => {
  const [sandbox, app] = [await sandboxFor(), await openApp()];
  const { body } = await post(sandbox, '/Calls.json', { From: MAIN, To: CALLER, Url: app.url });
  await passes(sandbox, 1, 2, 10);
  expect(app.received.map(({ parameters }) => [parameters.CallSid, parameters.CallStatus])).toEqual(
    [[body.sid, 'in-progress']],
  );
  expect(sandbox.calls[0]).toMatchObject({ status: 'completed', duration: '10' });
});

test('the sandbox reports a recording when its call ends', async () => {
  const [sandbox, app] = [await sandboxFor(), await openApp()];
  const call = sandbox.receiveCall({ from: CALLER, to: MAIN, seconds: 4 });
  await passes(sandbox, 2);
  const { body } = await post(sandbox, `/Calls/${call.sid}/Recordings.json`, {
    RecordingStatusCallback: app.url,
  });
  await passes(sandbox, 3);
  expect(app.received).toEqual([]);
  await passes(sandbox, 1, 60);
  expect(app.received.map(({ parameters }) => parameters)).toEqual([
    {
      ...{ RecordingSid: body.sid, CallSid: call.sid, RecordingStatus: 'completed' },
      ...{ RecordingUrl: body.media_url, RecordingDuration: '4', RecordingChannels: '1' },
      ...{ RecordingSource: 'StartCallRecordingAPI', RecordingTrack: 'both', ErrorCode: '0' },
      RecordingStartTime: expect.stringContaining('15:00:02'),
      AccountSid: sandbox.username,
    },
  ]);
});

test('a recording of an open-ended call completes after a minute', async () => {
  const [sandbox, app] = [await sandboxFor(), await openApp()];
  const call = given(sandbox.calls.find(({ status }) => status === 'in-progress'));
  await post(sandbox, `/Calls/${call.sid}/Recordings.json`, { RecordingStatusCallback: app.url });
  await passes(sandbox, 60);
  expect(app.received[0]?.parameters).toMatchObject({ RecordingDuration: '60' });
});

test('a stopped recording completes after a second, while its call goes on', async () => {
  const [sandbox, app] = [await sandboxFor(), await openApp()];
  const call = given(sandbox.calls.find(({ status }) => status === 'in-progress'));
  const url = `/Calls/${call.sid}/Recordings`;
  const { body } = await post(sandbox, `${url}.json`, { RecordingStatusCallback: app.url });
  await passes(sandbox, 3);
  const stopped = await post(sandbox, `${url}/${body.sid}.json`, { Status: 'stopped' });
  expect(stopped).toMatchObject({ status: 200, body: { status: 'stopped', duration: '3' } });
  await passes(sandbox, 0.5);
  expect(app.received).toEqual([]);
  await passes(sandbox, 0.5, 60);
  expect(app.received.map(({ parameters }) => parameters)).toMatchObject([
    { RecordingSid: body.sid, RecordingStatus: 'completed', RecordingDuration: '3' },
  ]);
  expect(call.status).toBe('in-progress');
});

test.each([
  ['ringing', 1, 'canceled', '0'],
  ['in-progress', 4, 'completed', '2'],
])('a call that is ended while %s is reported once', async (_, after, status, CallDuration) => {
  const app = await openApp();
  const sandbox = await sandboxFor({ numbers: { [MAIN]: { statusCallback: app.url } } });
  const call = sandbox.receiveCall({ from: CALLER, to: MAIN });
  await passes(sandbox, after);
  const ended = await post(sandbox, `/Calls/${call.sid}.json`, { Status: 'completed' });
  expect(ended).toMatchObject({ status: 200, body: { sid: call.sid, status } });
  await passes(sandbox, 60);
  expect(app.received.map(({ parameters }) => parameters)).toMatchObject([
    { CallSid: call.sid, CallStatus: status, CallDuration, SequenceNumber: '0' },
  ]);
});

const failing = (...statuses: number[]) => {
  const left = [...statuses];
  return () => ({ status: left.shift() ?? 200, body: '' });
};

test.each([
  ['', [500], [500]],
  ['', [404], [404]],
  ['', [302], [302]],
  ['#rc=2&rp=5xx', [503, 500], [503, 500, 200]],
  ['#rc=1&rp=5xx', [500, 500], [500, 500]],
  ['#rc=2&rp=4xx', [500], [500]],
  ['#rc=2&rp=4xx,5xx', [404, 500], [404, 500, 200]],
  ['#rc=9&rp=all', [500, 404, 500, 404, 500, 500, 500], [500, 404, 500, 404, 500, 500]],
  ['#rp=ct', [500], [500]],
  ['#rc=0&rp=all', [500], [500]],
])(
  'at a webhook URL that ends in %j and responds %j, the attempts are %j',
  async (fragment, statuses, tries) => {
    const app = await openApp(failing(...statuses));
    const sandbox = await sandboxFor({ numbers: { [MAIN]: { smsUrl: app.url + fragment } } });
    sandbox.receiveMessage(incoming);
    await sandbox.events.settled();
    expect(sandbox.events.log.map((one) => one.tries)).toEqual([tries]);
    // All attempts are the same request, and the signature does not cover the fragment.
    const tokens = app.received.map(({ headers }) => headers['i-twilio-idempotency-token']);
    expect(new Set(tokens).size).toBe(1);
    const [first] = app.received;
    expect(first?.headers['x-twilio-signature']).toBe(
      signForm(sandbox.password, app.url, Object.entries(given(first).parameters)),
    );
  },
);

test('the sandbox retries a refused connection once, and never posts to other machines', async () => {
  const closed = `http://127.0.0.1:${await freePort()}/events`;
  const sandbox = await sandboxFor({
    numbers: {
      [MAIN]: { smsUrl: closed },
      '+14155550101': { smsUrl: 'https://app.example.com/events' },
      '+14155550102': { smsUrl: 'no address' },
    },
  });
  for (const to of [MAIN, '+14155550101', '+14155550102'])
    sandbox.receiveMessage({ ...incoming, to });
  await sandbox.events.settled();
  expect(sandbox.events.log.map(({ tries }) => tries)).toEqual([
    ['no-connection', 'no-connection'],
    ['not-here'],
    ['not-here'],
  ]);
});

test('the webhook URL sets how long the sandbox waits for a response', async () => {
  const { url } = await serveHttp(() => {});
  const sandbox = await sandboxFor({
    numbers: { [MAIN]: { smsUrl: `${url}#rt=100&rc=1&rp=rt` } },
  });
  sandbox.receiveMessage(incoming);
  await sandbox.events.settled();
  expect(sandbox.events.log[0]?.tries).toEqual(['no-answer', 'no-answer']);
});

/** Receives three messages, one a second. */
async function three(fault: EventFault) {
  const app = await openApp();
  const sandbox = await sandboxFor({ numbers: { [MAIN]: { smsUrl: app.url } } });
  sandbox.events.faults.add(fault);
  for (const body of ['one', 'two', 'three']) {
    sandbox.receiveMessage({ ...incoming, body });
    // A webhook that waits for another one is not sent before it.
    await until(() => !sandbox.events.isSending);
    sandbox.pass(1);
  }
  await passes(sandbox, 10);
  return { app, sandbox, bodies: app.received.map(({ parameters }) => parameters.Body) };
}

test.each([
  [{ name: 'repeat' }, ['one', 'one', 'two', 'three']],
  [{ name: 'repeat', times: 2 }, ['one', 'one', 'two', 'two', 'three']],
  [{ name: 'reorder' }, ['two', 'one', 'three']],
  [{ name: 'delay', seconds: 1.5 }, ['two', 'one', 'three']],
  [{ name: 'delay' }, ['two', 'three', 'one']],
  [{ name: 'repeat', path: 'elsewhere' }, ['one', 'two', 'three']],
  [{ name: 'forge' }, ['Send the money to this account.', 'one', 'two', 'three']],
] satisfies [EventFault, string[]][])(
  'with the fault %j, the app receives %j',
  async (fault, expected) => {
    const { app, sandbox, bodies } = await three(fault);
    expect([...bodies].sort()).toEqual([...expected].sort());
    if (fault.name !== 'forge') expect(bodies).toEqual(expected);
    const signed = app.received.map(
      ({ headers, parameters }) =>
        headers['x-twilio-signature'] ===
        signForm(sandbox.password, app.url, Object.entries(parameters)),
    );
    expect(signed.filter((one) => !one)).toHaveLength(fault.name === 'forge' ? 1 : 0);
  },
);

test('a webhook held back for reordering is sent even if no other one follows', async () => {
  const app = await openApp();
  const sandbox = await sandboxFor({ numbers: { [MAIN]: { smsUrl: app.url } } });
  sandbox.events.faults.add({ name: 'reorder' });
  sandbox.receiveMessage(incoming);
  await sandbox.events.settled();
  expect(app.received).toHaveLength(1);
});

test('the control API drives numbers, event faults, messages, calls and the clock', async () => {
  const [sandbox, app] = [await sandboxFor(), await openApp()];
  const at = async (method: string, path: string, value?: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${sandbox.origin}/sandbox/${path}`, {
      ...{ method, ...(value && { headers, body: JSON.stringify(value) }) },
    });
    return { status: answer.status, body: await answer.json() };
  };
  const numbers = { [MAIN]: { smsUrl: app.url, statusCallback: app.url } };
  expect(await at('PATCH', 'numbers', numbers)).toEqual({ status: 200, body: numbers });
  expect(await at('GET', 'numbers')).toEqual({ status: 200, body: numbers });
  expect(await at('POST', 'event-faults', { name: 'repeat' })).toEqual({
    status: 201,
    body: [{ name: 'repeat', times: 1 }],
  });
  const message = await at('POST', 'messages', incoming);
  expect(message).toMatchObject({ status: 201, body: { ...incoming, status: 'received' } });
  const call = await at('POST', 'calls', { from: CALLER, to: MAIN, end: 'busy' });
  expect(call).toMatchObject({ status: 201, body: { status: 'ringing' } });
  expect((await at('POST', 'clock', { seconds: 2 })).body).toEqual({
    now: '2026-03-11T15:00:02.000Z',
  });
  expect((await at('GET', 'events')).body).toMatchObject([
    { tries: [200, 200], parameters: { Body: incoming.body } },
    { tries: [200], parameters: { CallStatus: 'busy' } },
  ]);
  expect(app.received).toHaveLength(3);
  expect(await at('POST', 'messages', { from: CALLER })).toMatchObject({ status: 400 });
  expect(await at('POST', 'event-faults', { name: 'html' })).toMatchObject({ status: 400 });

  await at('POST', 'reset');
  expect((await at('GET', 'events')).body).toEqual([]);
  expect((await at('GET', 'numbers')).body).toEqual({});
});

test('a sandbox on real time reports events by itself', async () => {
  const [sandbox, app] = [await openSandbox(), await openApp()];
  await post(sandbox, '/Messages.json', { ...DRAFT, StatusCallback: app.url });
  sandbox.pass(0.99);
  await until(() => app.received.length > 0);
  sandbox.pass(1.99);
  await until(() => app.received.length > 1);
  expect(app.statuses()).toEqual(['sent', 'delivered']);
});

test('the plugin delivers each event once under repeats and reordering, and refuses forgeries', async () => {
  const delivered: string[] = [];
  const refused: string[] = [];
  const { url } = await serveHttp((request, response) => nodeHandler(receive)(request, response));
  const address = `${url}/events`;
  const sandbox = await sandboxFor({
    numbers: { [MAIN]: { smsUrl: address, statusCallback: address } },
  });
  const { username, password } = sandbox;
  const receive = receiveEvents(
    { username, password },
    {
      url: address,
      onEvent: ({ id, record }) => {
        delivered.push(`${id} ${record.sid} ${record.status}`);
        return id === 'sms-received' ? `Thank you for "${record.body}"` : undefined;
      },
      onOutcome: (one) => {
        if (one.outcome === 'refused') refused.push(one.reason);
      },
    },
  );
  for (const name of ['repeat', 'forge', 'reorder'] as const)
    sandbox.events.faults.add({ name, times: 40, probability: 0.4 });
  const expected: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    const { sid } = sandbox.receiveMessage({ ...incoming, body: `Message ${round}` });
    const call = sandbox.receiveCall({ from: CALLER, to: MAIN, seconds: 3 });
    await passes(sandbox, 2);
    const recording = await post(sandbox, `/Calls/${call.sid}/Recordings.json`, {
      RecordingStatusCallback: address,
    });
    const sent = await post(sandbox, '/Messages.json', { ...DRAFT, StatusCallback: address });
    await passes(sandbox, 1, 2, 3);
    expected.push(
      ...[`sms-received ${sid} received`, `call-status ${call.sid} completed`],
      ...[`recording-ready ${recording.body.sid} completed`],
      `message-status ${sent.body.sid} delivered`,
    );
  }
  expect(new Set(delivered).size).toBe(delivered.length);
  expect(delivered.filter((one) => !one.endsWith(' sent')).sort()).toEqual(expected.sort());
  expect(refused.length).toBeGreaterThan(5);
  expect(new Set(refused)).toEqual(new Set(['signature']));
  const replies = sandbox.messages.filter(({ direction }) => direction === 'outbound-reply');
  expect(replies.map(({ body }) => body).sort()).toEqual(
    Array.from({ length: 20 }, (_, round) => `Thank you for "Message ${round}"`).sort(),
  );
});
