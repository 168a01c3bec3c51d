import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { sidsOf } from '../support/sids-of.ts';
import { until } from '../support/until.ts';
import {
  type Answer,
  act,
  type Call,
  callerAt,
  everything,
  type OpenGateway,
  openServer,
  publicAddress,
  reportSms,
  sendPath,
  smsTo,
} from './open-gateway.ts';

let sandbox: Sandbox;
let running: OpenGateway;
beforeAll(async () => {
  sandbox = await openSandbox();
  const { username, password, url: baseUrl, hosts } = sandbox;
  running = await openServer({
    account: { username, password, baseUrl, ...hosts },
    publicAddress,
    defaultSender: '+14155550100',
  });
});
beforeEach(() => {
  sandbox.reset();
  sandbox.messages.length = 0;
});

const sourcePath = (id: string, query: object) =>
  `/v1/data-sources/${id}?${new URLSearchParams({ ...query })}`;
const read = (id: string, query: object) => running.call(sourcePath(id, query));

const problemIn = ({ status, headers, body }: Answer) => {
  const { detail, ...others } = body;
  return { status, type: headers.get('content-type'), ...others, detail };
};

const type = 'application/problem+json; charset=utf-8';
const problem = (status: number, code: string, title: string, detail: unknown, more = {}) => ({
  ...{ status, code, title, detail, ...more },
  type: `urn:telephony:${code}`,
});

describe('problems', () => {
  const cases: [what: string, answer: () => Promise<Answer>, expected: object][] = [
    [
      'no key',
      () => callerAt(running.url, '')('/v1/data-sources/account-calls'),
      problem(
        ...([401, 'key-required', 'Key required'] as const),
        'Send an API key that exists and is not revoked: Authorization: Bearer tgw_…',
      ),
    ],
    [
      'a path that does not exist',
      () => running.call('/v2'),
      problem(
        ...([404, 'bad-request', 'Bad request'] as const),
        'There is nothing at this path. See /openapi.json.',
      ),
    ],
    [
      'an operation that does not exist',
      () => read('nothing', {}),
      problem(404, 'not-found', 'Not found', 'There is no operation "nothing".'),
    ],
    [
      'an action that is read',
      () => read('send-sms', {}),
      problem(
        ...([400, 'bad-request', 'Bad request'] as const),
        '"send-sms" is an action. Send POST /v1/actions/send-sms.',
      ),
    ],
    [
      'a data source that is run',
      () => act(running.call, '/v1/actions/account-messages', {}),
      problem(
        ...([400, 'bad-request', 'Bad request'] as const),
        '"account-messages" is a data source. Send GET /v1/data-sources/account-messages.',
      ),
    ],
    [
      'a wrong value',
      () => act(running.call, sendPath, smsTo('no number')),
      problem(400, 'input', 'Input', expect.stringContaining('"To"'), { field: 'to' }),
    ],
    [
      'an unknown field',
      () => act(running.call, sendPath, { ...smsTo('+12025550110'), confirm: true }),
      problem(400, 'input', 'Input', expect.stringContaining('has no field "confirm"')),
    ],
    [
      'no filter',
      () => read('calls-by-number-and-date', {}),
      problem(400, 'input', 'Input', expect.stringMatching(/^Filter by "\w+", .*=\* for all/), {
        field: expect.any(String),
      }),
    ],
    [
      'an empty filter',
      () => read('calls-by-number-and-date', { from: ' ' }),
      problem(
        ...([400, 'input', 'Input'] as const),
        '"from" is empty. Give it a value, or send from=* for all records.',
        { field: 'from' },
      ),
    ],
    [
      'a URL that cannot be read',
      () => running.call('/%'),
      problem(400, 'bad-request', 'Bad request', expect.stringContaining("'/%'")),
    ],
    [
      'a body of another type',
      () =>
        running.call(sendPath, {
          body: 'to=1',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      problem(
        ...([415, 'bad-request', 'Bad request'] as const),
        'Send the body as JSON, with the header Content-Type: application/json.',
      ),
    ],
    [
      'a row whose id is an object',
      () =>
        running.call('/v1/batches', {
          body: { action: 'send-sms', rows: [{ id: {}, input: smsTo('+12025550110') }] },
        }),
      problem(
        ...([400, 'bad-request', 'Bad request'] as const),
        'The "id" of row 1 must be a text or a number.',
        { field: 'rows' },
      ),
    ],
    [
      'a limit that is no number',
      () => read('account-calls', { limit: 'all' }),
      problem(
        ...([400, 'bad-request', 'Bad request'] as const),
        'The limit must be a whole number from 1 to 1000.',
        { field: 'limit' },
      ),
    ],
    [
      'what the service rejects',
      () => act(running.call, sendPath, smsTo('+15005550001')),
      problem(422, 'rejected', 'Rejected', expect.any(String), {
        ...{ field: 'to', serviceCode: 21211 },
        ...{ serviceMessage: expect.any(String), requestId: expect.any(String) },
      }),
    ],
    [
      'a body that is no JSON',
      () => act(running.call, sendPath, '{'),
      problem(400, 'bad-request', 'Bad request', expect.stringContaining('JSON')),
    ],
    [
      'a body that is too large',
      () => act(running.call, sendPath, smsTo('+12025550110', 'x'.repeat(300_000))),
      problem(413, 'bad-request', 'Bad request', expect.stringContaining('too large')),
    ],
  ];
  test.each(cases)('say what is wrong with %s', async (_, answer, expected) => {
    expect(problemIn(await answer())).toEqual(expected);
    expect((await answer()).headers.get('content-type')).toBe(type);
    expect(sandbox.messages).toEqual([]);
  });
});

describe('a list', () => {
  const all = () => sidsOf(sandbox.calls);

  async function readAll(query: object, { id = 'account-calls', at = [running.call] } = {}) {
    const sids: string[] = [];
    let cursor: string | null = null;
    let parts = 0;
    do {
      const call = at[parts % at.length] ?? running.call;
      const next: object = cursor === null ? {} : { cursor };
      const { status, body } = await call(sourcePath(id, { ...query, ...next }));
      expect(status).toBe(200);
      sids.push(...body.records.map(({ sid }: { sid: string }) => sid));
      cursor = body.cursor;
      parts += 1;
    } while (cursor !== null);
    return { sids, parts };
  }

  test('is read in parts with a cursor, each record once', async () => {
    const { sids, parts } = await readAll({ limit: '7' });
    expect([sids, parts]).toEqual([all(), Math.ceil(all().length / 7)]);
  });

  test('costs one request a part', async () => {
    sandbox.requests.length = 0;
    await readAll({ to: '*', limit: '20' }, { id: 'calls-by-number-and-date' });
    expect(sandbox.requests).toHaveLength(Math.ceil(all().length / 20));
  });

  test('is read in parts from several processes', async () => {
    const other = await openServer(running.gateway.settings);
    const at = [running.call, other.call];
    const { sids } = await readAll({ limit: '9' }, { at });
    expect(sids).toEqual(all());
  });

  test('has only what its filters match', async () => {
    const { from } = sandbox.calls[3] ?? { from: '' };
    const { body } = await read('calls-by-number-and-date', { from, limit: 1_000 });
    expect(body.records.map(({ sid }: { sid: string }) => sid)).toEqual(
      sidsOf(sandbox.calls.filter((call) => call.from === from)),
    );
  });

  test('refuses a cursor of other filters, and one that is none', async () => {
    const { body } = await read('account-calls', { to: '*', limit: 2 });
    const { cursor } = body;
    for (const query of [
      { status: 'busy', cursor },
      { to: '*', cursor: 'x' },
    ])
      expect((await read('account-calls', query)).body).toMatchObject({
        ...{ status: 400, code: 'input', field: 'cursor' },
      });
  });
});

test('audio of a recording is streamed, also a part of it', async () => {
  const { body } = await read('recordings-by-date', { dateCreatedAfter: '*', limit: 1_000 });
  const [{ media }] = body.records.filter((one: { media?: string }) => one.media);
  const call = await fetch(running.url + media, {
    headers: {
      authorization: `Bearer ${(await running.callWith(everything)).text}`,
      range: 'bytes=0-9',
    },
  });
  expect([call.status, (await call.arrayBuffer()).byteLength]).toEqual([206, 10]);
  const missing = await running.call('/v1/media/recording/RE00000000000000000000000000000000');
  expect(missing.body).toMatchObject({ status: 404, code: 'not-found' });
});

test('a batch is previewed, started once, and shows the outcome of each row', async () => {
  const numbers = ['+12025550120', '+12025550121', 'no number', '+1 202 555 0120'];
  const inputs = numbers.map((to) => smsTo(to));
  const rows = inputs.map((input, index) => ({ id: String(index), name: `P${index}`, input }));
  const preview = await running.call('/v1/batches', { body: { action: 'send-sms', rows } });
  expect(preview).toMatchObject({
    status: 201,
    body: { state: 'preview', start: 'Send 2 SMS', counts: { waiting: 2, failed: 1 } },
  });
  expect(sandbox.messages).toEqual([]);
  const path = `/v1/batches/${preview.body.key}`;
  const stranger = await running.callWith(everything);
  expect((await stranger(path)).body).toMatchObject({ status: 404, code: 'not-found' });
  const starts = [await running.call(`${path}/start`, { method: 'POST' })];
  // Many clients name the type of a body that they don't send.
  const headers = { 'content-type': 'application/json' };
  starts.push(await running.call(`${path}/start`, { method: 'POST', headers }));
  expect(starts.map(({ status, body }) => [status, body.isStarted])).toEqual([
    [202, true],
    [200, false],
  ]);
  await until(async () => (await running.call(path)).body.state === 'ended');
  const { body } = await running.call(`${path}/rows?limit=2`);
  const rest = await running.call(`${path}/rows?limit=2&cursor=${body.cursor}`);
  const outcomes = [...body.rows, ...rest.body.rows].map(({ id, code }) => [id, code]);
  expect([outcomes, rest.body.cursor]).toEqual([
    [
      ['0', 'done'],
      ['1', 'done'],
      ['2', 'failed'],
      ['3', 'duplicate'],
    ],
    null,
  ]);
  expect(sandbox.messages.map(({ to }) => to).sort()).toEqual(['+12025550120', '+12025550121']);
  expect((await running.call(path, { method: 'DELETE' })).status).toBe(204);
});

test('a batch knows what was sent by itself, and skips it', async () => {
  const input = smsTo('+12025550125', 'Only once.');
  await act(running.call, sendPath, input);
  const rows = [{ id: '1', input }];
  const { body } = await running.call('/v1/batches', {
    body: { action: 'send-sms', name: 'Once', rows, skipsSentSingly: true },
  });
  expect(body.counts).toMatchObject({ waiting: 0, 'already-done': 1 });
});

test('batches of other keys without a name are not the previous ones', async () => {
  const preview = (call: Call, to: string) => {
    const rows = [{ id: '1', input: smsTo(to) }];
    return call('/v1/batches', { body: { action: 'send-sms', rows } });
  };
  const stranger = await running.callWith(everything);
  const theirs = await preview(stranger, '+12025550126');
  await stranger(`/v1/batches/${theirs.body.key}/start`, { method: 'POST' });
  expect((await preview(running.call, '+12025550127')).body.previous).toBeUndefined();
  expect((await preview(stranger, '+12025550128')).body.previous).toMatchObject({
    key: theirs.body.key,
  });
});

describe('events', () => {
  const report = (sid: string, isSigned = true, more = {}, gateway = running.url) =>
    reportSms(gateway, sandbox, { MessageSid: sid, ...more }, isSigned);
  const sidOf = (number: number) => `SM${String(number).padStart(32, '0')}`;

  test('arrive by a signed webhook, once, and are read in order with a cursor', async () => {
    const { cursor } = (await running.call('/v1/events?cursor=now')).body;
    const statuses: number[] = [];
    for (const number of [1, 2, 2, 3]) statuses.push((await report(sidOf(number))).status);
    const forged = await report(sidOf(4), false);
    const { body } = await running.call(`/v1/events?cursor=${cursor}&limit=2`);
    const rest = await running.call(`/v1/events?cursor=${body.cursor}`);
    const sids = [...body.events, ...rest.body.events].map(({ record }) => record.sid);
    expect({ statuses, forged: forged.status, sids, more: [body.more, rest.body.more] }).toEqual({
      ...{ statuses: [200, 200, 200, 200], forged: 403, more: [true, false] },
      sids: [sidOf(1), sidOf(2), sidOf(3)],
    });
  });

  test('say who opted out, whom the next batch skips', async () => {
    const preview = async () => {
      const rows = ['+12025550131', '+12025550132'].map((to, id) => ({
        ...{ id: String(id), name: `P${id}`, input: smsTo(to) },
      }));
      return (await running.call('/v1/batches', { body: { action: 'send-sms', rows } })).body;
    };
    expect((await preview()).counts).toMatchObject({ waiting: 2, 'opted-out': 0 });
    const { cursor } = (await running.call('/v1/events?cursor=now')).body;
    await report(sidOf(5), true, { From: '+12025550131', Body: 'STOP', OptOutType: 'STOP' });
    const { body } = await running.call(`/v1/events?cursor=${cursor}`);
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      ...['sms-received', 'opted-out'],
    ]);
    expect((await preview()).counts).toMatchObject({ waiting: 1, 'opted-out': 1 });
  });

  test('are taken however many there are, also while strangers send requests', async () => {
    const { account } = running.gateway.settings;
    const busy = await openServer({ account, publicAddress, requestsPerMinute: 5 });
    const stranger = callerAt(busy.url, '');
    const paths = Array.from({ length: 7 }, () => '/health');
    const answers = await Promise.all(paths.map((path) => stranger(path)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    const statuses: number[] = [];
    for (let number = 20; number < 30; number += 1)
      statuses.push((await report(sidOf(number), true, {}, busy.url)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('need a cursor, and only those of the key are shown', async () => {
    expect((await running.call('/v1/events')).body).toMatchObject({ status: 400, field: 'cursor' });
    await report(sidOf(9));
    const call = await running.callWith({ events: ['call-received'] });
    const { body } = await call('/v1/events?cursor=start');
    expect(body).toEqual({ events: [], cursor: expect.any(String), more: false });
  });
});

test('answers have security headers, and no other site may read them', async () => {
  const { headers } = await running.call('/health', {
    headers: { origin: 'https://evil.example' },
  });
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('the page, the description and its health need no key, and metrics do', async () => {
  const open = callerAt(running.url, '');
  const paths = ['/', '/openapi.json', '/health', '/metrics'];
  const answers = await Promise.all(paths.map((path) => open(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401]);
  expect((await running.call('/metrics')).body).toContain(
    'telephony_gateway_request_seconds_count',
  );
});

test('closing finishes what is in flight', async () => {
  const own = await openServer({ account: running.gateway.settings.account });
  sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 300 });
  const answer = act(own.call, sendPath, smsTo('+12025550140'));
  await until(() => sandbox.messages.length === 1);
  const closed = own.close();
  expect((await answer).status).toBe(200);
  await closed;
  await expect(own.call('/health')).rejects.toThrow('fetch failed');
});
