import { connect, type TelephonyError } from '../../src/builder.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { openRawServer } from './open-raw-server.ts';
import { answer } from './raw-server.ts';
import { account, callSid, skipRetryWaits, sms, telephonyAt } from './service.ts';

afterEach(() => jest.restoreAllMocks());

const created = answer(201, JSON.stringify({ sid: 'SM1' }));
const call = answer(200, JSON.stringify({ sid: callSid }));
const codeOf = (run: Promise<unknown>) =>
  run.then(
    () => 'done',
    (error: TelephonyError) => error.code,
  );

/** Resolves when a client has read a 429 and is about to wait. */
const refusal = () =>
  new Promise<void>((resolve) => {
    skipRetryWaits().mockImplementation(() => {
      setImmediate(resolve);
      return 0;
    });
  });

test('a rate limit for audio delays no other request', async () => {
  const server = await openRawServer((socket, { method }) =>
    socket.write(method === 'GET' ? answer(429, '', { 'Retry-After': '20' }) : created),
  );
  const stop = new AbortController();
  const telephony = telephonyAt(server.url);
  const isRefused = refusal();
  const played = codeOf(telephony.media('recording', 'RE1', { signal: stop.signal }));
  await isRefused;
  expect(await codeOf(telephony.run('send-sms', sms))).toBe('done');
  stop.abort();
  expect(await played).toBe('aborted');
  expect(server.received.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

test('after a 429, all clients of the account wait, other accounts do not', async () => {
  const server = await openRawServer((socket, { path }) =>
    socket.write(path.includes(account.username) ? answer(429, '', { 'Retry-After': '20' }) : call),
  );
  const stop = new AbortController();
  const isRefused = refusal();
  const send = codeOf(telephonyAt(server.url).run('send-sms', sms, { waitSignal: stop.signal }));
  await isRefused;
  const read = codeOf(
    telephonyAt(server.url).run('view-a-call', { callSid }, { waitSignal: stop.signal }),
  );
  for (const other of [{ username: 'AC2' }, { accountSid: 'AC3' }]) {
    const { run } = connect({
      ...account,
      username: 'SK1',
      accountSid: 'AC4',
      ...other,
      baseUrl: server.url,
    });
    expect(await codeOf(run('view-a-call', { callSid }))).toBe('done');
  }
  stop.abort();
  expect([await send, await read]).toEqual(['aborted', 'aborted']);
  expect(server.received.filter(({ path }) => path.includes(account.username))).toHaveLength(1);
});

test.each([21611, 63038])(
  'a limit other than the rate limit (%i) does not pause other requests',
  async (code) => {
    const tooMany = answer(429, JSON.stringify({ code, message: 'No' }), { 'Retry-After': '20' });
    const server = await openRawServer((socket, { method }) =>
      socket.write(method === 'POST' ? tooMany : call),
    );
    const stop = new AbortController();
    const isRefused = refusal();
    const telephony = telephonyAt(server.url);
    const send = codeOf(telephony.run('send-sms', sms, { signal: stop.signal }));
    await isRefused;
    expect(await codeOf(telephony.run('view-a-call', { callSid }))).toBe('done');
    stop.abort();
    expect(await send).toBe('aborted');
  },
);

test('after a 429, one request is retried first, and those behind it fail if the pause is too long', async () => {
  skipRetryWaits();
  let refuse = () => {};
  const server = await openRawServer((socket) => {
    if (server.received.length === 1) socket.write(answer(429, ''));
    else refuse = () => socket.write(answer(429, '', { 'Retry-After': '3600' }));
  });
  const telephony = telephonyAt(server.url);
  const first = codeOf(telephony.run('send-sms', sms));
  while (server.received.length < 2) await flushSockets();
  const recipients = ['+12025550144', '+12025550145'];
  const others = recipients.map((to) =>
    telephony.run('send-sms', { ...sms, to }).catch((error: unknown) => error),
  );
  await flushSockets();
  refuse();
  expect(await first).toBe('rate-limited');
  for (const error of await Promise.all(others))
    expect(error).toMatchObject({
      ...{ name: 'TelephonyError', code: 'rate-limited', status: undefined, retryAfter: 3600 },
      message:
        'Rate limit reached for this account; the request was not sent. Try again in 3600 s.',
    });
  expect(server.received).toHaveLength(2);
  // A later request reaches the service.
  refuse = () => {};
  const later = codeOf(telephony.run('send-sms', sms));
  while (server.received.length < 3) await flushSockets();
  refuse();
  expect(await later).toBe('rate-limited');
});

test('time in the queue does not use up the retry budget', async () => {
  skipRetryWaits();
  const now = performance.now();
  let ahead = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now + ahead);
  const server = await openRawServer((socket) => {
    // The second request waits while the first one takes 40 s.
    if (server.received.length === 1) ahead += 40_000;
    socket.write(server.received.length === 2 ? answer(429, '') : created);
  });
  const telephony = telephonyAt(server.url, { concurrency: 1 });
  const both = [1, 2].map(() => codeOf(telephony.run('send-sms', sms)));
  expect(await Promise.all(both)).toEqual(['done', 'done']);
  expect(server.received).toHaveLength(3);
});

test('with a limit of 50 requests a second, 300 messages are sent once each with few refusals', async () => {
  const [together, most, messages] = [10, 50, 300];
  const sandbox = await openSandbox({ ...account, limit: { requests: most } });
  const seeded = sandbox.messages.length;
  const telephony = telephonyAt(sandbox.url, { concurrency: together });
  const bodies = Array.from({ length: messages }, (_, index) => `Message ${index}`);
  const codes = await Promise.all(
    bodies.map((body) => codeOf(telephony.run('send-sms', { ...sms, body }))),
  );
  expect(codes).toEqual(bodies.map(() => 'done'));
  const stored = sandbox.messages.slice(0, -seeded).map(({ body }) => body);
  expect(stored.sort()).toEqual(bodies.sort());
  const refused = sandbox.requests.filter(({ status }) => status === 429);
  // The client learns the limit from the first refusals.
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(2 * together + messages * 0.02);
}, 60_000);

/** Lets pending socket events happen. */
async function flushSockets() {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
}
