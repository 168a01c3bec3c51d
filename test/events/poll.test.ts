import { setTimeout } from 'node:timers/promises';
import { type Message, messageRecord } from '../../demo/sandbox/records.ts';
import {
  type CursorStore,
  connect,
  type DeliveryLog,
  type EventIdentity,
  type EventOutcome,
  eventDefinition,
  eventReader,
  memoryDeliveryLog,
  nodeHandler,
  type PagesOptions,
  type PollOptions,
  pollEvents,
  receiveEvents,
  recordShape,
  type Telephony,
  type TelephonyEvent,
} from '../../src/builder.ts';
import { coversEvents } from '../../src/events/poll/cursor.ts';
import { gateTo } from '../support/gate.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { serveHttp } from '../support/serve-http.ts';
import { fixtures } from './fixtures.ts';
import { account, address, signedForm } from './signed.ts';

const minute = 60;
const hour = 60 * minute;
/** Two years behind the clock of this machine, as one that nobody set. */
const now = new Date('2024-11-20T23:30:00Z');
const [customer, ours] = ['+12025550143', '+14155550100'];

let sandbox: Sandbox;
let telephony: Telephony;
beforeAll(async () => {
  sandbox = await openSandbox({ now });
  const { username, password, url: baseUrl } = sandbox;
  telephony = connect({ username, password, baseUrl, limits: { maxAttempts: 1 } });
});
beforeEach(() => sandbox.reset());

/** What an app keeps of how far events were read, over restarts. */
function kept(): CursorStore & { text?: string; writes: number } {
  return {
    writes: 0,
    read() {
      return this.text;
    },
    write(text) {
      this.text = text;
      this.writes += 1;
    },
  };
}

const short = ({ id, record }: TelephonyEvent) => `${id} ${record.sid} ${record.status}`;

/** An app that asks, notes what it is told, and does what a test says. */
function open(options: Partial<PollOptions> = {}) {
  const told: TelephonyEvent[] = [];
  const reports: string[] = [];
  const poll = pollEvents(telephony, {
    onOutcome: (what: EventOutcome) => void reports.push(what.outcome),
    ...options,
    onEvent: async (event, about) => {
      const reply = await options.onEvent?.(event, about);
      told.push(event);
      return reply;
    },
  });
  /** Asks, and gives what was told meanwhile. */
  const ask = async () => {
    await poll();
    return told.splice(0).map(short);
  };
  return { poll, ask, told, reports };
}

const comesIn = (body = 'Hello') => sandbox.receiveMessage({ from: customer, to: ours, body });
const send = (to = customer) => telephony.run('send-sms', { from: ours, to, body: 'Hello' });

/** A message as it could have come in at another time. */
const messageOf = (sid: string, made: Date, changes: Partial<Message> = {}): Message => ({
  ...messageRecord({ sid: sandbox.username, root: '', origin: sandbox.origin }, made, {
    ...{ sid, from: customer, to: ours, body: 'Hello', num_segments: '1' },
    ...{ status: 'received', direction: 'inbound' },
  }),
  ...changes,
});

const lists = { call: 'calls', message: 'messages', recording: 'recordings' } as const;

const polledFixtures = fixtures.filter(([id]) => eventDefinition(id).polled);

test.each(polledFixtures)(
  'a polled event has the same key as its webhook: %s',
  async (id, fixture) => {
    const reading = eventReader(account, { url: address })(signedForm(fixture.parameters));
    const { only = {} } = eventDefinition(id).polled ?? {};
    const shape = recordShape(eventDefinition(id).result.of);
    const record: Record<string, unknown> = { ...fixture.record, dateCreated: now.toUTCString() };
    for (const [key, [value]] of Object.entries(only)) record[key] = value;
    const row = shape.fields.map(({ key, name }) => [name, record[key] ?? null]);
    const notes: EventIdentity[] = [];
    const { poll } = open({
      deliveryLog: {
        ...memoryDeliveryLog(),
        begin(note) {
          notes.push(note);
          return 'delivered';
        },
      },
    });
    await poll();
    const list: object[] = sandbox[lists[shape.id as keyof typeof lists]];
    list.unshift(Object.fromEntries(row));
    await poll();
    const { signature: _, ...note } =
      reading.outcome === 'event' ? reading.identity : { signature: '' };
    expect(notes).toEqual([expect.objectContaining(note)]);
  },
);

test('delivers no earlier events, and each later one completely and once', async () => {
  const { ask, told, poll } = open();
  expect(await ask()).toEqual([]);
  const { sid } = comesIn('Are you open?');
  await poll();
  expect(told).toEqual([
    {
      id: 'sms-received',
      record: expect.objectContaining({ sid, body: 'Are you open?', from: customer, to: ours }),
      parameters: {},
    },
  ]);
  expect(await ask()).toHaveLength(1);
  expect(await ask()).toEqual([]);
});

test('delivers the pictures of a message, and when it was received', async () => {
  const { poll, told } = open();
  await poll();
  const { sid, uri } = sandbox.receiveMessage({
    ...{ from: customer, to: ours, body: '', pictures: 2 },
  });
  const [{ date_created = '' } = {}] = sandbox.messages;
  await poll();
  const url = (index: number) =>
    `${sandbox.origin}${uri.replace('.json', '')}/Media/ME${sid.slice(4)}0${index}`;
  const received = new Date(date_created);
  expect(told.map(({ record }) => record)).toEqual([
    expect.objectContaining({
      ...{ sid, body: '', numMedia: 2, dateCreated: received, dateSent: received },
      media: [0, 1].map((index) => ({ url: url(index), contentType: 'image/png' })),
    }),
  ]);
  expect(sandbox.requests.filter(({ path }) => path.endsWith('/Media.json'))).toHaveLength(1);
});

test('delivers a message later if its pictures cannot be read yet, and without them if they are gone', async () => {
  const { ask, told, poll } = open();
  await ask();
  const { sid } = sandbox.receiveMessage({ from: customer, to: ours, body: 'Look', pictures: 1 });
  sandbox.faults.add({ name: 'server-error', path: '/Media' });
  expect(await ask()).toEqual([]);
  expect(await ask()).toEqual([`sms-received ${sid} received`]);
  sandbox.receiveMessage({ from: customer, to: ours, body: 'Gone', pictures: 1 });
  sandbox.faults.add({ name: 'missing', path: '/Media' });
  await poll();
  expect(told.map(({ record }) => record)).toEqual([
    expect.objectContaining({ body: 'Gone', media: [] }),
  ]);
});

test('delivers the current status of messages, calls and recordings', async () => {
  const { ask } = open();
  await ask();
  const call = sandbox.receiveCall({ from: customer, to: ours });
  sandbox.pass(1);
  const message = await send();
  const missed = sandbox.receiveCall({ from: customer, to: ours, end: 'no-answer' });
  expect(await ask()).toEqual([
    `call-status ${call.sid} ringing`,
    `message-status ${message.sid} queued`,
    `call-status ${missed.sid} ringing`,
  ]);
  sandbox.pass(4);
  expect(await ask()).toEqual([
    `call-status ${call.sid} in-progress`,
    `message-status ${message.sid} delivered`,
    `call-status ${missed.sid} no-answer`,
  ]);
  const recording = await telephony.run('create-a-call-recording', { callSid: call.sid });
  expect(await ask()).toEqual([]);
  sandbox.pass(10);
  expect((await ask()).sort()).toEqual([
    `call-status ${call.sid} completed`,
    `recording-ready ${recording.sid} completed`,
  ]);
});

const after: [time: string, seconds: number, isTold: boolean][] = [
  ['a minute', minute, true],
  ['an hour, past midnight', hour, true],
  ['eleven hours', 11 * hour, true],
  ['thirteen hours', 13 * hour, false],
];
test.each(after)(
  'a read status %s after sending is delivered only within twelve hours',
  async (_, seconds, isTold) => {
    const { ask } = open();
    await ask();
    const { sid } = await send();
    sandbox.pass(10);
    expect(await ask()).toEqual([`message-status ${sid} delivered`]);
    sandbox.pass(seconds);
    await ask();
    Object.assign(sandbox.messages[0] ?? {}, { status: 'read' });
    expect(await ask()).toEqual(isTold ? [`message-status ${sid} read`] : []);
  },
);

test('delivers the status of a failed message, which has no send date', async () => {
  const { ask } = open();
  await ask();
  const { sid } = await send('+15005553001');
  sandbox.pass(10);
  expect(sandbox.messages[0]?.date_sent).toBeNull();
  expect(await ask()).toEqual([`message-status ${sid} failed`]);
});

test('delivers a record that appears late in the list', async () => {
  const { ask } = open({ events: ['sms-received'] });
  await ask();
  sandbox.pass(hour);
  const last = comesIn();
  expect(await ask()).toEqual([`sms-received ${last.sid} received`]);
  const late = messageOf('SM-late', new Date(now.getTime() + 1_800_000));
  sandbox.messages.splice(1, 0, late);
  expect(await ask()).toEqual(['sms-received SM-late received']);
});

test('reads on past messages that were scheduled long ago and sent just now', async () => {
  const { ask } = open({ events: ['sms-received'] });
  await ask();
  const { sid } = comesIn();
  const { date_created: date_sent } = messageOf('SM-now', now);
  const scheduled = Array.from({ length: 50 }, (_, index) =>
    messageOf(`SM-scheduled-${index}`, new Date(now.getTime() - 48 * hour * 1_000), {
      ...{ direction: 'outbound-api', status: 'delivered', date_sent },
    }),
  );
  sandbox.messages.unshift(...scheduled);
  expect(await ask()).toEqual([`sms-received ${sid} received`]);
});

test('reads a list as far back as the slowest of its events needs', async () => {
  const { ask } = open();
  await ask();
  const { sid } = await send();
  sandbox.pass(minute);
  const sent = sandbox.messages[0];
  for (let count = 0; count < 1_000; count += 1) comesIn();
  await ask();
  sandbox.pass(2 * hour);
  await ask();
  Object.assign(sent ?? {}, { status: 'read' });
  expect(await ask()).toEqual([`message-status ${sid} read`]);
});

test('ignores a record without a creation date', async () => {
  const { ask, reports } = open({ events: ['sms-received'] });
  await ask();
  const { sid } = comesIn();
  sandbox.messages.unshift(messageOf('SM-dateless', now, { date_created: '' }));
  expect(await ask()).toEqual([`sms-received ${sid} received`]);
  expect(await ask()).toEqual([]);
  expect(reports).toEqual(['delivered']);
});

test('delivers a record once that a shifting list repeats', async () => {
  const { ask } = open({ events: ['sms-received'] });
  await ask();
  const one = comesIn();
  sandbox.messages.unshift(one);
  expect(await ask()).toEqual([`sms-received ${one.sid} received`]);
});

describe('requests of polling', () => {
  const lists = () => {
    const paths = sandbox.requests.map(({ path }) => path.replace(/.*\/(\w+)\.json/, '$1'));
    return paths.sort();
  };

  test('each list is read once, however many events it serves', async () => {
    const { ask } = open();
    await ask();
    sandbox.requests.length = 0;
    await ask();
    expect(lists()).toEqual(['Calls', 'Messages', 'Recordings']);
  });

  test.each([
    ['sms-received', ['Messages']],
    ['call-status', ['Calls']],
  ] as const)('polling only %s reads only its list', async (id, expected) => {
    const { ask } = open({ events: [id] });
    await ask();
    sandbox.requests.length = 0;
    await ask();
    expect(lists()).toEqual(expected);
  });

  test('a thousand new records are delivered, oldest first, and then read by one large page', async () => {
    const { ask } = open({ events: ['sms-received'] });
    await ask();
    const sids = Array.from({ length: 1_000 }, () => comesIn().sid);
    expect(await ask()).toEqual(sids.map((sid) => `sms-received ${sid} received`));
    sandbox.requests.length = 0;
    expect(await ask()).toEqual([]);
    expect(lists()).toHaveLength(2);
    sandbox.pass(2 * hour);
    await ask();
    sandbox.requests.length = 0;
    expect(await ask()).toEqual([]);
    expect(lists()).toHaveLength(1);
  });

  test('pages stay large as long as one event needs more than a small page', async () => {
    sandbox.messages.length = 0;
    const { ask } = open({ events: ['sms-received', 'message-status'] });
    await ask();
    for (let count = 0; count < 50; count += 1) comesIn();
    await ask();
    sandbox.pass(2 * hour);
    await ask();
    await ask();
    sandbox.requests.length = 0;
    await ask();
    expect(sandbox.requests.map(({ query }) => query)).toEqual(['PageSize=1000']);
  });

  test('the cursor is saved during a long delivery', async () => {
    const soFar = kept();
    const writes: number[] = [];
    const events: PollOptions['events'] = ['sms-received'];
    const { ask } = open({ cursor: soFar, events, onEvent: () => void writes.push(soFar.writes) });
    await ask();
    soFar.writes = 0;
    for (let count = 0; count < 1_001; count += 1) comesIn();
    await ask();
    expect([writes[999], writes[1_000], soFar.writes]).toEqual([0, 1, 2]);
  });

  test('the cursor is not saved if nothing happens', async () => {
    const soFar = kept();
    const { ask } = open({ cursor: soFar });
    await ask();
    soFar.writes = 0;
    await ask();
    sandbox.pass(minute);
    await ask();
    expect(soFar.writes).toBe(0);
  });

  test('the start of polling is saved before the service answers', async () => {
    const gate = await gateTo(sandbox.url);
    const { username, password } = sandbox;
    const slow = connect({ username, password, baseUrl: gate.url, limits: { maxAttempts: 1 } });
    const soFar = kept();
    const first = pollEvents(slow, { cursor: soFar, events: ['call-status'], onEvent: () => {} })();
    await gate.holds(1);
    expect(coversEvents(slow.account, soFar.text, ['call-status'])).toBe(true);
    await gate.open();
    await first;
  });
});

describe('polling a service that fails', () => {
  const broken = (path: string) => sandbox.faults.add({ name: 'server-error', path, times: 1 });

  test.each(['Messages', ''])('loses nothing, not even in the first poll: %j', async (path) => {
    const { ask } = open();
    broken(path);
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    const first = comesIn();
    expect(await ask()).toEqual([`sms-received ${first.sid} received`]);
    const second = comesIn();
    broken('Messages');
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    sandbox.pass(30 * hour);
    expect(await ask()).toEqual([`sms-received ${second.sid} received`]);
  });

  test('before its first answer delivers a message that was sent before but delivered later', async () => {
    const { sid } = await send();
    sandbox.pass(minute);
    const { ask } = open();
    broken('');
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    const early = messageOf('SM-early', new Date(now.getTime() - 1_000), {
      ...{ direction: 'outbound-api', status: 'delivered' },
      date_updated: new Date(now.getTime() + 61_000).toUTCString(),
    });
    sandbox.messages.splice(1, 0, early);
    expect(await ask()).toEqual(['message-status SM-early delivered']);
    expect(sid).toBeTruthy();
  });

  test('at first, for a while, delivers what arrived in the meantime', async () => {
    const { ask } = open({ events: ['sms-received'] });
    broken('');
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    const { sid } = comesIn();
    sandbox.pass(20 * minute);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 20 * minute * 1_000);
    try {
      expect(await ask()).toEqual([`sms-received ${sid} received`]);
    } finally {
      clock.mockRestore();
    }
  });

  test('in one list still delivers events of the others', async () => {
    const { poll, told } = open();
    await poll();
    const { sid } = comesIn();
    sandbox.receiveCall({ from: customer, to: ours });
    broken('Calls');
    await expect(poll()).rejects.toMatchObject({ code: 'unavailable' });
    expect(told.splice(0).map(short)).toEqual([`sms-received ${sid} received`]);
    await poll();
    expect(told.map(({ id }) => id)).toEqual(['call-status']);
  });

  test('between two pages delivers nothing yet', async () => {
    const { poll, told } = open({ events: ['sms-received'] });
    await poll();
    for (let count = 0; count < 60; count += 1) comesIn();
    broken('PageToken');
    await expect(poll()).rejects.toMatchObject({ code: 'unavailable' });
    expect(told).toEqual([]);
    await poll();
    expect(told).toHaveLength(60);
  });

  test('to return creation dates stops with an error', async () => {
    sandbox.messages.length = 0;
    sandbox.messages.push(...[1, 2].map((n) => messageOf(`SM${n}`, now, { date_created: '' })));
    await expect(open({ events: ['sms-received'] }).poll()).rejects.toMatchObject({
      ...{ code: 'bad-answer', request: 'GET /Messages.json' },
      message: "The service's records have no creation time, so “SMS received” cannot be polled.",
    });
  });
});

describe('polling for an app that fails', () => {
  test('retries a failed delivery for a day', async () => {
    let fails = true;
    const { ask, reports } = open({
      events: ['sms-received'],
      onEvent: ({ record }) => {
        if (fails && record.sid === sid) throw new Error('The database is locked.');
      },
    });
    await ask();
    const { sid } = comesIn();
    const other = comesIn();
    expect(await ask()).toEqual([`sms-received ${other.sid} received`]);
    sandbox.pass(20 * hour);
    expect(await ask()).toEqual([]);
    fails = false;
    expect(await ask()).toEqual([`sms-received ${sid} received`]);
    expect(await ask()).toEqual([]);
    expect(reports).toEqual(['failed', 'delivered', 'failed', 'delivered']);
  });

  test('gives up a delivery that always fails', async () => {
    const { ask, reports } = open({
      events: ['sms-received'],
      onEvent: () => Promise.reject(new Error('never')),
    });
    await ask();
    comesIn();
    for (const hours of [0, 23, 2, 1, 1]) {
      sandbox.pass(hours * hour);
      await ask();
    }
    expect(reports).toEqual(['failed', 'failed', 'failed']);
  });

  test('retries with the next poll if the handler fails slowly', async () => {
    const { ask, reports } = open({
      events: ['sms-received'],
      timeoutMs: 5,
      async onEvent() {
        await setTimeout(50);
        if (reports.length === 0) throw new Error('The database is locked.');
      },
    });
    await ask();
    const { sid } = comesIn();
    expect(await ask()).toEqual([]);
    expect(await ask()).toEqual([`sms-received ${sid} received`]);
    expect(await ask()).toEqual([]);
    expect(reports).toEqual(['failed', 'delivered']);
  });

  test('leaves an event whose handler fails after a stop to the next poll', async () => {
    const stop = new AbortController();
    const soFar = kept();
    const memory = memoryDeliveryLog();
    const { poll } = open({
      ...{ cursor: soFar, deliveryLog: memory, events: ['sms-received'], timeoutMs: 5 },
      async onEvent() {
        stop.abort();
        await setTimeout(50);
        throw new Error('The database is locked.');
      },
    });
    await poll();
    const { sid } = comesIn();
    await poll({ signal: stop.signal });
    const next = open({ cursor: soFar, deliveryLog: memory, events: ['sms-received'] });
    expect(await next.ask()).toEqual([`sms-received ${sid} received`]);
  });

  test('waits for a slow handler while it delivers the other events', async () => {
    const signals: AbortSignal[] = [];
    let end = () => {};
    const { poll, told } = open({
      events: ['sms-received'],
      timeoutMs: 5,
      onEvent: ({ record }, { signal }) => {
        signals.push(signal);
        if (record.sid === sid)
          return new Promise<undefined>((resolve) => {
            end = () => resolve(undefined);
          });
      },
    });
    await poll();
    const { sid } = comesIn();
    const other = comesIn();
    const polled = poll();
    while (told.length === 0) await setTimeout(1);
    expect([signals[0]?.aborted, told.map(({ record }) => record.sid)]).toEqual([
      true,
      [other.sid],
    ]);
    end();
    await polled;
    await poll();
    expect(told.map(({ record }) => record.sid)).toEqual([other.sid, sid]);
  });

  test('reports a reply that no one receives', async () => {
    const { ask, reports } = open({ events: ['sms-received'], onEvent: () => 'Thank you!' });
    await ask();
    comesIn();
    await ask();
    expect(reports).toEqual(['delivered', 'reply-not-sent']);
  });

  test('delivers nothing twice even if the delivery log forgets it', async () => {
    const [soFar, memory] = [kept(), () => memoryDeliveryLog(10)];
    const { ask } = open({ cursor: soFar, deliveryLog: memory() });
    await ask();
    const sids = Array.from({ length: 30 }, () => comesIn().sid);
    expect(await ask()).toHaveLength(sids.length);
    expect(await ask()).toEqual([]);
    expect(await open({ cursor: soFar, deliveryLog: memory() }).ask()).toEqual([]);
  });
});

test('polls that run at the same time share one run', async () => {
  const { poll, told } = open({ events: ['sms-received'] });
  await poll();
  comesIn();
  sandbox.requests.length = 0;
  await Promise.all([poll(), poll(), poll()]);
  expect([told.length, sandbox.requests.length]).toEqual([1, 1]);
});

test('a stopped poll leaves the rest to the next one', async () => {
  const stop = new AbortController();
  const soFar = kept();
  const { poll, told } = open({
    cursor: soFar,
    events: ['sms-received'],
    onEvent: () => (told.length === 2 ? stop.abort() : undefined),
  });
  await poll();
  const sids = Array.from({ length: 5 }, () => comesIn().sid);
  await poll({ signal: stop.signal });
  const first = told.map(({ record }) => record.sid);
  sandbox.pass(20 * hour);
  const rest = open({ cursor: soFar, events: ['sms-received'], deliveryLog: memoryDeliveryLog() });
  await rest.poll();
  const others = rest.told.map(({ record }) => record.sid);
  expect([first.length, [...first, ...others]]).toEqual([3, sids]);
  await expect(poll({ signal: stop.signal })).rejects.toMatchObject({ code: 'aborted' });
});

test('the next poll delivers events that happened between polls', async () => {
  const soFar = kept();
  await open({ cursor: soFar }).ask();
  const { sid } = comesIn();
  sandbox.pass(72 * hour);
  const last = comesIn();
  expect(await open({ cursor: soFar }).ask()).toEqual(
    [sid, last.sid].map((one) => `sms-received ${one} received`),
  );
});

test('a change of account or service delivers no old events, only later ones', async () => {
  const soFar = kept();
  await open({ cursor: soFar, events: ['sms-received'] }).ask();
  const other = await openSandbox({ now });
  const { username, password, url: baseUrl } = other;
  const sms = { from: customer, to: ours, body: 'Hello' };
  other.receiveMessage(sms);
  other.pass(minute);
  const told: string[] = [];
  const ask = pollEvents(connect({ username, password, baseUrl }), {
    ...{ cursor: soFar, events: ['sms-received'] },
    onEvent: ({ record }) => void told.push(record.sid),
  });
  await ask();
  const { sid } = other.receiveMessage(sms);
  await ask();
  expect(told).toEqual([sid]);
});

test('a newly subscribed event starts without old events, an unsubscribed one stops', async () => {
  const soFar = kept();
  await open({ cursor: soFar, events: ['sms-received'] }).ask();
  await send();
  sandbox.pass(10);
  await open({ cursor: soFar, events: ['sms-received', 'message-status'] }).ask();
  const { sid } = await send();
  sandbox.pass(10);
  expect(await open({ cursor: soFar, events: ['message-status'] }).ask()).toEqual([
    `message-status ${sid} delivered`,
  ]);
  comesIn();
  sandbox.pass(10);
  await open({ cursor: soFar, events: ['message-status'] }).ask();
  expect(await open({ cursor: soFar }).ask()).toEqual([]);
});

test('the saved cursor tells which events of which account were polled', async () => {
  const soFar = kept();
  const { account } = telephony;
  expect(coversEvents(account, soFar.text, ['sms-received'])).toBe(false);
  await open({ cursor: soFar, events: ['sms-received'] }).ask();
  expect(coversEvents(account, soFar.text, ['sms-received'])).toBe(true);
  expect(coversEvents(account, soFar.text, ['sms-received', 'call-status'])).toBe(false);
  expect(coversEvents(`${account}0`, soFar.text, ['sms-received'])).toBe(false);
});

test.each(['', 'not JSON', '[]', '{"sms-received":{"from":1}}', '{"sms-received":null}'])(
  'a broken cursor, %j, starts polling from now',
  async (text) => {
    const soFar = { ...kept(), text };
    const { ask } = open({ cursor: soFar });
    expect(await ask()).toEqual([]);
    const { sid } = comesIn();
    expect(await ask()).toEqual([`sms-received ${sid} received`]);
  },
);

test.each([
  ['its start', { begun: null, from: undefined }],
  ['its position', { from: 'x' }],
  ['the events it has seen', { seen: null }],
  ['the events that failed', { failed: null }],
])('a cursor without %s starts polling from now', async (_, changes) => {
  const soFar = kept();
  comesIn();
  sandbox.pass(minute);
  await open({ cursor: soFar, events: ['sms-received'] }).ask();
  const { 'sms-received': mark } = JSON.parse(soFar.text ?? '');
  soFar.text = JSON.stringify({ 'sms-received': { ...mark, ...changes } });
  const { ask } = open({ cursor: soFar, events: ['sms-received'] });
  expect(await ask()).toEqual([]);
  const { sid } = comesIn();
  expect(await ask()).toEqual([`sms-received ${sid} received`]);
});

test('the saved cursor does not grow', async () => {
  const soFar = kept();
  let fails = true;
  const { ask } = open({
    ...{ cursor: soFar, events: ['sms-received'] },
    onEvent: () => {
      if (fails) throw new Error('The database is locked.');
    },
  });
  sandbox.messages.length = 0;
  await ask();
  const size = soFar.text?.length;
  for (let count = 0; count < 9; count += 1) comesIn();
  await ask();
  fails = false;
  expect(await ask()).toHaveLength(9);
  sandbox.pass(30 * hour);
  await ask();
  expect(soFar.text).toHaveLength(size ?? 0);
});

test.each([
  ['', 1],
  ['not JSON', 1],
  ['{"sms-received":{"from":1}}', 1],
  [undefined, 0],
  ['{}', 0],
] as const)(
  'a saved cursor of %j is reported as broken, however many polls, this often: %i',
  async (text, times) => {
    const { poll, reports } = open({ cursor: { ...kept(), ...(text !== undefined && { text }) } });
    await poll();
    await poll();
    expect(reports).toEqual(Array(times).fill('cursor-reset'));
  },
);

test('a first answer dated in the past delivers nothing older than the newest record', async () => {
  const service = await openSandbox({ now });
  const { username, password, url: baseUrl } = service;
  const right = connect({ username, password, baseUrl });
  // On more than one page.
  const sids = Array.from({ length: 120 }, () => {
    service.pass(minute);
    return service.receiveMessage({ from: customer, to: ours, body: 'Hello' }).sid;
  });
  const told: string[] = [];
  const poll = pollEvents(
    { ...right, now: async () => new Date('1999-01-01T00:00:00Z') },
    { events: ['sms-received'], onEvent: ({ record }) => void told.push(record.sid) },
  );
  await poll();
  expect(told.filter((sid) => sid !== sids.at(-1))).toEqual([]);
  service.pass(1);
  const { sid } = service.receiveMessage({ from: customer, to: ours, body: 'Hello' });
  await poll();
  expect(told).toContain(sid);
});

test('a list is read back to the cursor, even beyond the usual limit', async () => {
  const pages = ((id: string, input: object, options: PagesOptions = {}) =>
    telephony.pages(id, input, {
      ...options,
      limit: Math.ceil((options.limit ?? 100_000) / 1_000),
    })) as Telephony['pages'];
  const told: string[] = [];
  const poll = pollEvents(
    { ...telephony, pages },
    { events: ['sms-received'], onEvent: ({ record }) => void told.push(record.sid) },
  );
  await poll();
  const sids = Array.from({ length: 150 }, () => comesIn().sid);
  await poll();
  expect(told).toEqual(sids);
});

describe('one answer dated far in the future', () => {
  const events = ['sms-received', 'message-status'] as const;
  const wrong = new Date('2100-01-01T00:00:00Z');

  /** An app that asks a service whose clock is that of this machine, or behind it. */
  async function openAt(time: Date) {
    const service = await openSandbox({ now: time });
    const { username, password, url: baseUrl } = service;
    const right = connect({ username, password, baseUrl });
    const dates: Date[] = [];
    const told: string[] = [];
    const poll = pollEvents(
      { ...right, now: async () => dates.shift() ?? right.now() },
      { events, onEvent: (event) => void told.push(short(event)) },
    );
    const comesInThere = () => {
      service.pass(1);
      return service.receiveMessage({ from: customer, to: ours, body: 'Hello' }).sid;
    };
    return { service, right, dates, told, poll, comesInThere };
  }

  test.each([
    [0, now],
    [1, now],
    [0, new Date()],
    [1, new Date()],
  ])(
    'after %d others loses no later events, with the service clock at %s',
    async (others, time) => {
      const { dates, told, poll, comesInThere } = await openAt(time);
      for (let count = 0; count < others; count += 1) await poll();
      dates.push(wrong, wrong);
      await poll();
      await poll();
      const sid = comesInThere();
      await poll();
      expect(told).toEqual([`sms-received ${sid} received`]);
    },
  );

  test('loses no later status of an earlier message', async () => {
    const { service, right, dates, told, poll, comesInThere } = await openAt(new Date());
    await poll();
    const { sid } = await right.run('send-sms', { from: ours, to: customer, body: 'Hello' });
    await poll();
    comesInThere();
    dates.push(wrong);
    await poll();
    service.pass(10);
    told.length = 0;
    await poll();
    expect(told).toEqual([`message-status ${sid} delivered`]);
  });
});

test('polling an unknown event throws', () => {
  const of = (id: string) => () => open({ events: [id as 'sms-received'] });
  expect(of('nothing')).toThrow('Unknown event "nothing".');
});

describe('an app that polls and receives webhooks', () => {
  async function serve(memory: DeliveryLog, tell: PollOptions['onEvent']) {
    const { username, password, url: baseUrl } = sandbox;
    let receive = receiveEvents(account, { url: address, onEvent: tell });
    const { url } = await serveHttp((request, response) => nodeHandler(receive)(request, response));
    receive = receiveEvents(
      { username, password, baseUrl },
      { url, deliveryLog: memory, onEvent: tell },
    );
    sandbox.events.numbers.set(ours, {
      ...{ smsUrl: url, statusCallback: url },
      statusCallbackEvents: ['ringing', 'answered', 'completed'],
    });
    return url;
  }

  test('gets each event once, whichever way comes first', async () => {
    const memory = memoryDeliveryLog();
    const all: string[] = [];
    const tell: PollOptions['onEvent'] = (event) => void all.push(short(event));
    const { poll, reports } = open({ deliveryLog: memory, onEvent: tell });
    const url = await serve(memory, tell);
    await poll();
    const message = comesIn();
    const call = sandbox.receiveCall({ from: customer, to: ours });
    await sandbox.events.settled();
    await poll();
    expect(all.splice(0)).toEqual([
      `sms-received ${message.sid} received`,
      `call-status ${call.sid} ringing`,
    ]);
    expect(reports).toEqual(['duplicate', 'duplicate']);
    sandbox.events.faults.add({ name: 'delay', path: url, seconds: 60, times: 2 });
    sandbox.pass(3);
    await sandbox.events.settled();
    const second = comesIn();
    await poll();
    sandbox.pass(2 * minute);
    await sandbox.events.settled();
    await poll();
    expect(all.sort()).toEqual(
      [
        `call-status ${call.sid} completed`,
        `call-status ${call.sid} in-progress`,
        `sms-received ${second.sid} received`,
      ].sort(),
    );
  });

  test('gets no status that polling finds after a webhook with a later one', async () => {
    const memory = memoryDeliveryLog();
    const { poll, told, reports } = open({ deliveryLog: memory });
    await poll();
    const { sid } = await send();
    const subject = `message-status/${sid}`;
    const key = `${subject}/delivered`;
    const note = { key, subject, signature: 'signed', step: 6, lateFrom: 6 };
    await memory.begin(note);
    await memory.delivered(note);
    sandbox.pass(2);
    await poll();
    expect([told, reports]).toEqual([[], ['stale']]);
  });
});
