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
  outcomeSentence,
  type PagesOptions,
  type PollOptions,
  pollEvents,
  receiveEvents,
  recordShape,
  type Telephony,
  TelephonyError,
  type TelephonyEvent,
} from '../../src/builder.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { gateTo } from '../support/gate.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { serveHttp } from '../support/serve-http.ts';
import { fixtures } from './fixtures.ts';
import { account, address, signedForm } from './signed.ts';

const minute = 60;
const hour = 60 * minute;
/** The service's clock is years behind this machine's. */
const now = new Date('2024-11-20T23:30:00Z');
const [customer, ours] = ['+12025550143', '+14155550100'];

let sandbox: Sandbox;
let telephony: Telephony;
async function connectAgain(confirmTimeoutMs?: number) {
  const { username, password, url: baseUrl } = sandbox;
  const limits = { maxAttempts: 1, ...(confirmTimeoutMs !== undefined && { confirmTimeoutMs }) };
  telephony = connect({ username, password, baseUrl, limits });
  // The first request loads modules. In the first poll, it could make calls of the last seconds count as later than the poll.
  await telephony.now();
}
beforeAll(async () => {
  sandbox = await openSandbox({ now });
  await connectAgain();
});
beforeEach(() => sandbox.reset());

/** A cursor store that counts its writes. */
function openCursorStore(): CursorStore & { text?: string; writes: number } {
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

const summaryOf = ({ id, record }: TelephonyEvent) => `${id} ${record.sid} ${record.status}`;

/** An app that polls, with a handler from the test. */
function open(options: Partial<PollOptions> = {}) {
  const delivered: TelephonyEvent[] = [];
  const reports: string[] = [];
  const poll = pollEvents(telephony, {
    onOutcome: (what: EventOutcome) => void reports.push(what.outcome),
    ...options,
    onEvent: async (event, about) => {
      const reply = await options.onEvent?.(event, about);
      delivered.push(event);
      return reply;
    },
  });
  /** Polls, and returns what was delivered. */
  const pollOnce = async () => {
    await poll();
    return delivered.splice(0).map(summaryOf);
  };
  return { poll, pollOnce, delivered, reports };
}

const receiveSms = (body = 'Hello') => sandbox.receiveMessage({ from: customer, to: ours, body });
const send = (to = customer) => telephony.run('send-sms', { from: ours, to, body: 'Hello' });

/** A message that was received at another time. */
const messageOf = (sid: string, created: Date, changes: Partial<Message> = {}): Message => ({
  ...messageRecord({ sid: sandbox.username, root: '', origin: sandbox.origin }, created, {
    ...{ sid, from: customer, to: ours, body: 'Hello', num_segments: '1' },
    ...{ status: 'received', direction: 'inbound' },
  }),
  ...changes,
});

describe('a record without its SID', () => {
  const unreadable = () => Object.assign(messageOf('SM0', now), { sid: null });

  test('does not keep others from being delivered, and is reported once', async () => {
    const outcomes: EventOutcome[] = [];
    const { pollOnce } = open({
      cursor: openCursorStore(),
      onOutcome: (outcome) => void outcomes.push(outcome),
    });
    await pollOnce();
    sandbox.messages.unshift(unreadable());
    const { sid } = receiveSms();
    expect(await pollOnce()).toEqual([`sms-received ${sid} received`]);
    const reported = () => outcomes.splice(0).filter(({ outcome }) => outcome === 'unreadable');
    const message =
      "Polling skipped 1 record of “Account Messages”: the service sent it without the SID, so the plugin can't read it.";
    expect(reported()).toEqual([{ outcome: 'unreadable', message }]);
    receiveSms();
    expect(await pollOnce()).toHaveLength(1);
    expect(reported()).toEqual([]);
    sandbox.messages.unshift(unreadable());
    await pollOnce();
    expect(reported().map((one) => one.message)).toEqual([
      expect.stringContaining('skipped 2 records'),
    ]);
  });
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
  const { pollOnce, delivered, poll } = open();
  expect(await pollOnce()).toEqual([]);
  const { sid } = receiveSms('Are you open?');
  await poll();
  expect(delivered).toEqual([
    {
      id: 'sms-received',
      record: expect.objectContaining({ sid, body: 'Are you open?', from: customer, to: ours }),
      parameters: {},
    },
  ]);
  expect(await pollOnce()).toHaveLength(1);
  expect(await pollOnce()).toEqual([]);
});

test('delivers the pictures of a message, and when it was received', async () => {
  const { poll, delivered } = open();
  await poll();
  const { sid, uri } = sandbox.receiveMessage({
    ...{ from: customer, to: ours, body: '', pictures: 2 },
  });
  const [{ date_created = '' } = {}] = sandbox.messages;
  await poll();
  const url = (index: number) =>
    `${sandbox.origin}${uri.replace('.json', '')}/Media/ME${sid.slice(4)}0${index}`;
  const received = new Date(date_created);
  expect(delivered.map(({ record }) => record)).toEqual([
    expect.objectContaining({
      ...{ sid, body: '', numMedia: 2, dateCreated: received, dateSent: received },
      media: [0, 1].map((index) => ({ url: url(index), contentType: 'image/png' })),
    }),
  ]);
  expect(sandbox.requests.filter(({ path }) => path.endsWith('/Media.json'))).toHaveLength(1);
});

test('delivers a message later if its pictures cannot be read yet, and without them if they are gone', async () => {
  const { pollOnce, delivered, poll } = open();
  await pollOnce();
  const { sid } = sandbox.receiveMessage({ from: customer, to: ours, body: 'Look', pictures: 1 });
  sandbox.faults.add({ name: 'server-error', path: '/Media' });
  expect(await pollOnce()).toEqual([]);
  expect(await pollOnce()).toEqual([`sms-received ${sid} received`]);
  sandbox.receiveMessage({ from: customer, to: ours, body: 'Gone', pictures: 1 });
  sandbox.faults.add({ name: 'missing', path: '/Media' });
  await poll();
  expect(delivered.map(({ record }) => record)).toEqual([
    expect.objectContaining({ body: 'Gone', media: [] }),
  ]);
});

test('delivers the current status of messages, calls and recordings', async () => {
  const { pollOnce } = open();
  await pollOnce();
  const call = sandbox.receiveCall({ from: customer, to: ours });
  sandbox.pass(1);
  const message = await send();
  const missed = sandbox.receiveCall({ from: customer, to: ours, end: 'no-answer' });
  expect(await pollOnce()).toEqual([
    `call-status ${call.sid} ringing`,
    `message-status ${message.sid} queued`,
    `call-status ${missed.sid} ringing`,
  ]);
  sandbox.pass(4);
  expect(await pollOnce()).toEqual([
    `call-status ${call.sid} in-progress`,
    `message-status ${message.sid} delivered`,
    `call-status ${missed.sid} no-answer`,
  ]);
  const recording = await telephony.run('create-a-call-recording', { callSid: call.sid });
  expect(await pollOnce()).toEqual([]);
  sandbox.pass(10);
  expect((await pollOnce()).sort()).toEqual([
    `call-status ${call.sid} completed`,
    `recording-ready ${recording.sid} completed`,
  ]);
});

const after: [time: string, seconds: number, isDelivered: boolean][] = [
  ['a minute', minute, true],
  ['an hour, past midnight', hour, true],
  ['eleven hours', 11 * hour, true],
  ['thirteen hours', 13 * hour, false],
];
test.each(after)(
  'a read status %s after sending is delivered only within twelve hours',
  async (_, seconds, isDelivered) => {
    const { pollOnce } = open();
    await pollOnce();
    const { sid } = await send();
    sandbox.pass(10);
    expect(await pollOnce()).toEqual([`message-status ${sid} delivered`]);
    sandbox.pass(seconds);
    await pollOnce();
    Object.assign(sandbox.messages[0] ?? {}, { status: 'read' });
    expect(await pollOnce()).toEqual(isDelivered ? [`message-status ${sid} read`] : []);
  },
);

test('delivers the status of a failed message, which has no send date', async () => {
  const { pollOnce } = open();
  await pollOnce();
  const { sid } = await send('+15005553001');
  sandbox.pass(10);
  expect(sandbox.messages[0]?.date_sent).toBeNull();
  expect(await pollOnce()).toEqual([`message-status ${sid} failed`]);
});

test('delivers a record that appears late in the list', async () => {
  const { pollOnce } = open({ events: ['sms-received'] });
  await pollOnce();
  sandbox.pass(hour);
  const last = receiveSms();
  expect(await pollOnce()).toEqual([`sms-received ${last.sid} received`]);
  const late = messageOf('SM-late', new Date(now.getTime() + 1_800_000));
  sandbox.messages.splice(1, 0, late);
  expect(await pollOnce()).toEqual(['sms-received SM-late received']);
});

test('reads past messages that were scheduled long ago and sent just now', async () => {
  const { pollOnce } = open({ events: ['sms-received'] });
  await pollOnce();
  const { sid } = receiveSms();
  const { date_created: date_sent } = messageOf('SM-now', now);
  const scheduled = Array.from({ length: 50 }, (_, index) =>
    messageOf(`SM-scheduled-${index}`, new Date(now.getTime() - 48 * hour * 1_000), {
      ...{ direction: 'outbound-api', status: 'delivered', date_sent },
    }),
  );
  sandbox.messages.unshift(...scheduled);
  expect(await pollOnce()).toEqual([`sms-received ${sid} received`]);
});

test('reads a list as far back as the slowest of its events needs', async () => {
  const { pollOnce } = open();
  await pollOnce();
  const { sid } = await send();
  sandbox.pass(minute);
  const sent = sandbox.messages[0];
  for (let count = 0; count < 1_000; count += 1) receiveSms();
  await pollOnce();
  sandbox.pass(2 * hour);
  await pollOnce();
  Object.assign(sent ?? {}, { status: 'read' });
  expect(await pollOnce()).toEqual([`message-status ${sid} read`]);
});

test('ignores a record without a creation date', async () => {
  const { pollOnce, reports } = open({ events: ['sms-received'] });
  await pollOnce();
  const { sid } = receiveSms();
  sandbox.messages.unshift(messageOf('SM-dateless', now, { date_created: '' }));
  expect(await pollOnce()).toEqual([`sms-received ${sid} received`]);
  expect(await pollOnce()).toEqual([]);
  expect(reports).toEqual(['delivered']);
});

test('delivers a record once that a shifting list repeats', async () => {
  const { pollOnce } = open({ events: ['sms-received'] });
  await pollOnce();
  const one = receiveSms();
  sandbox.messages.unshift(one);
  expect(await pollOnce()).toEqual([`sms-received ${one.sid} received`]);
});

describe('requests of polling', () => {
  const lists = () => {
    const paths = sandbox.requests.map(({ path }) => path.replace(/.*\/(\w+)\.json/, '$1'));
    return paths.sort();
  };

  test('each list is read once, however many events it serves', async () => {
    const { pollOnce } = open();
    await pollOnce();
    sandbox.requests.length = 0;
    await pollOnce();
    expect(lists()).toEqual(['Calls', 'Messages', 'Recordings']);
  });

  test.each([
    ['sms-received', ['Messages']],
    ['call-status', ['Calls']],
  ] as const)('polling only %s reads only its list', async (id, expected) => {
    const { pollOnce } = open({ events: [id] });
    await pollOnce();
    sandbox.requests.length = 0;
    await pollOnce();
    expect(lists()).toEqual(expected);
  });

  test('a thousand new records are delivered, oldest first, and then read by one large page', async () => {
    const { pollOnce } = open({ events: ['sms-received'] });
    await pollOnce();
    const sids = Array.from({ length: 1_000 }, () => receiveSms().sid);
    expect(await pollOnce()).toEqual(sids.map((sid) => `sms-received ${sid} received`));
    sandbox.requests.length = 0;
    expect(await pollOnce()).toEqual([]);
    expect(lists()).toHaveLength(2);
    sandbox.pass(2 * hour);
    await pollOnce();
    sandbox.requests.length = 0;
    expect(await pollOnce()).toEqual([]);
    expect(lists()).toHaveLength(1);
  });

  test('pages stay large as long as one event needs more than a small page', async () => {
    sandbox.messages.length = 0;
    const { pollOnce } = open({ events: ['sms-received', 'message-status'] });
    await pollOnce();
    for (let count = 0; count < 50; count += 1) receiveSms();
    await pollOnce();
    sandbox.pass(2 * hour);
    await pollOnce();
    await pollOnce();
    sandbox.requests.length = 0;
    await pollOnce();
    expect(sandbox.requests.map(({ query }) => query)).toEqual(['PageSize=1000']);
  });

  test('the cursor is saved during a long delivery', async () => {
    const cursor = openCursorStore();
    const writes: number[] = [];
    const events: PollOptions['events'] = ['sms-received'];
    const { pollOnce } = open({
      cursor,
      events,
      onEvent: () => void writes.push(cursor.writes),
    });
    await pollOnce();
    cursor.writes = 0;
    for (let count = 0; count < 1_001; count += 1) receiveSms();
    await pollOnce();
    expect([writes[999], writes[1_000], cursor.writes]).toEqual([0, 1, 2]);
  });

  test('the cursor is not saved if nothing happens', async () => {
    const cursor = openCursorStore();
    const { pollOnce } = open({ cursor });
    await pollOnce();
    cursor.writes = 0;
    await pollOnce();
    sandbox.pass(minute);
    await pollOnce();
    expect(cursor.writes).toBe(0);
  });

  test('the start of polling is saved before the service responds', async () => {
    const gate = await gateTo(sandbox.url);
    const { username, password } = sandbox;
    const slow = connect({ username, password, baseUrl: gate.url, limits: { maxAttempts: 1 } });
    const cursor = openCursorStore();
    const first = pollEvents(slow, {
      cursor,
      events: ['call-status'],
      onEvent: () => {},
    })();
    await gate.holds(1);
    expect(cursor.text).toContain('call-status');
    await gate.open();
    await first;
  });
});

describe('polling a service that fails', () => {
  const broken = (path: string) => sandbox.faults.add({ name: 'server-error', path, times: 1 });

  test.each(['Messages', ''])('loses nothing, not even in the first poll: %j', async (path) => {
    const { pollOnce } = open();
    broken(path);
    await expect(pollOnce()).rejects.toMatchObject({ code: 'unavailable' });
    const first = receiveSms();
    expect(await pollOnce()).toEqual([`sms-received ${first.sid} received`]);
    const second = receiveSms();
    broken('Messages');
    await expect(pollOnce()).rejects.toMatchObject({ code: 'unavailable' });
    sandbox.pass(30 * hour);
    expect(await pollOnce()).toEqual([`sms-received ${second.sid} received`]);
  });

  test('before its first response still delivers a message that was sent before but delivered later', async () => {
    const { sid } = await send();
    sandbox.pass(minute);
    const { pollOnce } = open();
    broken('');
    await expect(pollOnce()).rejects.toMatchObject({ code: 'unavailable' });
    const early = messageOf('SM-early', new Date(now.getTime() - 1_000), {
      ...{ direction: 'outbound-api', status: 'delivered' },
      date_updated: new Date(now.getTime() + 61_000).toUTCString(),
    });
    sandbox.messages.splice(1, 0, early);
    expect(await pollOnce()).toEqual(['message-status SM-early delivered']);
    expect(sid).toBeTruthy();
  });

  test('at first, for a while, delivers what arrived in the meantime', async () => {
    const { pollOnce } = open({ events: ['sms-received'] });
    broken('');
    await expect(pollOnce()).rejects.toMatchObject({ code: 'unavailable' });
    const { sid } = receiveSms();
    sandbox.pass(20 * minute);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 20 * minute * 1_000);
    try {
      expect(await pollOnce()).toEqual([`sms-received ${sid} received`]);
    } finally {
      clock.mockRestore();
    }
  });

  test('in one list still delivers events of the others', async () => {
    const { poll, delivered } = open();
    await poll();
    const { sid } = receiveSms();
    sandbox.receiveCall({ from: customer, to: ours });
    broken('Calls');
    await expect(poll()).rejects.toMatchObject({ code: 'unavailable' });
    expect(delivered.splice(0).map(summaryOf)).toEqual([`sms-received ${sid} received`]);
    await poll();
    expect(delivered.map(({ id }) => id)).toEqual(['call-status']);
  });

  test('between two pages delivers nothing yet', async () => {
    const { poll, delivered } = open({ events: ['sms-received'] });
    await poll();
    for (let count = 0; count < 60; count += 1) receiveSms();
    broken('PageToken');
    await expect(poll()).rejects.toMatchObject({ code: 'unavailable' });
    expect(delivered).toEqual([]);
    await poll();
    expect(delivered).toHaveLength(60);
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
    const { pollOnce, reports } = open({
      events: ['sms-received'],
      onEvent: ({ record }) => {
        if (fails && record.sid === sid) throw new Error('The database is locked.');
      },
    });
    await pollOnce();
    const { sid } = receiveSms();
    const other = receiveSms();
    expect(await pollOnce()).toEqual([`sms-received ${other.sid} received`]);
    sandbox.pass(20 * hour);
    expect(await pollOnce()).toEqual([]);
    fails = false;
    expect(await pollOnce()).toEqual([`sms-received ${sid} received`]);
    expect(await pollOnce()).toEqual([]);
    expect(reports).toEqual(['failed', 'delivered', 'failed', 'delivered']);
  });

  test('gives up on a delivery that always fails', async () => {
    const { pollOnce, reports } = open({
      events: ['sms-received'],
      onEvent: () => Promise.reject(new Error('never')),
    });
    await pollOnce();
    receiveSms();
    for (const hours of [0, 23, 2, 1, 1]) {
      sandbox.pass(hours * hour);
      await pollOnce();
    }
    expect(reports).toEqual(['failed', 'failed', 'failed']);
  });

  test('retries with the next poll if the handler fails slowly', async () => {
    const { pollOnce, reports } = open({
      events: ['sms-received'],
      timeoutMs: 5,
      async onEvent() {
        await setTimeout(50);
        if (reports.length === 0) throw new Error('The database is locked.');
      },
    });
    await pollOnce();
    const { sid } = receiveSms();
    expect(await pollOnce()).toEqual([]);
    expect(await pollOnce()).toEqual([`sms-received ${sid} received`]);
    expect(await pollOnce()).toEqual([]);
    expect(reports).toEqual(['failed', 'delivered']);
  });

  test('leaves an event whose handler fails after a stop to the next poll', async () => {
    const stop = new AbortController();
    const cursor = openCursorStore();
    const deliveryLog = memoryDeliveryLog();
    const { poll } = open({
      ...{ cursor, deliveryLog, events: ['sms-received'], timeoutMs: 5 },
      async onEvent() {
        stop.abort();
        await setTimeout(50);
        throw new Error('The database is locked.');
      },
    });
    await poll();
    const { sid } = receiveSms();
    await poll({ signal: stop.signal });
    const next = open({ cursor, deliveryLog, events: ['sms-received'] });
    expect(await next.pollOnce()).toEqual([`sms-received ${sid} received`]);
  });

  test('gives a handler ten seconds', async () => {
    const left: number[] = [];
    const { poll } = open({
      events: ['sms-received'],
      onEvent: (_, { deadline }) => void left.push(Math.round(deadline - performance.now())),
    });
    await poll();
    receiveSms();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    await poll();
    clock.mockRestore();
    expect(left).toEqual([10_000]);
  });

  test('waits for a slow handler while it delivers the other events', async () => {
    const signals: AbortSignal[] = [];
    let end = () => {};
    const { poll, delivered } = open({
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
    const { sid } = receiveSms();
    const other = receiveSms();
    const polled = poll();
    while (delivered.length === 0) await setTimeout(1);
    expect([signals[0]?.aborted, delivered.map(({ record }) => record.sid)]).toEqual([
      true,
      [other.sid],
    ]);
    end();
    await polled;
    await poll();
    expect(delivered.map(({ record }) => record.sid)).toEqual([other.sid, sid]);
  });

  test('delivers nothing twice even if the delivery log forgets it', async () => {
    const [cursor, deliveryLog] = [openCursorStore(), () => memoryDeliveryLog(10)];
    const { pollOnce } = open({ cursor, deliveryLog: deliveryLog() });
    await pollOnce();
    const sids = Array.from({ length: 30 }, () => receiveSms().sid);
    expect(await pollOnce()).toHaveLength(sids.length);
    expect(await pollOnce()).toEqual([]);
    expect(await open({ cursor, deliveryLog: deliveryLog() }).pollOnce()).toEqual([]);
  });
});

describe('a reply to a polled event', () => {
  beforeEach(async () => {
    sandbox.messages.length = 0;
    // Earlier tests have moved the service's clock, also back.
    await connectAgain();
  });

  const repliesTo = () =>
    sandbox.messages
      .filter(({ direction }) => direction !== 'inbound')
      .map(({ from, to, body, direction }) => ({ from, to, body, direction }));
  const sent = { from: ours, to: customer, body: 'Thank you!', direction: 'outbound-api' };

  /** An app that replies, with the sentences that its owner reads. */
  function replying(reply: unknown = 'Thank you!', options: Partial<PollOptions> = {}) {
    const sentences: string[] = [];
    const checked: unknown[] = [];
    const app = open({
      events: ['sms-received'],
      ...options,
      onEvent: (_, { checkReply }) => {
        try {
          checkReply(reply as string);
        } catch (error) {
          checked.push((error as Error).message);
        }
        return reply as string;
      },
      onOutcome: (what) => {
        sentences.push(outcomeSentence(what) ?? what.outcome);
      },
    });
    return { ...app, sentences, checked };
  }

  test.each<[what: string, reply: unknown]>([
    ['a text', 'Thank you!'],
    ['a form', { form: 'reply', input: { text: 'Thank you!' } }],
  ])('is sent as an SMS to its sender, once: %s', async (_, reply) => {
    const [cursor, deliveryLog] = [openCursorStore(), memoryDeliveryLog()];
    const { poll, sentences, checked } = replying(reply, { cursor, deliveryLog });
    await poll();
    receiveSms();
    await poll();
    await poll();
    // Another process that has only the cursor, and one that has only the delivery log.
    await replying(reply, { cursor }).poll();
    await replying(reply, { deliveryLog }).poll();
    expect(repliesTo()).toEqual([sent]);
    expect([sentences, checked]).toEqual([['delivered'], []]);
  });

  test('is confirmed in the message log if its response is lost', async () => {
    const { poll, sentences } = replying();
    await poll();
    receiveSms();
    sandbox.faults.add({ name: 'reset-after', method: 'POST' });
    await poll();
    await poll();
    expect([repliesTo(), sentences]).toEqual([[sent], ['delivered']]);
  });

  test('whose outcome stays unknown is reported as such, and never sent again', async () => {
    jest
      .spyOn(telephony, 'run')
      .mockRejectedValue(
        new TelephonyError('unknown-outcome', 'The connection was lost. Check the message log.'),
      );
    const reports: EventOutcome[] = [];
    const { poll } = open({
      events: ['sms-received'],
      onEvent: () => 'Thank you!',
      onOutcome: (what) => void reports.push(what),
    });
    await poll();
    const { sid } = receiveSms();
    await poll();
    await poll();
    expect(telephony.run).toHaveBeenCalledTimes(1);
    expect(reports.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['delivered', undefined],
      [
        'reply-unknown',
        `The outcome of the reply to “SMS received” (${sid}) is unknown. The connection was lost. Check the message log.`,
      ],
    ]);
    jest.restoreAllMocks();
  });

  const full = new Error('The disk is full.');
  test.each<[what: string, options: () => Partial<PollOptions>, sentences: unknown[]]>([
    [
      'the cursor cannot be stored',
      () => {
        const cursor = openCursorStore();
        const write = cursor.write.bind(cursor);
        return {
          cursor: Object.assign(cursor, {
            write: (text: string) => {
              if (cursor.writes > 1) throw full;
              return write(text);
            },
          }),
        };
      },
      ['delivered', expect.stringMatching(/^The reply to .* was not sent\. The disk is full\.$/)],
    ],
    [
      'the delivery log cannot record the event',
      () => {
        const deliveryLog = memoryDeliveryLog();
        const delivered = () => Promise.reject(full);
        return { deliveryLog: { ...deliveryLog, delivered } };
      },
      [
        'delivered',
        expect.stringContaining('was not delivered: The disk is full.'),
        expect.stringMatching(/^The reply to .* was not sent\. The delivery log could not record/),
      ],
    ],
  ])('is not sent if %s, because another poll could send it again', async (_, options, said) => {
    const { poll, sentences } = replying('Thank you!', options());
    await poll();
    receiveSms();
    await poll().catch((error) => expect(error).toBe(full));
    expect([repliesTo(), sentences]).toEqual([[], said]);
  });

  test.each<[what: string, reply: unknown, from: string, problem: RegExp]>([
    ['that is too long', 'x'.repeat(1_601), customer, /^"Text" must be text of at most 1,600/],
    ['without a text', { form: 'reply', input: { text: ' ' } }, customer, /^"Text" is missing/],
    [
      'of another event',
      { form: 'reply-say', input: { say: 'Hi' } },
      customer,
      /^“SMS received” has no such reply\./,
    ],
    ['to a number that has no sender', 'Hi', '', /^"To" /],
  ])('%s is reported and sends nothing', async (_, reply, from, problem) => {
    const { poll, sentences, checked } = replying(reply);
    await poll();
    sandbox.receiveMessage({ from, to: ours, body: 'Hello' });
    await poll();
    expect(repliesTo()).toEqual([]);
    expect(checked).toEqual([expect.stringMatching(problem)]);
    expect(sentences).toEqual(['delivered', expect.stringContaining(String(checked[0]))]);
  });

  test('that the service refuses is reported', async () => {
    closeAfterwards({ close: connectAgain });
    await connectAgain(500);
    const { poll, sentences } = replying();
    await poll();
    receiveSms();
    sandbox.faults.add({ name: 'server-error', method: 'POST', path: 'Messages' });
    await poll();
    expect(sentences).toEqual(['delivered', expect.stringMatching(/^The (reply|outcome)/)]);
  });

  test('that takes long does not hold up the next event once the handler has received its own', async () => {
    const replies: ((text: string) => void)[] = [];
    const cursor = openCursorStore();
    let isWriting = false;
    const { poll, delivered } = open({
      events: ['sms-received'],
      cursor: Object.assign(cursor, {
        async write(text: string) {
          if (isWriting) throw new Error('Two writes at once.');
          isWriting = true;
          await setTimeout(1);
          cursor.text = text;
          isWriting = false;
        },
      }),
      onEvent: async (_, context) => {
        await context.delivered();
        return new Promise<string>((resolve) => replies.push(resolve));
      },
    });
    await poll();
    receiveSms();
    receiveSms();
    const polled = poll();
    while (replies.length < 2) await setTimeout(1);
    for (const reply of replies) reply('Thank you!');
    await polled;
    expect([repliesTo(), delivered.length]).toEqual([[sent, sent], 2]);
  });
});

test('polls that run at the same time share one run', async () => {
  const { poll, delivered } = open({ events: ['sms-received'] });
  await poll();
  receiveSms();
  sandbox.requests.length = 0;
  await Promise.all([poll(), poll(), poll()]);
  expect([delivered.length, sandbox.requests.length]).toEqual([1, 1]);
});

test('a stopped poll leaves the rest to the next one', async () => {
  const stop = new AbortController();
  const cursor = openCursorStore();
  const { poll, delivered } = open({
    cursor,
    events: ['sms-received'],
    onEvent: () => (delivered.length === 2 ? stop.abort() : undefined),
  });
  await poll();
  const sids = Array.from({ length: 5 }, () => receiveSms().sid);
  await poll({ signal: stop.signal });
  const first = delivered.map(({ record }) => record.sid);
  sandbox.pass(20 * hour);
  const rest = open({ cursor, events: ['sms-received'], deliveryLog: memoryDeliveryLog() });
  await rest.poll();
  const others = rest.delivered.map(({ record }) => record.sid);
  expect([first.length, [...first, ...others]]).toEqual([3, sids]);
  await expect(poll({ signal: stop.signal })).rejects.toMatchObject({ code: 'aborted' });
});

test('the next poll delivers events that happened between polls', async () => {
  const cursor = openCursorStore();
  await open({ cursor }).pollOnce();
  const { sid } = receiveSms();
  sandbox.pass(72 * hour);
  const last = receiveSms();
  expect(await open({ cursor }).pollOnce()).toEqual(
    [sid, last.sid].map((one) => `sms-received ${one} received`),
  );
});

test('a change of account or service delivers no old events, only later ones', async () => {
  const cursor = openCursorStore();
  await open({ cursor, events: ['sms-received'] }).pollOnce();
  const other = await openSandbox({ now });
  const { username, password, url: baseUrl } = other;
  const sms = { from: customer, to: ours, body: 'Hello' };
  other.receiveMessage(sms);
  other.pass(minute);
  const delivered: string[] = [];
  const pollOnce = pollEvents(connect({ username, password, baseUrl }), {
    ...{ cursor, events: ['sms-received'] },
    onEvent: ({ record }) => void delivered.push(record.sid),
  });
  await pollOnce();
  const { sid } = other.receiveMessage(sms);
  await pollOnce();
  expect(delivered).toEqual([sid]);
});

test('a newly subscribed event starts without old events, an unsubscribed one stops', async () => {
  const cursor = openCursorStore();
  await open({ cursor, events: ['sms-received'] }).pollOnce();
  await send();
  sandbox.pass(10);
  await open({ cursor, events: ['sms-received', 'message-status'] }).pollOnce();
  const { sid } = await send();
  sandbox.pass(10);
  expect(await open({ cursor, events: ['message-status'] }).pollOnce()).toEqual([
    `message-status ${sid} delivered`,
  ]);
  receiveSms();
  sandbox.pass(10);
  await open({ cursor, events: ['message-status'] }).pollOnce();
  expect(await open({ cursor }).pollOnce()).toEqual([]);
});

test.each(['', 'not JSON', '[]', '{"sms-received":{"from":1}}', '{"sms-received":null}'])(
  'a broken cursor, %j, starts polling from now',
  async (text) => {
    const cursor = { ...openCursorStore(), text };
    const { pollOnce } = open({ cursor });
    expect(await pollOnce()).toEqual([]);
    const { sid } = receiveSms();
    expect(await pollOnce()).toEqual([`sms-received ${sid} received`]);
  },
);

test.each([
  ['its start', { startedAt: null, from: undefined }],
  ['its position', { from: 'x' }],
  ['the events it has seen', { seen: null }],
  ['the events that failed', { failed: null }],
])('a cursor without %s starts polling from now', async (_, changes) => {
  const cursor = openCursorStore();
  receiveSms();
  sandbox.pass(minute);
  await open({ cursor, events: ['sms-received'] }).pollOnce();
  const { 'sms-received': mark } = JSON.parse(cursor.text ?? '');
  cursor.text = JSON.stringify({ 'sms-received': { ...mark, ...changes } });
  const { pollOnce } = open({ cursor, events: ['sms-received'] });
  expect(await pollOnce()).toEqual([]);
  const { sid } = receiveSms();
  expect(await pollOnce()).toEqual([`sms-received ${sid} received`]);
});

test('the saved cursor does not grow', async () => {
  const cursor = openCursorStore();
  let fails = true;
  const { pollOnce } = open({
    ...{ cursor, events: ['sms-received'] },
    onEvent: () => {
      if (fails) throw new Error('The database is locked.');
    },
  });
  sandbox.messages.length = 0;
  await pollOnce();
  const size = cursor.text?.length;
  for (let count = 0; count < 9; count += 1) receiveSms();
  await pollOnce();
  fails = false;
  expect(await pollOnce()).toHaveLength(9);
  sandbox.pass(30 * hour);
  await pollOnce();
  expect(cursor.text).toHaveLength(size ?? 0);
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
    const { poll, reports } = open({
      cursor: { ...openCursorStore(), ...(text !== undefined && { text }) },
    });
    await poll();
    await poll();
    expect(reports).toEqual(Array(times).fill('cursor-reset'));
  },
);

test('a first response dated in the past delivers nothing older than the newest record', async () => {
  const service = await openSandbox({ now });
  const { username, password, url: baseUrl } = service;
  const genuine = connect({ username, password, baseUrl });
  // More than one page.
  const sids = Array.from({ length: 120 }, () => {
    service.pass(minute);
    return service.receiveMessage({ from: customer, to: ours, body: 'Hello' }).sid;
  });
  const delivered: string[] = [];
  const poll = pollEvents(
    { ...genuine, now: async () => new Date('1999-01-01T00:00:00Z') },
    { events: ['sms-received'], onEvent: ({ record }) => void delivered.push(record.sid) },
  );
  await poll();
  expect(delivered.filter((sid) => sid !== sids.at(-1))).toEqual([]);
  service.pass(1);
  const { sid } = service.receiveMessage({ from: customer, to: ours, body: 'Hello' });
  await poll();
  expect(delivered).toContain(sid);
});

test('a list is read back to the cursor, even beyond the usual limit', async () => {
  const pages = ((id: string, input: object, options: PagesOptions = {}) =>
    telephony.pages(id, input, {
      ...options,
      limit: Math.ceil((options.limit ?? 100_000) / 1_000),
    })) as Telephony['pages'];
  const delivered: string[] = [];
  const poll = pollEvents(
    { ...telephony, pages },
    { events: ['sms-received'], onEvent: ({ record }) => void delivered.push(record.sid) },
  );
  await poll();
  const sids = Array.from({ length: 150 }, () => receiveSms().sid);
  await poll();
  expect(delivered).toEqual(sids);
});

describe('one response dated far in the future', () => {
  const events = ['sms-received', 'message-status'] as const;
  const wrong = new Date('2100-01-01T00:00:00Z');

  /** An app that polls a service with its own clock. */
  async function openAt(time: Date) {
    const service = await openSandbox({ now: time });
    const { username, password, url: baseUrl } = service;
    const genuine = connect({ username, password, baseUrl });
    const dates: Date[] = [];
    const delivered: string[] = [];
    const poll = pollEvents(
      { ...genuine, now: async () => dates.shift() ?? genuine.now() },
      { events, onEvent: (event) => void delivered.push(summaryOf(event)) },
    );
    const receiveThere = () => {
      service.pass(1);
      return service.receiveMessage({ from: customer, to: ours, body: 'Hello' }).sid;
    };
    return { service, genuine, dates, delivered, poll, receiveThere };
  }

  test.each([
    [0, now],
    [1, now],
    [0, new Date()],
    [1, new Date()],
  ])(
    'after %d others loses no later events, with the service clock at %s',
    async (others, time) => {
      const { dates, delivered, poll, receiveThere } = await openAt(time);
      for (let count = 0; count < others; count += 1) await poll();
      dates.push(wrong, wrong);
      await poll();
      await poll();
      const sid = receiveThere();
      await poll();
      expect(delivered).toEqual([`sms-received ${sid} received`]);
    },
  );

  test('loses no later status of an earlier message', async () => {
    const { service, genuine, dates, delivered, poll, receiveThere } = await openAt(new Date());
    await poll();
    const { sid } = await genuine.run('send-sms', { from: ours, to: customer, body: 'Hello' });
    await poll();
    receiveThere();
    dates.push(wrong);
    await poll();
    service.pass(10);
    delivered.length = 0;
    await poll();
    expect(delivered).toEqual([`message-status ${sid} delivered`]);
  });
});

test('polling an unknown event throws', () => {
  const of = (id: string) => () => open({ events: [id as 'sms-received'] });
  expect(of('nothing')).toThrow('Unknown event "nothing".');
});

describe('an app that polls and receives webhooks', () => {
  async function serve(deliveryLog: DeliveryLog, deliver: PollOptions['onEvent']) {
    const { username, password, url: baseUrl } = sandbox;
    let receive = receiveEvents(account, { url: address, onEvent: deliver });
    const { url } = await serveHttp((request, response) => nodeHandler(receive)(request, response));
    receive = receiveEvents(
      { username, password, baseUrl },
      { url, deliveryLog, onEvent: deliver },
    );
    sandbox.events.numbers.set(ours, {
      ...{ smsUrl: url, statusCallback: url },
      statusCallbackEvents: ['ringing', 'answered', 'completed'],
    });
    return url;
  }

  test('gets each event once, from whichever of them is first', async () => {
    const deliveryLog = memoryDeliveryLog();
    const all: string[] = [];
    const deliver: PollOptions['onEvent'] = (event) => void all.push(summaryOf(event));
    const { poll, reports } = open({ deliveryLog, onEvent: deliver });
    const url = await serve(deliveryLog, deliver);
    await poll();
    const message = receiveSms();
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
    const second = receiveSms();
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
    const deliveryLog = memoryDeliveryLog();
    const { poll, delivered, reports } = open({ deliveryLog });
    await poll();
    const { sid } = await send();
    const subject = `message-status/${sid}`;
    const key = `${subject}/delivered`;
    const note = { key, subject, signature: 'signed', step: 6, lateFrom: 6 };
    await deliveryLog.begin(note);
    await deliveryLog.delivered(note);
    sandbox.pass(2);
    await poll();
    expect([delivered, reports]).toEqual([[], ['stale']]);
  });
});
