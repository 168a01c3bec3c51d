import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { all, type Rights, revokeKey } from '../../plugin/gateway/keys.ts';
import { openStore } from '../../plugin/gateway/store.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { gateTo } from '../support/gate.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { until } from '../support/until.ts';
import {
  act,
  databaseFile,
  everything,
  type OpenGateway,
  openServer,
  sendPath,
  smsTo,
} from './open-gateway.ts';

let sandbox: Sandbox;
let running: OpenGateway;
const file = databaseFile();
beforeAll(async () => {
  sandbox = await openSandbox();
  const { username, password, url: baseUrl } = sandbox;
  running = await openServer({ account: { username, password, baseUrl }, databaseFile: file });
});
beforeEach(() => {
  sandbox.reset();
  sandbox.messages.length = 0;
});

const calls = '/v1/data-sources/account-calls';
const messages = '/v1/data-sources/account-messages';
const send = (input: object = smsTo('+12025550110')) => [sendPath, input] as const;
const batch = { action: 'send-sms', rows: [{ input: smsTo('+12025550110') }] };

const cases: [
  what: string,
  rights: Partial<Rights>,
  path: string,
  body: unknown,
  end: unknown[],
][] = [
  ['a right to read', { read: ['account-calls'] }, calls, undefined, [200, undefined]],
  [
    'a right to read others',
    { read: ['account-calls'] },
    messages,
    undefined,
    [403, 'not-allowed'],
  ],
  ['a right to act', { act: all, senders: all }, calls, undefined, [403, 'not-allowed']],
  ['a right to read', { read: all }, ...send(), [403, 'not-allowed']],
  ['a right to act', { act: ['send-sms'], senders: all }, ...send(), [200, undefined]],
  [
    'a right to another action',
    { act: ['make-a-call'], senders: all },
    ...send(),
    [403, 'not-allowed'],
  ],
  ['its sender', { act: all, senders: ['+1 (415) 555-0100'] }, ...send(), [200, undefined]],
  ['another sender', { act: all, senders: ['+14155550101'] }, ...send(), [403, 'not-allowed']],
  [
    'its sender in a list',
    { act: all, senders: ['+14155550100'] },
    ...send({ ...smsTo('+12025550110'), from: ['+14155550100'] }),
    [403, 'not-allowed'],
  ],
  [
    'an object as sender',
    { act: all, senders: ['+14155550100'] },
    ...send({ ...smsTo('+12025550110'), from: { toString: 1 } }),
    [403, 'not-allowed'],
  ],
  ['no sender', { act: all }, ...send(), [403, 'not-allowed']],
  ['no right to events', { read: all }, '/v1/events?cursor=now', undefined, [403, 'not-allowed']],
  ['a right to read', { read: all }, '/v1/batches', batch, [403, 'not-allowed']],
  [
    'no right to instructions',
    { act: all, senders: all },
    '/v1/actions/make-a-call',
    { from: '+14155550100', to: '+12025550110', url: 'https://www.example.com/a.xml' },
    [403, 'not-allowed'],
  ],
  ...['smsUrl', 'voiceUrl', 'statusCallback'].map((url): (typeof cases)[number] => [
    `no right to instructions in ${url}`,
    { act: all, senders: all },
    '/v1/actions/set-up-a-number',
    { phoneNumberSid: `PN${'0'.repeat(32)}`, [url]: 'https://www.example.com/a.xml' },
    [403, 'not-allowed'],
  ]),
  [
    'a right to instructions',
    { act: all, senders: all, instructions: true },
    '/v1/actions/make-a-call',
    { from: '+14155550100', to: '+12025550110', url: 'https://www.example.com/a.xml' },
    [200, undefined],
  ],
  [
    'a right to calls',
    { read: ['account-calls'] },
    '/v1/media/recording/RE1',
    undefined,
    [403, 'not-allowed'],
  ],
  ['no right', {}, calls, undefined, [403, 'not-allowed']],
];

test.each(cases)('a key with %s: %j %s', async (_, rights, path, body, end) => {
  const call = await running.callWith(rights);
  const answer = await (body === undefined ? call(path) : act(call, path, body));
  expect([answer.status, answer.body.code]).toEqual(end);
  const isSent = path === sendPath && end[0] === 200;
  expect(sandbox.messages.map(({ to }) => to)).toEqual(isSent ? ['+12025550110'] : []);
});

test('a row of a batch from another sender is not sent', async () => {
  const call = await running.callWith({ act: all, senders: ['+14155550101'] });
  const { body } = await call('/v1/batches', { body: batch });
  expect(body).toMatchObject({ counts: { failed: 1, waiting: 0 } });
  expect(body.text).toContain('may not send from');
});

test('the limits of a key count only what it sends', async () => {
  const limited = await running.callWith({ ...everything, limits: { perHour: 2 } }, 'limited');
  const statuses: number[] = [];
  for (const call of [running.call, running.call, limited, limited, limited, running.call])
    statuses.push((await act(call, ...send())).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429, 200]);
});

test('sending that someone stopped is refused at once', async () => {
  await running.gateway.setStopped(true);
  const refused = await act(running.call, ...send());
  await running.gateway.setStopped(false);
  expect(refused.body).toMatchObject({ status: 429, code: 'limit-reached', field: 'stopped' });
  expect((await act(running.call, ...send())).status).toBe(200);
});

test('a revoked key, a wrong secret and other texts are refused alike', async () => {
  const revoked = await running.callWith(everything);
  expect((await revoked('/metrics')).status).toBe(200);
  await revokeKey(running.gateway.store, revoked.id);
  const { text } = await running.callWith(everything);
  const texts = [
    revoked.text,
    `${text}x`,
    text.slice(0, -1),
    `tgw_${revoked.id}_`,
    'x',
    "' or 1=1",
  ];
  for (const one of texts) {
    const answer = await fetch(running.url + calls, {
      headers: { authorization: `Bearer ${one}` },
    });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  }
});

test('a running batch ends when its key is revoked', async () => {
  const gate = await gateTo(sandbox.url, (path) => path.endsWith('/Messages.json'));
  const account = { ...running.gateway.settings.account, baseUrl: gate.url };
  const own = await openServer({ account });
  const revoked = await own.callWith(everything);
  const inputs = Array.from({ length: 60 }, (_, index) => smsTo(`+1202555${2000 + index}`));
  const rows = inputs.map((input, id) => ({ id: String(id), input }));
  const { key } = (await revoked('/v1/batches', { body: { action: 'send-sms', rows } })).body;
  await revoked(`/v1/batches/${key}/start`, { method: 'POST' });
  await gate.holds(1);
  await revokeKey(own.gateway.store, revoked.id);
  await gate.open();
  const ended = () => own.gateway.batches.open(key, revoked.id);
  await until(async () => (await ended()).state === 'ended');
  const { items } = await ended();
  const sent = items.filter(({ outcome }) => outcome === 'done');
  expect(sent).toHaveLength(sandbox.messages.length);
  expect(sent.length).toBeLessThan(rows.length);
  expect(items.find(({ message }) => message)?.message).toBe('The key "a test" was revoked.');
});

test('a running batch goes on if its key can not be read for a moment', async () => {
  const own = await openServer({ account: running.gateway.settings.account });
  const { store, batches } = own.gateway;
  const call = await own.callWith(everything);
  const rows = [0, 1, 2].map((id) => ({ id: String(id), input: smsTo(`+1202555210${id}`) }));
  const { key } = (await call('/v1/batches', { body: { action: 'send-sms', rows } })).body;
  const { get } = store;
  const away = jest.spyOn(store, 'get');
  const reads: string[] = [];
  away.mockImplementation(async (kind, id) => {
    if (id === call.id) reads.push(kind);
    // The first two reads are those of the request that starts it.
    if (id === call.id && reads.length > 1) throw new Error('The database is away.');
    return get.call(store, kind, id);
  });
  await call(`/v1/batches/${key}/start`, { method: 'POST' });
  const ended = () => batches.open(key, call.id);
  await until(async () => (await ended()).state === 'ended');
  away.mockRestore();
  expect(reads.length).toBeGreaterThan(1);
  expect((await ended()).items.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
});

test('no secret, number or text is in the log, and no key in the database', async () => {
  const { text } = await running.callWith(everything, 'logged');
  const secret = text.split('_').slice(2).join('_');
  const [to, body] = ['+12025550177', 'A very private text'];
  await act(running.call, ...send(smsTo(to, body)));
  await running.call(`/v1/data-sources/account-messages?to=${encodeURIComponent(to)}`);
  await act(running.call, sendPath, smsTo('+15005550001', body));
  await act(running.call, sendPath, `{"body":"${body}`);
  await running.call(`/nothing/${to}`);
  // A database that fails.
  const get = jest
    .spyOn(running.gateway.store, 'get')
    .mockRejectedValue(new Error(`${body} ${to}`));
  const failed = await running.call(calls);
  get.mockRestore();
  expect(failed.body).toMatchObject({ status: 500, code: 'failed' });
  const log = running.log.join('');
  expect(log).toContain('"route":"/v1/actions/:id"');
  expect(log).toContain('"msg":"failed"');
  for (const one of [to.slice(1), body, '5005550001', secret, sandbox.password])
    expect([one, log.includes(one)]).toEqual([one, false]);
  expect(readFileSync(file, 'latin1')).not.toContain(secret);
});

test('one caller that sends too many requests does not hold up another', async () => {
  const own = await openServer({
    account: running.gateway.settings.account,
    requestsPerMinute: 5,
  });
  const other = await own.callWith(everything);
  const statuses = [];
  for (let count = 0; count < 7; count += 1) statuses.push((await own.call('/health')).status);
  const refused = await own.call('/health');
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(refused.body).toMatchObject({ code: 'too-many-requests' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await other('/health')).status).toBe(200);
});

test('a key can not store previews without end', async () => {
  const { account } = running.gateway.settings;
  const own = await openServer({ account, requestsPerMinute: 20 });
  const answers = [];
  for (let count = 0; count < 3; count += 1)
    answers.push(await own.call('/v1/batches', { body: batch }));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['1', '0', '0']);
});

const databases: [
  what: string,
  urlFrom: (url: string) => string,
  problem: object,
  says: string,
  retryAfter: string | null,
][] = [
  [
    'is away',
    () => 'postgres://gateway:secret@127.0.0.1:1/gateway',
    { status: 503, code: 'unavailable' },
    "can't use its database (ECONNREFUSED)",
    '5',
  ],
  [
    'does not exist',
    (url) => `${url}-other`,
    { status: 500, code: 'settings', field: 'databaseUrl' },
    "The gateway's database refuses to work (3D000)",
    null,
  ],
];

test.each(databases)(
  'a database that %s is an error that says so, also while the key is looked up',
  async (_, urlFrom, problem, says, retryAfter) => {
    const { account } = running.gateway.settings;
    const own = await openServer({ account });
    const databaseUrl = urlFrom(await startPostgres());
    const { store, close } = openStore({ databaseUrl, databaseFile: '' });
    closeAfterwards({ close });
    const get = jest.spyOn(own.gateway.store, 'get').mockImplementation(store.get);
    const answers = await Promise.all(['/health', calls].map((path) => own.call(path)));
    get.mockRestore();
    for (const { body, headers } of answers) {
      expect(body).toMatchObject(problem);
      expect(body.detail).toContain(says);
      expect(headers.get('retry-after')).toBe(retryAfter);
    }
    expect(own.log.join('').includes(says)).toBe(answers[0]?.status === 500);
  },
);

test.each([
  ['account first', '22:00-08:00 UTC', '07:00-09:00 UTC'],
  ['key first', '07:00-09:00 UTC', '22:00-08:00 UTC'],
])('quiet hours of the account and of a key together: %s', async (_, quietHours, ofKey) => {
  const { account } = running.gateway.settings;
  const inQuietHours = 'send-later' as const;
  const own = await openServer({ account, spending: { quietHours, inQuietHours } });
  const call = await own.callWith({ ...everything, limits: { quietHours: ofKey, inQuietHours } });
  const night = new Date();
  night.setUTCDate(night.getUTCDate() + 1);
  night.setUTCHours(23, 0, 0, 0);
  const { body } = await act(call, '/v1/actions/send-a-message', {
    ...{ messagingServiceSid: `MG${'0'.repeat(32)}`, to: '+12025550110', body: 'Hello' },
    sendAt: night.toISOString(),
  });
  expect(body).toMatchObject({ status: 'scheduled' });
  const { body: form } = sandbox.requests.findLast(({ method }) => method === 'POST') ?? {};
  const morning = new Date(night.getTime() + 10 * 3_600_000);
  expect(Date.parse(String(new URLSearchParams(form).get('SendAt')))).toBe(morning.getTime());
});

test('a request that does not arrive ends, and so does an answer that no one reads, while others are answered', async () => {
  const { port, hostname } = new URL(running.url);
  const opened = once(running.server.server, 'connection');
  const lazy = connectTo(Number(port), hostname).pause();
  // More than the system keeps for a reader.
  lazy.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(200));
  const [held] = await opened;
  const isUnread = once(held, 'close');
  const sockets = Array.from({ length: 50 }, () => connectTo(Number(port), hostname));
  const slow = sockets.map(async (socket) => {
    await once(socket, 'connect');
    socket.write('POST /v1/actions/send-sms HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\nx-a: ');
    const begun = performance.now();
    await once(socket.resume(), 'close');
    return performance.now() - begun;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const start = performance.now();
  expect((await running.call('/health')).status).toBe(200);
  expect(performance.now() - start).toBeLessThan(2_000);
  expect(Math.max(...(await Promise.all(slow)))).toBeLessThan(25_000);
  await isUnread;
  lazy.destroy();
});
