import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { deliveryLimits } from '../../plugin/gateway/deliveries.ts';
import { owner } from '../../plugin/gateway/gateway.ts';
import { revokeKey } from '../../plugin/gateway/keys.ts';
import { Subscriptions } from '../../plugin/gateway/subscriptions.ts';
import { isPublic, lookupPublic } from '../../plugin/gateway/webhook.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { serveHttp } from '../support/serve-http.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { until } from '../support/until.ts';
import {
  act,
  type Call,
  databaseFile,
  everything,
  openServer,
  publicAddress,
  reportSms,
  sendPath,
  smsTo,
} from './open-gateway.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
beforeEach(() => {
  sandbox.reset();
  sandbox.messages.length = 0;
  jest.replaceProperty(deliveryLimits, 'pollMs', 20);
  jest.replaceProperty(deliveryLimits, 'waitsMs', [1, 1, 1]);
});

const settings = () => ({
  account: { username: sandbox.username, password: sandbox.password, baseUrl: sandbox.url },
  ...{ publicAddress, privateWebhooks: true },
});

const sidOf = (number: number) => `SM${String(number).padStart(32, '0')}`;
const report = (gateway: string, number: number, more = {}) =>
  reportSms(gateway, sandbox, { MessageSid: sidOf(number), ...more });

/** What a receiver got. */
interface Got {
  headers: NodeJS.Dict<string | string[]>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it
  body: any;
}

/** Opens a receiver, which answers 204 unless it is given another answer. */
async function openReceiver(
  answer: (got: Got, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(204).end(),
) {
  const got: Got[] = [];
  const { url } = await serveHttp(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const one = { headers: request.headers, text, body: JSON.parse(text) };
    got.push(one);
    answer(one, response);
  });
  return { url: `${url}/events`, got };
}

const subscribe = async (call: Call, url: string, more = {}) =>
  (await call('/v1/subscriptions', { body: { url, events: 'all', ...more } })).body;

test('an event is sent once, signed as Standard Webhooks describes', async () => {
  const { url, got } = await openReceiver();
  const { call, url: gateway, gateway: opened } = await openServer(settings());
  const { secret, ...subscription } = await subscribe(call, url, { events: ['sms-received'] });
  for (const number of [1, 1]) await report(gateway, number);
  await until(() => got.length > 0);
  const { events } = (await call('/v1/events?cursor=start')).body;
  const [{ headers, text, body } = {} as Got] = got;
  const { cursor: _, ...event } = events[0];
  expect(body).toEqual(event);
  expect(body).toMatchObject({ type: 'sms-received', record: { sid: sidOf(1), body: 'A text' } });
  const { 'webhook-id': id, 'webhook-timestamp': at } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64');
  expect([id, headers['webhook-signature']]).toEqual([event.id, `v1,${signature}`]);
  expect(Math.abs(Number(at) * 1_000 - Date.now())).toBeLessThan(60_000);
  const listed = (await call('/v1/subscriptions')).body.subscriptions;
  expect(listed).toEqual([subscription]);
  expect(listed[0]).toEqual({
    ...{ id: expect.stringMatching(/^sub_/), url, events: ['sms-received'], replies: false },
    ...{ createdAt: expect.any(String), key: expect.any(String) },
  });
  expect(JSON.stringify(await opened.store.get('subscriptions', 'all'))).not.toContain(secret);
  expect(got).toHaveLength(1);
});

test('the service repeats an event that the database did not keep in time', async () => {
  const { call, url: gateway, gateway: opened } = await openServer(settings());
  const { insert } = opened.store;
  let fail = () => {};
  const away = new Promise<never>((_, reject) => {
    fail = () => reject(new Error('away'));
  });
  const spy = jest
    .spyOn(opened.store, 'insert')
    .mockImplementation((kind, entry) =>
      kind === 'journal' ? away : insert.call(opened.store, kind, entry),
    );
  expect((await report(gateway, 1)).status).toBe(500);
  fail();
  spy.mockRestore();
  expect((await report(gateway, 1)).status).toBe(200);
  expect((await call('/v1/events?cursor=start')).body.events).toHaveLength(1);
});

test('subscriptions do not make each other look again for ever', async () => {
  const receivers = await Promise.all([openReceiver(), openReceiver(), openReceiver()]);
  const { call, url: gateway, gateway: opened } = await openServer(settings());
  for (const { url } of receivers) await subscribe(call, url, { events: ['sms-received'] });
  const get = opened.store.get.bind(opened.store);
  let reads = 0;
  jest.spyOn(opened.store, 'get').mockImplementation(async (kind, key) => {
    reads += kind === 'subscriptions' ? 1 : 0;
    // Otherwise, only the process's end would end a loop of promises.
    if (reads > 2_000) throw new Error('too many');
    return get(kind, key);
  });
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  await Promise.all(numbers.map((number) => report(gateway, number)));
  await until(() => receivers.every(({ got }) => got.length >= numbers.length));
  expect(reads).toBeLessThan(2_000);
  expect(receivers.map(({ got }) => got.length)).toEqual(receivers.map(() => numbers.length));
});

test('an event that is refused is repeated before those after it', async () => {
  let refusals = 3;
  const { url, got } = await openReceiver((_, response) => {
    refusals -= 1;
    response.writeHead(refusals >= 0 ? 500 : 200).end();
  });
  const { call, url: gateway } = await openServer(settings());
  await subscribe(call, url);
  for (const number of [1, 2]) await report(gateway, number);
  await until(() => got.length === 5);
  expect(got.map(({ body }) => body.record.sid)).toEqual([1, 1, 1, 1, 2].map(sidOf));
  expect(new Set(got.slice(0, 4).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('a subscription that is removed gets no further event', async () => {
  const { call, url: gateway, gateway: opened } = await openServer(settings());
  let id = '';
  const { url, got } = await openReceiver(async (_, response) => {
    // The first arrives alone, and the others follow together.
    if (got.length === 1) for (const number of [2, 3, 4]) await report(gateway, number);
    else await call(`/v1/subscriptions/${id}`, { method: 'DELETE' });
    response.end();
  });
  ({ id } = await subscribe(call, url));
  await report(gateway, 1);
  await until(async () => {
    const { value } = (await opened.store.get('subscription states', id)) ?? {};
    return isDeepStrictEqual(value, { cursor: '2' }) || got.length > 2;
  });
  expect(got.map(({ body }) => body.record.sid)).toEqual([1, 2].map(sidOf));
});

test('the waits grow for about a day', () => {
  jest.restoreAllMocks();
  const { waitsMs } = deliveryLimits;
  expect([...waitsMs].sort((one, other) => one - other)).toEqual(waitsMs);
  const hours = waitsMs.reduce((sum, one) => sum + one, 0) / 3_600_000;
  expect([hours > 20, hours < 30]).toEqual([true, true]);
});

const offs: [what: string, answer: (response: ServerResponse) => void, says: RegExp][] = [
  ['always fails', (response) => response.writeHead(500).end(), /it answers 500/],
  ['redirects', (response) => response.writeHead(302, { location: '/' }).end(), /it answers 302/],
  ['is gone', (response) => response.writeHead(410).end(), /it answers 410/],
  ['hangs up', (response) => response.destroy(), /socket hang up/],
  [
    'wants another protocol',
    (response) => response.writeHead(101, { connection: 'Upgrade', upgrade: 'x' }).end(),
    /no answer/,
  ],
];

test.each(offs)('a receiver that %s is switched off with a sentence', async (_, answer, says) => {
  let isRepaired = false;
  const { url, got } = await openReceiver((__, response) =>
    isRepaired ? response.end() : answer(response),
  );
  const { call, url: gateway, log } = await openServer(settings());
  const { id } = await subscribe(call, url);
  await report(gateway, 1);
  const shown = async () => (await call('/v1/subscriptions')).body.subscriptions[0];
  await until(async () => (await shown()).off !== undefined);
  expect((await shown()).off).toMatch(
    /^Switched off: 127\.0\.0\.1:\d+ has accepted no event since/,
  );
  expect((await shown()).off).toMatch(says);
  expect(log.join('')).toContain(`The subscription ${id} was switched off.`);
  const attempts = got.length;
  isRepaired = true;
  await call(`/v1/subscriptions/${id}/resume`, { method: 'POST' });
  await until(() => got.length > attempts);
  expect(got.at(-1)?.body.record.sid).toBe(sidOf(1));
  expect((await shown()).off).toBeUndefined();
});

test('a subscription that is resumed waits no longer', async () => {
  jest.replaceProperty(deliveryLimits, 'waitsMs', [3_600_000]);
  let isRepaired = false;
  const { url, got } = await openReceiver((_, response) =>
    response.writeHead(isRepaired ? 204 : 500).end(),
  );
  const { call, url: gateway, gateway: opened } = await openServer(settings());
  const { id } = await subscribe(call, url);
  await report(gateway, 1);
  const state = async () => (await opened.store.get('subscription states', id))?.value;
  await until(async () => Reflect.get(Object(await state()), 'nextAt') !== undefined);
  isRepaired = true;
  await call(`/v1/subscriptions/${id}/resume`, { method: 'POST' });
  await until(() => got.length === 2);
  expect(got.map(({ body }) => body.record.sid)).toEqual([1, 1].map(sidOf));
});

test('events that a gateway could not send are sent by the next one, unless the key was revoked', async () => {
  let isAway = true;
  const { url, got } = await openReceiver((_, response) =>
    isAway ? response.destroy() : response.end(),
  );
  jest.replaceProperty(deliveryLimits, 'waitsMs', Array(10_000).fill(1));
  const file = databaseFile();
  const first = await openServer({ ...settings(), databaseFile: file });
  const revoked = await first.callWith(everything);
  await subscribe(first.call, url);
  const { id } = await subscribe(revoked, url);
  for (const number of [1, 2]) await report(first.url, number);
  await until(() => got.length > 1);
  await first.close();
  await revokeKey(first.gateway.store, revoked.id);
  isAway = false;
  got.length = 0;
  const { gateway } = await openServer({ ...settings(), databaseFile: file });
  const subscriptions = new Subscriptions(gateway);
  await until(async () => (await subscriptions.find(owner, id)).off !== undefined);
  expect((await subscriptions.find(owner, id)).off).toContain('was revoked');
  await until(() => got.length === 2);
  expect(got.map(({ body }) => body.record.sid)).toEqual([1, 2].map(sidOf));
});

test('of two processes, one sends the events of a subscription, in order', async () => {
  let inFlight = 0;
  let most = 0;
  const accepted: string[] = [];
  const { url } = await openReceiver(({ body }, response) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    setTimeout(() => {
      inFlight -= 1;
      const isAccepted = Math.random() > 0.2;
      if (isAccepted) accepted.push(body.record.sid);
      response.writeHead(isAccepted ? 200 : 503).end();
    }, 5);
  });
  jest.replaceProperty(deliveryLimits, 'waitsMs', Array(1_000).fill(1));
  jest.replaceProperty(deliveryLimits, 'busyMs', 10);
  const shared = { ...settings(), databaseUrl: await startPostgres() };
  const [one, other] = [await openServer(shared), await openServer(shared)];
  await subscribe(one.call, url);
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const number of numbers) {
    await report((number % 2 ? one : other).url, number);
    if (number === 20) await one.close();
    if (number === 20) Object.assign(one, await openServer(shared));
  }
  await until(() => accepted.length >= numbers.length);
  expect(accepted).toEqual(numbers.map(sidOf));
  expect(most).toBe(1);
});

const refusals: [what: string, body: object, isPrivate: boolean, status: number, field: string][] =
  [
    ['http', { url: 'http://app.example.com/' }, true, 400, 'url'],
    ['a password', { url: 'https://a:b@app.example.com/' }, true, 400, 'url'],
    ['no URL', { url: 'x' }, true, 400, 'url'],
    ['an object as URL', { url: { toString: 1 } }, true, 400, 'url'],
    ['an endless URL', { url: `https://a.example.com/${'a'.repeat(2_000)}` }, true, 400, 'url'],
    ['this machine', { url: 'http://localhost:5984/' }, false, 400, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, false, 400, 'url'],
    ['a hexadecimal address', { url: 'https://0x7f000001/' }, false, 400, 'url'],
    ['metadata', { url: 'https://[::ffff:169.254.169.254]/' }, false, 400, 'url'],
    ['no events', { url: 'https://app.example.com/', events: [] }, true, 400, 'events'],
    ['an unknown event', { url: 'https://app.example.com/', events: ['x'] }, true, 400, 'events'],
    [
      'objects as events',
      { url: 'https://a.example.com/', events: [{ toString: 1 }] },
      true,
      400,
      'events',
    ],
    ['no list', { url: 'https://app.example.com/', events: 'x' }, true, 400, 'events'],
  ];

test.each(refusals)('refuses a subscription with %s', async (_, body, isPrivate, status, field) => {
  const { call } = await openServer({ ...settings(), privateWebhooks: isPrivate });
  const answer = await call('/v1/subscriptions', { body: { events: 'all', ...body } });
  expect(answer.body).toMatchObject({ status, field });
  expect((await call('/v1/subscriptions')).body).toEqual({ subscriptions: [] });
});

test('a name of a private address is refused when an event is sent', async () => {
  const { url, got } = await openReceiver();
  const file = databaseFile();
  const open = await openServer({ ...settings(), databaseFile: file });
  await subscribe(open.call, url.replace('127.0.0.1', 'localhost'));
  await open.close();
  const closed = await openServer({ ...settings(), databaseFile: file, privateWebhooks: false });
  await report(closed.url, 1);
  const off = async () => (await new Subscriptions(closed.gateway).all())[0]?.off;
  await until(async () => (await off()) !== undefined);
  expect(await off()).toContain('localhost is a private address');
  expect(got).toEqual([]);
});

test.each([
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
  ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '198.18.0.1', '::1', '::', 'fe80::1', 'fc00::1'],
  ...['::7f00:1', 'fe80::1%br-lan', '4000::1', ''],
  ...['::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', '2001:db8::1', '2001::1'],
])('%s is no public address', (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(['8.8.8.8', '93.184.216.34', '2606:2800:220:1::1'])('%s is public', (address) => {
  expect(isPublic(address)).toBe(true);
});

test('a name is looked up once, and its private address refused', async () => {
  const found = new Promise((resolve) => lookupPublic('localhost', {}, resolve));
  expect(await found).toMatchObject({ message: expect.stringMatching(/^localhost is a private/) });
});

test('a key subscribes only with that right, to its events, and sees its own', async () => {
  const { callWith, call } = await openServer(settings());
  const url = 'https://app.example.com/';
  const { id } = await subscribe(call, url);
  const without = await callWith({ events: 'all' });
  expect(await subscribe(without, url)).toMatchObject({ status: 403, code: 'not-allowed' });
  const some = await callWith({ events: ['sms-received'], subscribe: true });
  expect(await subscribe(some, url)).toMatchObject({ status: 403, field: 'events' });
  const replying = { events: ['sms-received'], replies: true };
  expect(await subscribe(some, url, replying)).toMatchObject({ status: 403, field: 'replies' });
  expect((await some('/v1/subscriptions')).body).toEqual({ subscriptions: [] });
  expect((await some(`/v1/subscriptions/${id}`, { method: 'DELETE' })).status).toBe(404);
  expect((await call(`/v1/subscriptions/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await call('/v1/subscriptions')).body).toEqual({ subscriptions: [] });
});

test('one key can not take the subscriptions of others', async () => {
  const { callWith } = await openServer(settings());
  const url = 'https://app.example.com/';
  const [greedy, other] = [await callWith(everything), await callWith(everything)];
  for (let count = 0; count < 20; count += 1)
    expect(await subscribe(greedy, url)).toMatchObject({ key: greedy.id });
  const refused = await subscribe(greedy, url);
  expect(refused).toMatchObject({ status: 400, code: 'input' });
  expect(refused.detail).toBe('The key "a test" has 20 subscriptions already. Remove others.');
  expect(await subscribe(other, url)).toMatchObject({ key: other.id });
});

describe('a reply', () => {
  const hello = { form: 'reply', input: { text: 'Hello & bye' } };

  /** Opens a gateway whose subscriber replies to each SMS, and returns its answers. */
  async function openReplying(databaseUrl = '', replies = true) {
    const shared = { ...settings(), databaseUrl, databaseFile: databaseFile() };
    const { url, got } = await openReceiver();
    const running = await openServer(shared);
    await subscribe(running.call, url, { replies });
    const arrived = async () => {
      await until(() => got.length > 0);
      return String(got[0]?.body.id);
    };
    return { ...running, shared, arrived };
  }
  const replyTo = (call: Call, id: string, body: object) =>
    call(`/v1/events/${id}/reply`, { body });

  test('is the answer to the service while it waits, once', async () => {
    const { url, call, arrived } = await openReplying();
    const webhook = report(url, 1);
    const id = await arrived();
    const answers = [await replyTo(call, id, hello), await replyTo(call, id, hello)];
    expect(answers.map(({ body }) => body)).toEqual([{ status: 'replied' }, { status: 'replied' }]);
    expect(await (await webhook).text()).toContain('<Message>Hello &amp; bye</Message>');
    const other = await replyTo(call, id, { ...hello, input: { text: 'Other' } });
    expect(other.body).toMatchObject({ status: 422, code: 'rejected' });
    expect(sandbox.messages).toEqual([]);
  });

  test('reaches the process in which the service waits', async () => {
    const { url, shared, arrived } = await openReplying(await startPostgres());
    const other = await openServer(shared);
    const webhook = report(url, 1);
    expect((await replyTo(other.call, await arrived(), hello)).body).toEqual({ status: 'replied' });
    expect(await (await webhook).text()).toContain('Hello &amp; bye');
  });

  test('is sent as one SMS if the service does not wait', async () => {
    const { url, call, arrived } = await openReplying('', false);
    expect(await (await report(url, 1)).text()).not.toContain('Message');
    const id = await arrived();
    const answers = await Promise.all([1, 2, 3].map(() => replyTo(call, id, hello)));
    answers.push(await replyTo(call, id, hello));
    expect(answers.map(({ status }) => status).filter((one) => one !== 409)).toContain(200);
    expect(answers.at(-1)?.body).toMatchObject({ status: 'sent', record: { to: '+12025550130' } });
    const sent = sandbox.messages.map(({ from, to, body }) => [from, to, body]);
    expect(sent).toEqual([['+14155550100', '+12025550130', 'Hello & bye']]);
  });

  test('that is late and certainly sent nothing leaves the event to another, of which one is sent', async () => {
    const { url, call, callWith, arrived } = await openReplying('', false);
    await report(url, 1);
    const id = await arrived();
    sandbox.faults.add({ name: 'missing', method: 'POST' });
    const other = { ...hello, input: { text: 'Other' } };
    const answers = [await replyTo(call, id, hello), await replyTo(call, id, other)];
    const another = await callWith(everything);
    for (const caller of [call, another]) answers.push(await replyTo(caller, id, hello));
    answers.push(await replyTo(another, id, other), await replyTo(call, id, other));
    expect(answers.map(({ status, body }) => [status, body.code ?? body.status])).toEqual([
      ...[[404, 'not-found'], [200, 'sent'], ...Array(3).fill([422, 'rejected']), [200, 'sent']],
    ]);
    expect(sandbox.messages.map(({ body }) => body)).toEqual(['Other']);
  });

  test('that is too long for the service is refused while it waits', async () => {
    const { url, call, arrived } = await openReplying();
    const ringing = { CallSid: `CA${'0'.repeat(32)}`, CallStatus: 'ringing', Direction: 'inbound' };
    const webhook = reportSms(url, sandbox, ringing);
    const id = await arrived();
    const say = (text: string, voice?: string) => ({
      ...{ form: 'reply-say', input: { say: text, language: 'en-GB', voice } },
    });
    const long = await replyTo(call, id, say('a'.repeat(3_800), '&'.repeat(100)));
    expect(long.body).toMatchObject({ status: 400, code: 'input' });
    expect(long.body.detail).toContain('too long');
    expect((await replyTo(call, id, say('Hello'))).body).toEqual({ status: 'replied' });
    expect(await (await webhook).text()).toContain('Hello</Say>');
  });

  test('outlives a database that is away while the service waits', async () => {
    const { url, call, gateway, arrived } = await openReplying();
    const webhook = report(url, 1);
    const id = await arrived();
    const { get } = gateway.store;
    let failures = 2;
    jest.spyOn(gateway.store, 'get').mockImplementation((kind, key) => {
      if (kind !== 'event replies' || failures === 0) return get.call(gateway.store, kind, key);
      failures -= 1;
      return Promise.reject(new Error('away'));
    });
    await until(() => failures === 0);
    expect((await replyTo(call, id, hello)).body).toEqual({ status: 'replied' });
    expect(await (await webhook).text()).toContain('Hello &amp; bye');
  });

  test('reaches the service even if the answer of the database is lost', async () => {
    const { url, call, gateway, arrived } = await openReplying();
    const webhook = report(url, 1);
    const id = await arrived();
    const { swap } = gateway.store;
    let isLost = false;
    jest.spyOn(gateway.store, 'swap').mockImplementation(async (kind, entry, value) => {
      const isSwapped = await swap.call(gateway.store, kind, entry, value);
      if (kind !== 'event replies' || isLost) return isSwapped;
      isLost = true;
      throw new Error('away');
    });
    expect((await replyTo(call, id, hello)).body).toEqual({ status: 'replied' });
    expect(await (await webhook).text()).toContain('Hello &amp; bye');
  });

  test('that was sent is not sent again once the keys of actions have expired', async () => {
    const { url, call, gateway, arrived } = await openReplying('', false);
    await report(url, 1);
    const id = await arrived();
    expect((await replyTo(call, id, hello)).body).toMatchObject({ status: 'sent' });
    const later = Date.now() + 8 * 24 * 3_600_000;
    await gateway.store.expire('keyed actions', later);
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    expect((await replyTo(call, id, hello)).body).toMatchObject({ status: 422, code: 'rejected' });
    expect(sandbox.messages).toHaveLength(1);
  });

  const wrong: [what: string, rights: object, body: object, status: number, code: string][] = [
    ['without the right', { events: 'all' }, hello, 403, 'not-allowed'],
    ['to an event of others', { reply: 'all' }, hello, 404, 'not-found'],
    ['with another form', everything, { ...hello, form: 'x' }, 400, 'input'],
    ['with an object as form', everything, { ...hello, form: { toString: 1 } }, 400, 'bad-request'],
    ['without a text', everything, { ...hello, input: {} }, 400, 'input'],
    ['over its limit', { ...everything, limits: { perHour: 1 } }, hello, 429, 'limit-reached'],
  ];

  test.each(wrong)(
    '%s is refused, and another is possible',
    async (_, rights, body, status, code) => {
      const { url, call, callWith, arrived } = await openReplying();
      const webhook = report(url, 1);
      const id = await arrived();
      const caller = await callWith(rights);
      await act(caller, sendPath, smsTo('+12025550111'));
      const refused = await replyTo(caller, id, body);
      expect(refused.body).toMatchObject({ status, code });
      expect((await replyTo(call, id, hello)).body).toEqual({ status: 'replied' });
      expect(await (await webhook).text()).toContain('Hello');
    },
  );
});
