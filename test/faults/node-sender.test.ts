import { getEventListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { defaultLimits } from '../../src/builder.ts';
import { type ExchangeRequest, NoResponse } from '../../src/wire/exchanged.ts';
import { nodeSender } from '../../src/wire/node-sender.ts';
import { openProxy } from '../support/proxy.ts';
import { openRawServer } from './open-raw-server.ts';
import { answer } from './raw-server.ts';

/** Sends requests to one origin only. */
const sender = (origin: string) => {
  const headers = { Authorization: 'Basic x' };
  const send = nodeSender({ origin, headers, limits: defaultLimits });
  return (url: string, others: Partial<ExchangeRequest> = {}) =>
    send<Readable>({ url, abortSignal: undefined, ...others });
};

const openService = () =>
  openRawServer((socket) =>
    socket.write(answer(200, '{}', { 'Twilio-Request-Id': 'RQ1', Date: '', 'X-Other': '2' })),
  );

test('a response has its status, its text and only the headers that the plugin reads', async () => {
  const { url, received } = await openService();
  const request = { method: 'post', data: 'a=1', headers: { 'X-Own': '1' } };
  expect(await sender(url)(`${url}/Calls.json?b=2`, request)).toStrictEqual({
    ...{ status: 200, data: '{}' },
    headers: {
      'content-type': 'application/json',
      'content-length': '2',
      'twilio-request-id': 'RQ1',
    },
  });
  expect(received).toEqual([
    {
      ...{ method: 'POST', path: '/Calls.json?b=2', body: 'a=1' },
      headers: expect.stringMatching(
        /Authorization: Basic x\r?\nContent-Type: application\/x-www-form-urlencoded\r?\nX-Own: 1\r?\n/,
      ),
    },
  ]);
});

const others: [what: string, url: (origin: string) => string][] = [
  ['host', () => 'http://service.test/Calls.json'],
  ['port with the same prefix', (origin) => `${origin}1/Calls.json`],
  ['host behind an @', (origin) => `${origin}@service.test/Calls.json`],
  ['scheme', (origin) => `${origin.replace('http:', 'https:')}/Calls.json`],
];

test.each(others)('the credentials never go to another %s', async (_, urlFor) => {
  const { url, received } = await openService();
  const sent = sender(url)(urlFor(url));
  await expect(sent).rejects.toEqual(new RangeError('A request to another origin'));
  expect(received).toEqual([]);
});

test('requests use the proxy of the environment', async () => {
  const proxy = await openProxy((socket) =>
    socket.end('HTTP/1.1 407 x\r\nContent-Length: 0\r\n\r\n'),
  );
  process.env.HTTPS_PROXY = proxy.url;
  const sent = sender('https://service.test')('https://service.test/Calls.json');
  await expect(sent).rejects.toEqual(new NoResponse('ERR_PROXY it answers 407', false));
  expect(proxy.requested).toEqual([{ to: 'service.test:443', credentials: undefined }]);
});

describe('an abort signal', () => {
  test('that is already aborted prevents the request', async () => {
    const { url, received } = await openService();
    const sent = sender(url)(`${url}/`, { abortSignal: AbortSignal.abort() });
    await expect(sent).rejects.toEqual(new NoResponse('ERR_CANCELED', false));
    expect(received).toEqual([]);
  });

  test('stops a request in progress', async () => {
    const stop = new AbortController();
    const { url } = await openRawServer(() => stop.abort());
    const sent = sender(url)(`${url}/`, { abortSignal: stop.signal });
    await expect(sent).rejects.toEqual(new NoResponse('ERR_CANCELED', true));
  });

  test('is released after the response', async () => {
    const { url } = await openService();
    const { signal } = new AbortController();
    await sender(url)(`${url}/`, { abortSignal: signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('is released at the end of a stream, not before', async () => {
    const { url } = await openService();
    const { signal } = new AbortController();
    const request = { abortSignal: signal, responseType: 'stream' as const };
    const { data } = await sender(url)(`${url}/`, request);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    expect(String(await data.toArray())).toBe('{}');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
