import {
  fetchHandler,
  type GivenRequest,
  nodeHandler,
  receiveEvents,
  type ServerRequest,
  type WebhookRequest,
} from '../../src/builder.ts';

import { account, address, signedForm } from './signed.ts';

/** The request that the handler passes on, and whether it read the body. */
async function received(request: Partial<ServerRequest>, chunks: (Uint8Array | string)[] = []) {
  const seen: { requests: WebhookRequest[]; isRead: boolean; answers: unknown[] } = {
    ...{ requests: [], isRead: false, answers: [] },
  };
  const stream = (async function* () {
    seen.isRead = true;
    yield* chunks;
  })();
  const incoming: ServerRequest = Object.assign(stream, { headers: {}, ...request });
  const receive = async (one: WebhookRequest) => {
    seen.requests.push(one);
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Yes' };
  };
  await nodeHandler(receive)(incoming, {
    writeHead: (...head) => seen.answers.push(head),
    end: (text) => seen.answers.push(text),
  });
  return seen;
}

const large = 100_000;
const form = { Body: 'Hi' };
const length = (size: number) => ({ headers: { 'content-length': String(size) } });
const bytes = (text: string) => Uint8Array.from(Buffer.from(text));
const x = (size: number) => 'x'.repeat(size);

const bodies: [
  name: string,
  request: Partial<ServerRequest>,
  chunks: (Uint8Array | string)[],
  body: string | object,
][] = [
  ['the raw text kept by the builder', { rawBody: 'Body=Hi', body: {} }, [], 'Body=Hi'],
  ['the raw bytes kept by the builder', { rawBody: bytes('Body=Hi') }, [], bytes('Body=Hi')],
  ['the parsed form', { body: form, readableEnded: true }, [], form],
  ['the parsed form of a request of unknown state', { body: form }, [], form],
  [
    'the parsed form without a raw body',
    { rawBody: null, body: form, readableEnded: true },
    [],
    form,
  ],
];

test.each(bodies)('the handler takes as the body: %s', async (_, request, chunks, body) => {
  const { requests, isRead } = await received(request, chunks);
  expect(requests.map((one) => one.body)).toEqual([body]);
  expect(isRead).toBe(false);
});

const streams: [
  name: string,
  request: Partial<ServerRequest>,
  chunks: (Uint8Array | string)[],
  body: string,
][] = [
  ['no one has read', {}, [bytes('Body='), 'Hi'], 'Body=Hi'],
  [
    'no one has read, next to an empty parsed one',
    { body: {}, readableEnded: false },
    ['Hi'],
    'Hi',
  ],
  ['is null', { body: null, readableEnded: true }, ['Hi'], 'Hi'],
  ['is as large as the limit', length(large), [x(large)], x(large)],
  ['is just over the limit', {}, [x(large), 'y', 'z'], `${x(large)}y`],
  ['is far over the limit', {}, [x(60_000), x(60_000), x(60_000)], x(120_000)],
];

test.each(streams)(
  'the handler reads a body that %s, up to the limit',
  async (_, request, chunks, body) => {
    const { requests, isRead } = await received(request, chunks);
    expect(requests.map((one) => String(one.body))).toEqual([body]);
    expect(isRead).toBe(true);
  },
);

test('a body whose Content-Length exceeds the limit is not read', async () => {
  const { requests, isRead } = await received(length(large + 1), ['Hi']);
  expect(requests.map(({ body }) => body)).toEqual(['']);
  expect(isRead).toBe(false);
});

test('the handler passes on the request with its original URL and writes the answer', async () => {
  const request = { method: 'POST', url: '/', originalUrl: '/events?a=1', headers: { host: 'x' } };
  const { requests, answers } = await received({ ...request, body: form });
  expect(requests).toEqual([
    { method: 'POST', url: '/events?a=1', headers: { host: 'x' }, body: form },
  ]);
  expect(answers).toEqual([[200, { 'content-type': 'text/plain' }], 'Yes']);
  const below = await received({ method: 'POST', url: '/events', body: form });
  expect(below.requests.map(({ url }) => url)).toEqual(['/events']);
});

const url = 'https://app.example.com/behind/events?app=7';

/** The request that the Fetch handler passes on, and its response. */
async function fetched(request: Request) {
  const seen: WebhookRequest[] = [];
  const response = await fetchHandler(async (one) => {
    seen.push(one);
    return { status: 201, headers: { 'content-type': 'text/xml' }, body: '<Response/>' };
  })(request);
  const { status, headers } = response;
  return { seen, answer: [status, headers.get('content-type'), await response.text()] };
}

const answered = [201, 'text/xml', '<Response/>'];

test.each<[string, RequestInit, Partial<WebhookRequest>]>([
  ['a form', { method: 'POST', body: 'Body=Hi' }, { method: 'POST', body: Buffer.from('Body=Hi') }],
  ['no body', { method: 'POST' }, { method: 'POST', body: '' }],
  ['another method', {}, { method: 'GET', body: '' }],
  [
    'a body whose Content-Length is too large',
    { method: 'POST', body: 'x', headers: { 'content-length': '100001' } },
    { method: 'POST', body: '' },
  ],
])('handles a Fetch request with %s', async (_, init, expected) => {
  const { seen, answer } = await fetched(new Request(url, init));
  expect(seen).toMatchObject([{ url: '/behind/events?app=7', ...expected }]);
  expect(answer).toEqual(answered);
});

test('responds to a Fetch request whose body was read before', async () => {
  const request = new Request(url, { method: 'POST', body: 'Body=Hi' });
  await request.text();
  expect((await fetched(request)).answer).toEqual(answered);
});

const capitalised = (headers: [string, string][]) =>
  headers.map(([name, value]): [string, string] => [
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ]);

/** A receiver with the events that it delivers, and a signed request of an SMS. */
function signedSms() {
  const events: string[] = [];
  const receive = receiveEvents(account, {
    url: address,
    onEvent: ({ id }) => void events.push(id),
  });
  const sms = { AccountSid: account.username, MessageSid: 'SM1', SmsMessageSid: 'SM1' };
  const request = signedForm({ ...sms, SmsStatus: 'received', From: '+1', To: '+2', Body: 'Hi' });
  return { events, receive, request };
}

test.each<[name: string, convert: (headers: [string, string][]) => GivenRequest['headers']]>([
  ['in any case', (headers) => Object.fromEntries(capitalised(headers))],
  ["in Fetch's Headers", (headers) => new Headers(headers)],
  ['in a list of pairs', capitalised],
])('accepts header names %s', async (_, convert) => {
  const { events, receive, request } = signedSms();
  const headers = Object.entries(request.headers) as [string, string][];
  expect((await receive({ ...request, headers: convert(headers) })).status).toBe(200);
  expect(events).toEqual(['sms-received']);
});

test.each<[name: string, convert: (text: string) => object]>([
  ['URLSearchParams', (text) => new URLSearchParams(text)],
  [
    'FormData',
    (text) => {
      const parsed = new FormData();
      for (const [name, value] of new URLSearchParams(text)) parsed.append(name, value);
      return parsed;
    },
  ],
  ['an ArrayBuffer', (text) => bytes(text).buffer],
])('accepts a body that Fetch has read as %s', async (_, convert) => {
  const { events, receive, request } = signedSms();
  const forged = new URLSearchParams(String(request.body));
  forged.set('Body', 'Ha');
  const statusOf = async (text: unknown) =>
    (await receive({ ...request, body: convert(String(text)) })).status;
  expect([await statusOf(forged), await statusOf(request.body)]).toEqual([403, 200]);
  expect([await statusOf(`Body=${x(large)}`), events]).toEqual([403, ['sms-received']]);
});
