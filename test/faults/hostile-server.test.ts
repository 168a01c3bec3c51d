import { once } from 'node:events';
import type net from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Limits, Telephony } from '../../src/builder.ts';
import { errorOf, parts } from '../requests/errors.ts';
import { rawService, trickling } from './faulty-services.ts';
import { bytesInUse, collectGarbageUntilEnd, watchPeakMemory } from './memory.ts';
import { openRawServer } from './open-raw-server.ts';
import { answer, type RawServer, type Received } from './raw-server.ts';
import {
  account,
  accountPath,
  basic,
  callSid,
  skipRetryWaits,
  sms,
  telephonyAt,
} from './service.ts';

const megabyte = 2 ** 20;
const from = '+12025550143';

let otherHost: RawServer;
let home: RawServer;
let respond: (request: Received, socket: net.Socket, count: number) => Buffer | string | undefined;

beforeAll(async () => {
  otherHost = await openRawServer((socket) => socket.end(answer(200, '{"sid":"CA1","calls":[]}')));
});
beforeEach(async () => {
  skipRetryWaits();
  home = await openRawServer((socket, request) => {
    const bytes = respond(request, socket, home.received.length);
    if (bytes !== undefined) socket.write(bytes);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  expect([otherHost.connections, otherHost.received]).toEqual([0, []]);
});

const telephony = (limits: Partial<Limits> = {}) => telephonyAt(home.url, limits);
const json = (body: object, status = 200) => answer(status, JSON.stringify(body));
const page = (next: unknown, calls: object[] = [{ sid: 'CA1' }]) =>
  json({ calls, next_page_uri: next });

async function readAll(limit?: number) {
  const counts: number[] = [];
  let more = false;
  const pages = telephony().pages('account-calls', {}, { limit });
  for await (const { records, more: rest } of pages) {
    counts.push(records.length);
    more = rest;
  }
  return { pages: counts.length, records: counts.reduce((sum, one) => sum + one, 0), more };
}

const many = (text: string, count = 1_000_001) => text.repeat(count);
test.each([
  ['nested lists', `{"calls":[],"more":${many('[')}${many(']')}}`],
  ['empty objects', `{"calls":[],"more":[${many('{},')}{}]}`],
  ['numbers', `{"calls":[],"more":[${many('1,')}1]}`],
  ['numbers after a backslash', `{"calls":[],"text":"\\\\","more":[${many('1,')}1]}`],
])('a response with more parts than any page has is not parsed: %s', async (_, body) => {
  respond = () => answer(200, body);
  expect(await errorOf(telephony().run('account-calls'))).toMatchObject({ code: 'bad-answer' });
});

test('brackets and commas in strings do not count as parts', async () => {
  const body = many('[{,\\"');
  respond = () => page(null, [{ sid: 'CA1', from: body }]);
  expect(await telephony().run('account-calls')).toMatchObject({ records: [{ from: body }] });
});

const notRead = 'The records shown are correct, but there may be more.';
const outside = `The service returned a next page outside this account. It was not read. ${notRead}`;

const list = `${accountPath}/Calls.json`;
const hostOf = (url: string) => new URL(url).host;

test.each<[name: string, uri: () => string]>([
  ['an absolute URL', () => `${otherHost.url}${list}`],
  ['no scheme', () => `//${hostOf(otherHost.url)}${list}`],
  ['backslashes', () => `\\\\${hostOf(otherHost.url)}${list}`],
  ['a slash and a backslash', () => `/\\${hostOf(otherHost.url)}${list}`],
  ['blanks and line ends', () => ` \r\n\tht\ntp://${hostOf(otherHost.url)}${list}`],
  ['one slash after the scheme', () => `HTTP:\\/${hostOf(otherHost.url)}${list}`],
  [
    'the service as its username',
    () => `http://${hostOf(home.url)}@${hostOf(otherHost.url)}${list}`,
  ],
  ['the service in its path', () => `${otherHost.url}/${home.url}${list}`],
  ['another name of this machine', () => home.url.replace('127.0.0.1', 'localhost') + list],
  ['https', () => home.url.replace('http', 'https') + list],
  ['credentials', () => `${home.url.replace('//', `//me:${account.password}@`)}${list}`],
  ['a username', () => `${home.url.replace('//', '//me@')}${list}`],
  [
    'an account with the same prefix',
    () => `${list.replace(account.username, `${account.username}1`)}`,
  ],
  ['a path that leaves the account', () => `${accountPath}/%2e%2e/AC2/Calls.json`],
  ['a file', () => 'file:///etc/passwd'],
  ['a data URL', () => 'data:application/json,{"calls":[]}'],
])('the client does not follow a next page with %s', async (_, uri) => {
  respond = () => page(uri());
  expect(parts(await errorOf(readAll()))).toEqual({
    code: 'bad-answer',
    message: outside,
    request: 'GET /Calls.json',
  });
  expect(home.received.map(({ path }) => path)).toEqual([list]);
  expect(home.received[0]?.headers).toContain(`Authorization: Basic ${basic}`);
});

describe.each([301, 302, 303, 307, 308])('a redirect by %i to another origin', (status) => {
  const redirect = () =>
    answer(status, '', { Location: `${otherHost.url}${list}`, Refresh: `0; url=${otherHost.url}` });
  const operations: [string, () => Promise<unknown>, string][] = [
    ['a read', () => telephony().run('view-a-call', { callSid }), 'bad-answer'],
    ['a list', () => telephony().run('account-calls', {}), 'bad-answer'],
    [
      'a write',
      () => telephony({ confirmTimeoutMs: 0 }).run('send-sms', sms),
      status === 303 ? 'unknown-outcome' : 'bad-answer',
    ],
    ['the audio of a recording', () => telephony().media('recording', 'RE1'), 'unavailable'],
  ];
  test.each(operations)('is not followed by %s', async (_, run, code) => {
    respond = redirect;
    expect((await errorOf(run())).code).toBe(code);
    expect(home.received).toHaveLength(1);
  });
});

test('the audio of a recording comes from the service, whatever URL its record names', async () => {
  respond = ({ path }) =>
    path.endsWith('.mp3')
      ? answer(200, 'sound', { 'Content-Type': 'audio/mpeg' })
      : json({ recordings: [{ sid: 'RE1', call_sid: 'CA1', media_url: `${otherHost.url}/RE1` }] });
  await telephony().run('get-all-recordings-for-a-given-call', { callSid: 'CA1' });
  const { stream } = await telephony().media('recording', 'RE1');
  expect(await text(stream)).toBe('sound');
  expect(home.received).toHaveLength(2);
});

/** Writes a part again and again up to 2 GB, as fast as the client reads it, and counts the bytes. */
function pour(socket: net.Socket, part: Buffer, worth = part.length) {
  const poured = { bytes: 0, worth: 0 };
  function go() {
    let taken = true;
    while (taken && poured.worth < 2e9 && !socket.destroyed) {
      taken = socket.write(part);
      poured.bytes += part.length;
      poured.worth += worth;
    }
  }
  socket.on('drain', go);
  go();
  return poured;
}

const size = 4 * megabyte;
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const zeros = gzipSync(Buffer.alloc(16 * megabyte));
const blanks = Buffer.alloc(64 * 1024, ' ');
const bodies: [name: string, head: string, part: Buffer, worth: number][] = [
  ['2 GB, as announced', `${head}Content-Length: 2000000000\r\n\r\n`, blanks, blanks.length],
  ['2 GB, not announced', `${head}\r\n`, blanks, blanks.length],
  [
    '2 GB in chunks',
    `${head}Transfer-Encoding: chunked\r\n\r\n`,
    Buffer.concat([Buffer.from('10000\r\n'), blanks, Buffer.from('\r\n')]),
    blanks.length,
  ],
  ['2 GB compressed to 2 MB', `${head}Content-Encoding: gzip\r\n\r\n`, zeros, 16 * megabyte],
];

describe.each(bodies)('a body of %s', (_, first, part, worth) => {
  test.each([
    ['a read', 'bad-answer', () => telephony({ maxResponseBytes: size }).run('account-calls', {})],
    [
      'a write',
      'unknown-outcome',
      () => telephony({ maxResponseBytes: size, confirmTimeoutMs: 0 }).run('send-sms', sms),
    ],
  ])('is aborted at the size limit for %s: %s', async (__, code, run) => {
    let poured = { bytes: 0, worth: 0 };
    const before = bytesInUse();
    const peak = watchPeakMemory();
    respond = (___, socket) => {
      socket.write(first);
      poured = pour(socket, part, worth);
      return undefined;
    };
    expect((await errorOf(run())).code).toBe(code);
    const left = bytesInUse() - before;
    expect(home.received).toHaveLength(1);
    expect(poured.bytes).toBeLessThan(size + 32 * megabyte);
    expect(peak()).toBeLessThan(256 * megabyte);
    expect(left).toBeLessThan(32 * megabyte);
  });
});

const trickles: [name: string, first: string, drop: string][] = [
  ['headers', head, 'X-A: b\r\n'],
  ['a body', `${head}Content-Length: 100000\r\n\r\n{`, ' '],
  ['chunks', `${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ['1xx', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
];
type Run = (telephony: Telephony, options: { signal?: AbortSignal }) => Promise<unknown>;
const requested: [name: string, run: Run, code: string][] = [
  ['read', (telephony, options) => telephony.run('account-calls', {}, options), 'timeout'],
  ['write', (telephony, options) => telephony.run('send-sms', sms, options), 'unknown-outcome'],
];
const cases = trickles.flatMap(([name, first, drop]) =>
  requested.flatMap(([what, run, code]) =>
    ['', ' that can be stopped'].map((how) => ({
      ...{ name: `${name} at a ${what}${how}`, first, drop, code },
      run: (telephony: Telephony) =>
        run(telephony, how ? { signal: new AbortController().signal } : {}),
    })),
  ),
);

// All at the same time, because each takes a while.
test('the client gives up on a response that trickles', async () => {
  collectGarbageUntilEnd();
  const outcomes = cases.map(async ({ name, first, drop, run }) => {
    const service = await rawService(trickling(first, drop, 20))();
    const telephony = telephonyAt(service.url, {
      idleTimeoutMs: 1_000,
      timeoutMs: 2_000,
      maxAttempts: 1,
      confirmTimeoutMs: 0,
    });
    const { code } = await errorOf(run(telephony));
    return { name, code, arrived: service.arrived().length };
  });
  expect(await Promise.all(outcomes)).toEqual(
    cases.map(({ name, code }) => ({ name, code, arrived: 1 })),
  );
});

test('an unsolicited response is not taken as the response to the next request', async () => {
  const message = (sid: string) => json({ sid, status: 'queued' }, 201);
  let used: net.Socket | undefined;
  respond = ({ method, path }, socket) => {
    if (path === '/probe') return answer(200, '', { Connection: 'close' });
    expect(method).toBe('POST');
    used ??= socket;
    return message('SM1');
  };
  expect(await telephony().run('send-sms', sms)).toMatchObject({ sid: 'SM1' });
  used?.write(message('SM0'));
  // Requests that were sent before these have arrived once these are answered.
  for (let i = 0; i < 3; i += 1) await fetch(`${home.url}/probe`);
  expect(await telephony().run('send-sms', sms)).toMatchObject({ sid: 'SM1' });
  expect(home.received.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

test.each([
  ['before the response', ''],
  ['in the headers', head],
  ['in the body', `${head}Content-Length: 100\r\n\r\n{`],
])('the client gives up on a connection half-closed %s', async (_, bytes) => {
  const half = await openRawServer((socket) => socket.end(bytes), { allowHalfOpen: true });
  const run = telephonyAt(half.url, { maxAttempts: 1 }).run('account-calls', {});
  expect((await errorOf(run)).code).toBe('unavailable');
  const [socket] = half.open;
  if (socket && !socket.readableEnded) await once(socket, 'end');
  expect(half.received).toHaveLength(1);
});

test('endless pages are read up to the limit', async () => {
  respond = (__, ___, count) => page(`${list}?Page=${count}`, [{ sid: 'CA1' }, { sid: 'CA2' }]);
  expect(await readAll(500)).toEqual({ pages: 250, records: 500, more: true });
  expect(home.received).toHaveLength(250);
});

test.each<
  [
    name: string,
    next: (count: number) => string,
    calls: object[],
    message: string,
    requests: number,
  ]
>([
  [
    'empty pages',
    (count) => `${list}?Page=${count}`,
    [],
    'The service returned only empty pages.',
    11,
  ],
  [
    'URLs that grow',
    (count) => `${list}?Page=${'1'.repeat(count * 100)}`,
    [{ sid: 'CA1' }],
    `The service returned a URL for the next page that is too long. ${notRead}`,
    40,
  ],
  [
    'pages that loop',
    (count) => `${list}?Page=${count % 5}`,
    [{ sid: 'CA1' }],
    `The service returned the same page twice. ${notRead}`,
    6,
  ],
  [
    'names for the same page',
    (count) => `${list}?Page=1#${count}`,
    [{ sid: 'CA1' }],
    `The service returned the same page twice. ${notRead}`,
    2,
  ],
])('the client gives up on endless %s', async (_, next, calls, message, requests) => {
  respond = (__, ___, count) => page(next(count), calls);
  expect(parts(await errorOf(readAll()))).toEqual({
    ...{ code: 'bad-answer', message, request: 'GET /Calls.json' },
  });
  expect(home.received).toHaveLength(requests);
});

/** Serves endless calls, and endless recordings of others, so that the plugin searches for the caller's. */
function searched(
  calls: (count: number) => object[],
  recordings: (count: number, sid: string | null) => object[],
) {
  respond = ({ path }, _, count) => {
    const { pathname, searchParams } = new URL(path, home.url);
    const sid = searchParams.get('CallSid');
    const query = new URLSearchParams({ ...(sid && { CallSid: sid }), Page: String(count) });
    const next_page_uri = `${pathname}?${query}`;
    return pathname.endsWith('/Calls.json')
      ? json({ calls: calls(count), next_page_uri })
      : json({ recordings: recordings(count, sid), next_page_uri });
  };
}

const ofOthers = (count: number) => [{ sid: `RE${count}`, call_sid: `CB${count}` }];

test('endless calls and recordings of others have a bounded cost per page and fail', async () => {
  searched((count) => [{ sid: `CA${count}`, from: '+1' }], ofOthers);
  const pages = telephony().pages('recordings-by-caller-id', { from });
  const costs: number[] = [];
  let error: object | undefined;
  for (let before = 0; !error; before = home.received.length) {
    const page = await pages.next().catch((reason) => {
      error = parts(reason);
    });
    if (page) expect(page.value).toEqual({ records: [], more: true });
    costs.push(home.received.length - before);
  }
  expect(error).toEqual({
    code: 'bad-answer',
    message:
      "The service returned only records that don't match the filter. It probably does not support this filter.",
    request: 'GET /Calls.json',
  });
  expect(Math.max(...costs)).toBe(22);
});

test('endless calls of the caller and recordings of others have a bounded cost per page and fail', async () => {
  searched((count) => [{ sid: `CA${count}`, from }], ofOthers);
  const pages = telephony().pages('recordings-by-caller-id', { from });
  expect((await pages.next()).value).toEqual({ records: [], more: true });
  expect(home.received).toHaveLength(22);
  let requests = 22;
  const end = await errorOf(
    (async () => {
      for await (const { records } of pages) {
        expect(records).toEqual([]);
        expect(home.received.length - requests).toBe(20);
        requests = home.received.length;
      }
    })(),
  );
  expect(parts(end)).toEqual({
    code: 'bad-answer',
    message: "The service's list of recordings has no end.",
    request: 'GET /Recordings.json',
  });
  expect(home.received).toHaveLength(1_002);
});

test('after endless recordings of one call, the client searches the recordings of the account', async () => {
  respond = ({ path }, _, count) => {
    if (path.includes('/Calls.json')) return json({ calls: [{ sid: 'CA1', from }] });
    const ofCall = path.includes('CallSid=');
    return json({
      recordings: [{ sid: `RE${count}`, call_sid: ofCall || count === 30 ? 'CA1' : 'CB1' }],
      next_page_uri: `${accountPath}/Recordings.json?${ofCall ? 'CallSid=CA1&' : ''}Page=${count}`,
    });
  };
  const pages = telephony().pages('recordings-by-caller-id', { from });
  const found: string[] = [];
  for (let page = 0; page < 2; page += 1) {
    const { records = [] } = (await pages.next()).value ?? {};
    found.push(...records.map(({ sid }) => sid));
  }
  expect(found).toEqual(['RE3', 'RE4', 'RE30']);
  expect(home.received).toHaveLength(42);
});

test('records already found are returned before the error', async () => {
  respond = ({ path }) => {
    if (path.includes('/Calls.json'))
      return json({ calls: ['CA1', 'CA2', 'CA3'].map((sid) => ({ sid, from })) });
    const recordings = [
      { sid: 'RE1', call_sid: 'CB1' },
      { sid: 'RE2', call_sid: 'CA2' },
    ];
    return json({ recordings, next_page_uri: path.includes('PageSize') && otherHost.url });
  };
  const pages = telephony().pages('recordings-by-caller-id', { from });
  expect((await pages.next()).value).toMatchObject({ records: [{ sid: 'RE2' }], more: true });
  expect(parts(await errorOf(pages.next()))).toMatchObject({
    code: 'bad-answer',
    message: outside,
  });
});
