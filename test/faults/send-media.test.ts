import { once } from 'node:events';
import { type Listener, sendMedia, TelephonyError } from '../../src/builder.ts';
import { serveHttp } from '../support/serve-http.ts';
import { openRawServer } from './open-raw-server.ts';
import { answer, type RawServer } from './raw-server.ts';
import { telephonyAt } from './service.ts';

const limits = { idleTimeoutMs: 1_500, timeoutMs: 2_000, maxAttempts: 1 };
const type = { 'Content-Type': 'audio/mpeg' };
const wholeRecording = answer(200, 'sound', { ...type, 'Content-Length': '5' });
const half = answer(200, 'sound', { ...type, 'Content-Length': '10' });

/** Serves recordings of a service that sends some bytes. */
async function serve(
  bytes: string | Buffer,
  listener?: Listener,
): Promise<[url: string, wire: RawServer]> {
  const wire = await openRawServer((socket) => socket.write(bytes));
  const telephony = telephonyAt(wire.url, limits);
  const { url } = await serveHttp((request, response) =>
    sendMedia(
      request,
      response,
      (options) => telephony.media('recording', 'RE1', options),
      listener,
    ),
  );
  return [url, wire];
}

const guards = {
  'content-security-policy': 'sandbox',
  vary: 'Cookie',
  'x-content-type-options': 'nosniff',
};
const cached = { ...guards, 'cache-control': 'private, max-age=3600' };
const notCached = { ...guards, 'cache-control': 'no-store' };
const errorHeaders = { ...notCached, 'content-type': 'text/plain; charset=utf-8' };

async function listen(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  const unchecked = ['connection', 'date', 'keep-alive', 'transfer-encoding'];
  const headers = [...response.headers].filter(([name]) => !unchecked.includes(name));
  return [response.status, Object.fromEntries(headers), await response.text()];
}

const unplayable = 'It is currently unavailable.';
const whole = { 'Content-Range': 'bytes */5', 'Content-Length': '27', 'Accept-Ranges': 'bytes' };

const answers: [what: string, bytes: string | Buffer, received: unknown[]][] = [
  [
    'a recording',
    wholeRecording,
    [200, { ...cached, 'content-type': 'audio/mpeg', 'content-length': '5' }, 'sound'],
  ],
  [
    'a part of a recording',
    answer(206, 'so', { ...type, 'Content-Range': 'bytes 0-1/5', 'Content-Length': '2' }),
    [
      206,
      {
        ...cached,
        'content-type': 'audio/mpeg',
        'content-length': '2',
        'content-range': 'bytes 0-1/5',
      },
      'so',
    ],
  ],
  [
    'a range beyond the end',
    answer(416, '<script>alert(1)</script>..', { 'Content-Type': 'text/html', ...whole }),
    [416, { ...notCached, 'content-range': 'bytes */5' }, ''],
  ],
  [
    'a web page',
    answer(200, '<script>alert(1)</script>', {
      'Content-Type': 'text/html',
      'Content-Length': '25',
    }),
    [502, errorHeaders, unplayable],
  ],
  ['nothing found', answer(404, ''), [404, errorHeaders, 'This recording has no audio (yet).']],
  ['rejected credentials', answer(401, ''), [502, errorHeaders, unplayable]],
  ['a server error', answer(500, ''), [502, errorHeaders, unplayable]],
];

test.each(answers)('the listener receives the answer for %s', async (_, bytes, wanted) => {
  const [url] = await serve(bytes);
  expect(await listen(url)).toEqual(wanted);
});

test('a listener who may know the reason gets it', async () => {
  const [url] = await serve(answer(401, ''), { mayKnowWhy: true });
  expect(await listen(url)).toEqual([
    502,
    errorHeaders,
    'The service does not allow access to this recording.',
  ]);
});

const ofTheAccount: [listener: Listener | undefined, sentence: string][] = [
  [undefined, unplayable],
  [{}, unplayable],
  [{ mayKnowWhy: false }, unplayable],
  [{ mayKnowWhy: true }, '"password" in the settings is empty.'],
];

test.each(ofTheAccount)(
  'for an account with wrong settings, the listener %j gets %j',
  async (listener, sentence) => {
    const { url } = await serveHttp((request, response) =>
      sendMedia(
        request,
        response,
        () =>
          Promise.reject(new TelephonyError('settings', '"password" in the settings is empty.')),
        listener,
      ),
    );
    expect(await listen(url)).toEqual([502, errorHeaders, sentence]);
  },
);

test('a HEAD request reads no audio and closes the connection', async () => {
  const [url, wire] = await serve(half);
  const [status, headers, text] = await listen(url, { method: 'HEAD' });
  const type = { 'content-type': 'audio/mpeg', 'content-length': '10' };
  expect([status, headers, text]).toEqual([200, { ...cached, ...type }, '']);
  const [socket] = wire.open;
  if (socket && !socket.closed) await once(socket, 'close');
  expect(wire.open.size).toBe(0);
});

test('a recording that stalls breaks the response', async () => {
  const [url] = await serve(half);
  const response = await fetch(url);
  await expect(response.text()).rejects.toThrow();
});
