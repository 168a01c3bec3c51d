import { getEventListeners } from 'node:events';
import { type Http, nodeHttp } from '../../src/builder.ts';
import { errorOf } from '../requests/errors.ts';
import { type Differences, endOf, endWith } from './ends.ts';
import { faults } from './fault-table.ts';
import { fetchHttp } from './fetch-http.ts';
import { openRawServer } from './open-raw-server.ts';
import { answer } from './raw-server.ts';
import { runFaults } from './run-against-fault.ts';
import {
  account,
  accountPath,
  basic,
  callSid,
  skipRetryWaits,
  sms,
  telephonyAt,
} from './service.ts';

const differences: Differences = {
  unproven: [
    'an https URL of an http server',
    'a TLS handshake without an answer',
    'a reset in the TLS handshake',
  ],
  broken: ['407', '000', 'headers over the size limit'],
  others: {
    // The standard of `fetch` repeats a request that reached a wrong server, which did nothing.
    '421, read': { arrived: 2 },
    '421, write': { arrived: 2 },
    'status 100 and nothing more, read': { code: 'unavailable' },
  },
};

describe('each fault', () => {
  const ways = [
    ['read', 'fetch', fetchHttp],
    ['write', 'fetch', fetchHttp],
  ] as const;
  const ended = runFaults(faults, ways);

  describe.each(faults)('$name', (fault) => {
    test.each(ways)('a %s over %s ends as expected', async (operation, over) => {
      const { outcome } = await ended(fault, operation, over);
      expect(endOf(outcome)).toEqual(endWith(differences, fault, operation));
    });
  });
});

/** A response without a server. */
const respond = (text: string, status = 200): Http => {
  async function* body() {
    yield Buffer.from(text);
  }
  return async () => ({ status, headers: {}, body: body() });
};
const at = 'https://service.test';
const limits = { maxAttempts: 3, confirmTimeoutMs: 0, idleTimeoutMs: 100, timeoutMs: 150 };
const record = `{"sid":"${callSid}","status":"queued"}`;
const send = (http: Http) => telephonyAt(at, limits, http).run('send-sms', sms);

test('an HTTP function gets the whole request', async () => {
  const http = jest.fn(respond(record));
  expect(await send(http)).toMatchObject({ sid: callSid, status: 'queued' });
  expect(http.mock.calls).toEqual([
    [
      {
        method: 'POST',
        url: `${at}${accountPath}/Messages.json`,
        headers: {
          Accept: 'application/json',
          Authorization: `Basic ${basic}`,
          'Content-Type': 'application/x-www-form-urlencoded',
          'User-Agent': expect.stringMatching(/^telephony-plugin\//),
        },
        body: 'From=%2B14155550100&To=%2B12025550143&Body=Hello',
        signal: expect.any(AbortSignal),
      },
    ],
  ]);
});

const throws =
  (error: unknown): Http =>
  async () => {
    throw error;
  };

test.each([
  ['nothing', undefined],
  ['an error without a code', new Error('No.')],
  ['a code only', Object.assign(new Error('No.'), { code: 'ECONNREFUSED' })],
  ['a text', 'ECONNREFUSED'],
  ['something that is not certain', Object.assign(new Error('No.'), { notSent: 'perhaps' })],
])('an action is not sent again if its HTTP function throws %s', async (_, thrown) => {
  const http = jest.fn(throws(thrown));
  expect((await errorOf(send(http))).code).toBe('unknown-outcome');
  expect(http).toHaveBeenCalledTimes(1);
});

test('an action is sent again if nothing was sent', async () => {
  const random = skipRetryWaits();
  const notSent = throws(Object.assign(new Error('No.'), { code: 'EHOSTDOWN', notSent: true }));
  const http = jest.fn(respond(record)).mockImplementationOnce(notSent);
  expect(await send(http)).toMatchObject({ status: 'queued' });
  const failing = jest.fn(notSent);
  const { code, message } = await errorOf(send(failing));
  expect([code, message]).toEqual(['unavailable', expect.stringContaining('(EHOSTDOWN)')]);
  expect(failing).toHaveBeenCalledTimes(limits.maxAttempts);
  random.mockRestore();
});

test('no error contains what an HTTP function throws, except its code', async () => {
  const secret = Object.assign(new Error(`${account.password} ${basic}`), {
    ...{ code: `E ${account.password}`, config: { headers: basic }, cause: { code: 'EPIPE' } },
  });
  const error = await errorOf(telephonyAt(at, limits, throws(secret)).run('account-calls'));
  expect(error.message).toContain('(EPIPE)');
  const text = JSON.stringify([error.message, error.stack, Object.entries(error), error.cause]);
  for (const form of [account.password, basic]) expect(text).not.toContain(form);
});

describe('an HTTP function that ignores its signal', () => {
  const never = new Promise<never>(() => {});
  const headers = {};
  async function* silent() {
    yield Buffer.from('{');
    await never;
  }
  async function* endless() {
    for (;;) {
      yield Buffer.from(' ');
      await new Promise(setImmediate);
    }
  }
  const hanging: [what: string, http: Http, code: string][] = [
    ['without a response', () => never, 'timeout'],
    ['in the body', async () => ({ status: 200, headers, body: silent() }), 'timeout'],
    ['with an endless body', async () => ({ status: 200, headers, body: endless() }), 'timeout'],
  ];

  test.each(hanging)('ends at the limits %s', async (_, http, code) => {
    const telephony = telephonyAt(at, { ...limits, maxAttempts: 1 }, http);
    expect((await errorOf(telephony.run('account-calls'))).code).toBe(code);
  });

  test.each(hanging)('ends with the caller’s signal %s', async (_, http) => {
    const stop = new AbortController();
    const telephony = telephonyAt(at, { ...limits, idleTimeoutMs: 9_000, timeoutMs: 9_000 }, http);
    const run = telephony.run('account-calls', {}, { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect((await errorOf(run)).code).toBe('aborted');
  });
});

test('a response over the size limit is refused', async () => {
  const telephony = telephonyAt(at, { maxResponseBytes: 10 }, respond(record));
  expect((await errorOf(telephony.run('account-calls'))).code).toBe('bad-answer');
});

test.each([
  ['fetch', fetchHttp],
  ['node:http', nodeHttp],
])('media over %s is a stream, whose download ends with the signal', async (_, http) => {
  const audio = (text: string) => answer(200, text, { 'Content-Type': 'audio/mpeg' });
  const { url, received } = await openRawServer((socket, { path }) =>
    socket.write(path.includes('RE2') ? audio('sound').subarray(0, -2) : audio('sound')),
  );
  const telephony = telephonyAt(url, {}, http);
  const stop = new AbortController();
  const { stream, headers } = await telephony.media('recording', 'RE1', { signal: stop.signal });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(headers['content-type']).toBe('audio/mpeg');
  expect(String(Buffer.concat(chunks))).toBe('sound');
  expect(received[0]?.headers).toMatch(/^accept-encoding: identity$/im);
  const cut = await telephony.media('recording', 'RE2', { signal: stop.signal });
  const read = (async () => {
    for await (const __ of cut.stream) stop.abort();
  })();
  expect((await errorOf(read)).code).toBe('aborted');
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
});
