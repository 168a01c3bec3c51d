import { type Message, messageRecord } from '../../demo/sandbox/records.ts';
import {
  answerEvent,
  connect,
  type EventMemory,
  type EventNote,
  type EventReport,
  eventDefinition,
  eventMemory,
  eventReader,
  type PagesOptions,
  type PolledSoFar,
  type PollOptions,
  pollEvents,
  receiveEvents,
  recordShape,
  type Telephony,
  type TelephonyEvent,
  wereAskedFor,
} from '../../src/index.ts';
import { gateTo } from '../gate.ts';
import { openSandbox, type Sandbox } from '../open-sandbox.ts';
import { serveHttp } from '../serve-http.ts';
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
  telephony = connect({ username, password, baseUrl }, { tries: 1 });
});
beforeEach(() => sandbox.reset());

/** What an app keeps of how far events were read, over restarts. */
function kept(): PolledSoFar & { text?: string; writes: number } {
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
    report: (what: EventReport) => void reports.push(what.outcome),
    ...options,
    tell: async (event, about) => {
      const reply = await options.tell?.(event, about);
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

test.each(fixtures)('%s: has the key of the same event that is reported', async (id, fixture) => {
  const reading = eventReader(account, { address })(signedForm(fixture.parameters));
  const { only = {} } = eventDefinition(id).polled ?? {};
  const shape = recordShape(eventDefinition(id).result.of);
  const record: Record<string, unknown> = { ...fixture.record, dateCreated: now.toUTCString() };
  for (const [key, [value]] of Object.entries(only)) record[key] = value;
  const row = shape.fields.map(({ key, name }) => [name, record[key] ?? null]);
  const notes: EventNote[] = [];
  const { poll } = open({
    memory: {
      ...eventMemory(),
      note(note) {
        notes.push(note);
        return 'told';
      },
    },
  });
  await poll();
  const list: object[] = sandbox[lists[shape.id as keyof typeof lists]];
  list.unshift(Object.fromEntries(row));
  await poll();
  const { signature: _, ...note } = reading.outcome === 'event' ? reading.note : { signature: '' };
  expect(notes).toEqual([expect.objectContaining(note)]);
});

test('what was there before is not told, and what comes then is, whole and once', async () => {
  const { ask, told, poll } = open();
  expect(await ask()).toEqual([]);
  const { sid } = comesIn('Are you open?');
  await poll();
  expect(told).toEqual([
    {
      id: 'sms-received',
      record: expect.objectContaining({ sid, body: 'Are you open?', from: customer, to: ours }),
    },
  ]);
  expect(await ask()).toHaveLength(1);
  expect(await ask()).toEqual([]);
});

test('each event is seen as it stands: statuses, calls, recordings', async () => {
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
  ['a day began anew', hour, true],
  ['eleven hours', 11 * hour, true],
  ['thirteen hours', 13 * hour, false],
];
test.each(after)('a message that is read %s after it was sent', async (_, seconds, isTold) => {
  const { ask } = open();
  await ask();
  const { sid } = await send();
  sandbox.pass(10);
  expect(await ask()).toEqual([`message-status ${sid} delivered`]);
  sandbox.pass(seconds);
  await ask();
  Object.assign(sandbox.messages[0] ?? {}, { status: 'read' });
  expect(await ask()).toEqual(isTold ? [`message-status ${sid} read`] : []);
});

test('one that fails has no date of being sent, and is told all the same', async () => {
  const { ask } = open();
  await ask();
  const { sid } = await send('+15005553001');
  sandbox.pass(10);
  expect(sandbox.messages[0]?.date_sent).toBeNull();
  expect(await ask()).toEqual([`message-status ${sid} failed`]);
});

test('what shows late in the list is told, in its place', async () => {
  const { ask } = open({ events: ['sms-received'] });
  await ask();
  sandbox.pass(hour);
  const last = comesIn();
  expect(await ask()).toEqual([`sms-received ${last.sid} received`]);
  const late = messageOf('SM-late', new Date(now.getTime() + 1_800_000));
  sandbox.messages.splice(1, 0, late);
  expect(await ask()).toEqual(['sms-received SM-late received']);
});

test('behind messages that were scheduled long ago and left just now the list is read on', async () => {
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

test('a list is read as far back as the slowest of its events needs', async () => {
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

test('a record that does not say when it was made is none', async () => {
  const { ask, reports } = open({ events: ['sms-received'] });
  await ask();
  const { sid } = comesIn();
  sandbox.messages.unshift(messageOf('SM-dateless', now, { date_created: '' }));
  expect(await ask()).toEqual([`sms-received ${sid} received`]);
  expect(await ask()).toEqual([]);
  expect(reports).toEqual(['told']);
});

test('what is repeated in a list that shifts is told once', async () => {
  const { ask } = open({ events: ['sms-received'] });
  await ask();
  const one = comesIn();
  sandbox.messages.unshift(one);
  expect(await ask()).toEqual([`sms-received ${one.sid} received`]);
});

describe('requests', () => {
  const lists = () => {
    const paths = sandbox.requests.map(({ path }) => path.replace(/.*\/(\w+)\.json/, '$1'));
    return paths.sort();
  };

  test('each list is read once, however many events show in it', async () => {
    const { ask } = open();
    await ask();
    sandbox.requests.length = 0;
    await ask();
    expect(lists()).toEqual(['Calls', 'Messages', 'Recordings']);
  });

  test.each([
    ['sms-received', ['Messages']],
    ['call-status', ['Calls']],
  ] as const)('of %s alone only its list is read', async (id, expected) => {
    const { ask } = open({ events: [id] });
    await ask();
    sandbox.requests.length = 0;
    await ask();
    expect(lists()).toEqual(expected);
  });

  test('of a thousand at a time all are told, oldest first, and then by one large page', async () => {
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

  test('pages are large as long as one event needs more than a small one', async () => {
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

  test('of many it is written down on the way which were told', async () => {
    const soFar = kept();
    const writes: number[] = [];
    const events: PollOptions['events'] = ['sms-received'];
    const { ask } = open({ soFar, events, tell: () => void writes.push(soFar.writes) });
    await ask();
    soFar.writes = 0;
    for (let count = 0; count < 1_001; count += 1) comesIn();
    await ask();
    expect([writes[999], writes[1_000], soFar.writes]).toEqual([0, 1, 2]);
  });

  test('nothing is written down where nothing happens', async () => {
    const soFar = kept();
    const { ask } = open({ soFar });
    await ask();
    soFar.writes = 0;
    await ask();
    sandbox.pass(minute);
    await ask();
    expect(soFar.writes).toBe(0);
  });

  test('from when on an event is asked for is known to others before the service answers', async () => {
    const gate = await gateTo(sandbox.url);
    const { username, password } = sandbox;
    const slow = connect({ username, password, baseUrl: gate.url }, { tries: 1 });
    const soFar = kept();
    const first = pollEvents(slow, { soFar, events: ['call-status'], tell: () => {} })();
    await gate.holds(1);
    expect(wereAskedFor(slow.account, soFar.text, ['call-status'])).toBe(true);
    await gate.open();
    await first;
  });
});

describe('a service that fails', () => {
  const broken = (path: string) => sandbox.faults.add({ name: 'server-error', path, times: 1 });

  test.each(['Messages', ''])('loses nothing, also at the first time: %j', async (path) => {
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

  test('before its first answer, what was sent before but delivered then is told', async () => {
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

  test('for a while at first: what came meanwhile is told', async () => {
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

  test('in one list has the others told', async () => {
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

  test('in the middle of its pages tells nothing yet', async () => {
    const { poll, told } = open({ events: ['sms-received'] });
    await poll();
    for (let count = 0; count < 60; count += 1) comesIn();
    broken('PageToken');
    await expect(poll()).rejects.toMatchObject({ code: 'unavailable' });
    expect(told).toEqual([]);
    await poll();
    expect(told).toHaveLength(60);
  });

  test('to say when its records were made is not asked without end', async () => {
    sandbox.messages.length = 0;
    sandbox.messages.push(...[1, 2].map((n) => messageOf(`SM${n}`, now, { date_created: '' })));
    await expect(open({ events: ['sms-received'] }).poll()).rejects.toMatchObject({
      ...{ code: 'bad-answer', request: 'GET /Messages.json' },
      message:
        'The service does not say when its records were made, so that “SMS received” cannot be asked for.',
    });
  });
});

describe('an app that fails', () => {
  test('is told again, of what it was not told, for a day', async () => {
    let fails = true;
    const { ask, reports } = open({
      events: ['sms-received'],
      tell: ({ record }) => {
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
    expect(reports).toEqual(['failed', 'told', 'failed', 'told']);
  });

  test('always, is not told for ever', async () => {
    const { ask, reports } = open({
      events: ['sms-received'],
      tell: () => Promise.reject(new Error('never')),
    });
    await ask();
    comesIn();
    for (const hours of [0, 23, 2, 1, 1]) {
      sandbox.pass(hours * hour);
      await ask();
    }
    expect(reports).toEqual(['failed', 'failed', 'failed']);
  });

  test('to end is not waited for', async () => {
    const signals: AbortSignal[] = [];
    const { poll, ask, reports } = open({
      events: ['sms-received'],
      patience: 5,
      tell: (_, { signal }) => {
        signals.push(signal);
        return new Promise<undefined>(() => {});
      },
    });
    await poll();
    comesIn();
    await poll();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await ask();
    expect([signals.length, reports]).toEqual([1, []]);
  });

  test('to see that nobody gets a reply is told so', async () => {
    const { ask, reports } = open({ events: ['sms-received'], tell: () => 'Thank you!' });
    await ask();
    comesIn();
    await ask();
    expect(reports).toEqual(['unsent', 'told']);
  });

  test('to keep what it remembers is told nothing of what a poll knows', async () => {
    const [soFar, memory] = [kept(), () => eventMemory(10)];
    const { ask } = open({ soFar, memory: memory() });
    await ask();
    const sids = Array.from({ length: 30 }, () => comesIn().sid);
    expect(await ask()).toHaveLength(sids.length);
    expect(await ask()).toEqual([]);
    expect(await open({ soFar, memory: memory() }).ask()).toEqual([]);
  });
});

test('two at the same time are one', async () => {
  const { poll, told } = open({ events: ['sms-received'] });
  await poll();
  comesIn();
  sandbox.requests.length = 0;
  await Promise.all([poll(), poll(), poll()]);
  expect([told.length, sandbox.requests.length]).toEqual([1, 1]);
});

test('one that is stopped has the rest told by the next', async () => {
  const stop = new AbortController();
  const soFar = kept();
  const { poll, told } = open({
    soFar,
    events: ['sms-received'],
    tell: () => (told.length === 2 ? stop.abort() : undefined),
  });
  await poll();
  const sids = Array.from({ length: 5 }, () => comesIn().sid);
  await poll({ signal: stop.signal });
  const first = told.map(({ record }) => record.sid);
  sandbox.pass(20 * hour);
  const rest = open({ soFar, events: ['sms-received'], memory: eventMemory() });
  await rest.poll();
  const others = rest.told.map(({ record }) => record.sid);
  expect([first.length, [...first, ...others]]).toEqual([3, sids]);
  await expect(poll({ signal: stop.signal })).rejects.toMatchObject({ code: 'aborted' });
});

test('what happens while nobody asks is told by who asks next', async () => {
  const soFar = kept();
  await open({ soFar }).ask();
  const { sid } = comesIn();
  sandbox.pass(72 * hour);
  const last = comesIn();
  expect(await open({ soFar }).ask()).toEqual(
    [sid, last.sid].map((one) => `sms-received ${one} received`),
  );
});

test('of another account, or at another service, nothing old is told, and what comes then is', async () => {
  const soFar = kept();
  await open({ soFar, events: ['sms-received'] }).ask();
  const other = await openSandbox({ now });
  const { username, password, url: baseUrl } = other;
  const sms = { from: customer, to: ours, body: 'Hello' };
  other.receiveMessage(sms);
  other.pass(minute);
  const told: string[] = [];
  const ask = pollEvents(connect({ username, password, baseUrl }), {
    ...{ soFar, events: ['sms-received'] },
    tell: ({ record }) => void told.push(record.sid),
  });
  await ask();
  const { sid } = other.receiveMessage(sms);
  await ask();
  expect(told).toEqual([sid]);
});

test('of an event that is asked for later nothing old is told, and none that is asked for no more', async () => {
  const soFar = kept();
  await open({ soFar, events: ['sms-received'] }).ask();
  await send();
  sandbox.pass(10);
  await open({ soFar, events: ['sms-received', 'message-status'] }).ask();
  const { sid } = await send();
  sandbox.pass(10);
  expect(await open({ soFar, events: ['message-status'] }).ask()).toEqual([
    `message-status ${sid} delivered`,
  ]);
  comesIn();
  sandbox.pass(10);
  await open({ soFar, events: ['message-status'] }).ask();
  expect(await open({ soFar }).ask()).toEqual([]);
});

test('it is known which events were asked for, and of which account', async () => {
  const soFar = kept();
  const { account } = telephony;
  expect(wereAskedFor(account, soFar.text, ['sms-received'])).toBe(false);
  await open({ soFar, events: ['sms-received'] }).ask();
  expect(wereAskedFor(account, soFar.text, ['sms-received'])).toBe(true);
  expect(wereAskedFor(account, soFar.text, ['sms-received', 'call-status'])).toBe(false);
  expect(wereAskedFor(`${account}0`, soFar.text, ['sms-received'])).toBe(false);
});

test.each(['', 'not JSON', '[]', '{"sms-received":{"from":1}}', '{"sms-received":null}'])(
  'what was kept and is %j is as nothing',
  async (text) => {
    const soFar = { ...kept(), text };
    const { ask } = open({ soFar });
    expect(await ask()).toEqual([]);
    const { sid } = comesIn();
    expect(await ask()).toEqual([`sms-received ${sid} received`]);
  },
);

test.each([
  ['begun', { begun: null, from: undefined }],
  ['read from', { from: 'x' }],
  ['seen', { seen: null }],
  ['failed', { failed: null }],
])('what was kept and does not say what was %s is as nothing', async (_, changes) => {
  const soFar = kept();
  comesIn();
  sandbox.pass(minute);
  await open({ soFar, events: ['sms-received'] }).ask();
  const { 'sms-received': mark } = JSON.parse(soFar.text ?? '');
  soFar.text = JSON.stringify({ 'sms-received': { ...mark, ...changes } });
  const { ask } = open({ soFar, events: ['sms-received'] });
  expect(await ask()).toEqual([]);
  const { sid } = comesIn();
  expect(await ask()).toEqual([`sms-received ${sid} received`]);
});

test('what is kept does not grow', async () => {
  const soFar = kept();
  let fails = true;
  const { ask } = open({
    ...{ soFar, events: ['sms-received'] },
    tell: () => {
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
] as const)('that %j was kept is said as often as it is broken', async (text, times) => {
  const { poll, reports } = open({ soFar: { ...kept(), ...(text !== undefined && { text }) } });
  await poll();
  await poll();
  expect(reports).toEqual(Array(times).fill('begun-anew'));
});

test('of what was there before nothing older than the newest is told where the first answer is dated far behind', async () => {
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
    { events: ['sms-received'], tell: ({ record }) => void told.push(record.sid) },
  );
  await poll();
  expect(told.filter((sid) => sid !== sids.at(-1))).toEqual([]);
  service.pass(1);
  const { sid } = service.receiveMessage({ from: customer, to: ours, body: 'Hello' });
  await poll();
  expect(told).toContain(sid);
});

test('a list is read to where it was read last, however long it is otherwise read at most', async () => {
  const pages: Telephony['pages'] = (id: string, input: object, options: PagesOptions = {}) =>
    telephony.pages(id, input, {
      ...options,
      limit: Math.ceil((options.limit ?? 100_000) / 1_000),
    });
  const told: string[] = [];
  const poll = pollEvents(
    { ...telephony, pages },
    { events: ['sms-received'], tell: ({ record }) => void told.push(record.sid) },
  );
  await poll();
  const sids = Array.from({ length: 150 }, () => comesIn().sid);
  await poll();
  expect(told).toEqual(sids);
});

describe('one answer that is dated far ahead', () => {
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
      { events, tell: (event) => void told.push(short(event)) },
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
  ])('after %d others loses nothing that comes then, where it is %s', async (others, time) => {
    const { dates, told, poll, comesInThere } = await openAt(time);
    for (let count = 0; count < others; count += 1) await poll();
    dates.push(wrong, wrong);
    await poll();
    await poll();
    const sid = comesInThere();
    await poll();
    expect(told).toEqual([`sms-received ${sid} received`]);
  });

  test('loses nothing of what becomes of what was there', async () => {
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

test('what is no event, or shows in no list, cannot be asked for', () => {
  const of = (id: string) => () => open({ events: [id as 'sms-received'] });
  expect(of('nothing')).toThrow('There is no event "nothing".');
});

describe('an app that the service reaches as well', () => {
  async function serve(memory: EventMemory, tell: PollOptions['tell']) {
    const { username, password, url: baseUrl } = sandbox;
    let receive = receiveEvents(account, { address, tell });
    const { url } = await serveHttp((request, response) => answerEvent(receive, request, response));
    receive = receiveEvents({ username, password, baseUrl }, { address: url, memory, tell });
    sandbox.events.numbers.set(ours, {
      ...{ smsUrl: url, statusCallback: url },
      statusCallbackEvents: ['ringing', 'answered', 'completed'],
    });
    return url;
  }

  test('is told of each once, whichever way is first', async () => {
    const memory = eventMemory();
    const all: string[] = [];
    const tell: PollOptions['tell'] = (event) => void all.push(short(event));
    const { poll, reports } = open({ memory, tell });
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
    expect(reports).toEqual(['repeated', 'repeated']);
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

  test('is not told of a status that shows after a later one was reported', async () => {
    const memory = eventMemory();
    const { poll, told, reports } = open({ memory });
    await poll();
    const { sid } = await send();
    const subject = `message-status/${sid}`;
    const key = `${subject}/delivered`;
    const note = { key, subject, signature: 'signed', step: 6, lateFrom: 6 };
    await memory.note(note);
    await memory.told(note);
    sandbox.pass(2);
    await poll();
    expect([told, reports]).toEqual([[], ['late']]);
  });
});
