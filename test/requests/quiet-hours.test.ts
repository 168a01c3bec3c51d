import {
  actionOf,
  Batches,
  batchPart,
  batchView,
  type ConnectOptions,
  connect,
  doneSentence,
  inEnglish,
  memoryStore,
  type SpendingLimits,
  sentence,
  type TelephonyError,
} from '../../src/builder.ts';
import { account, accountPath, answerWith, isolate, type ServiceAnswer } from './service.ts';

// What quiet hours do to a message: it is refused, or the service sends it when they end.

isolate();

const midnight = '2026-11-28T23:00:00Z';
beforeEach(() => {
  setTime(midnight);
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());

function setTime(time: string) {
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse(time));
}

const quietHours = '22:00-08:00 Europe/Berlin';
const later: SpendingLimits = { quietHours, inQuietHours: 'send-later' };

const service = 'MG00000000000000000000000000000001';
const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello' };
const pooled = { messagingServiceSid: service, to: sms.to, body: sms.body };
const scheduleType = 'fixed' as const;

const bodyOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const pooledBody = { MessagingServiceSid: service, To: sms.to, Body: sms.body };
const bodyAt = (time: string, before: Record<string, string> = pooledBody) =>
  bodyOf({ ...before, SendAt: time, ScheduleType: 'fixed' });

const made = (status: string, more: object = {}) => ({
  ...{ sid: 'SM1', status, from: null, to: sms.to, body: sms.body, direction: 'outbound-api' },
  ...{ messaging_service_sid: service, ...more },
});
const accepted = (status = 'scheduled', headers: Record<string, string> = {}): ServiceAnswer => ({
  ...{ status: 201, body: made(status), headers },
});
const refusedForNow: ServiceAnswer = { status: 429, body: {} };

const open = (spending: SpendingLimits, options: Partial<ConnectOptions> = {}) =>
  connect({ ...account, spending, store: memoryStore(), ...options });

const requestsOf = (sent: ReturnType<typeof answerWith>) =>
  sent.map(({ method, path, body }) => ({ method, path, body }));
const post = (body: string) => ({ method: 'POST', path: `${accountPath}/Messages.json`, body });

interface Sent {
  what: string;
  spending?: SpendingLimits;
  at?: string;
  input?: object;
  body: string;
}

const sentCases: Sent[] = [
  { what: 'a message in them, for their end', body: bodyAt('2026-11-29T07:00:00Z') },
  {
    what: 'a message in them with a sender of the messaging service',
    input: { from: sms.from, ...pooled },
    body: bodyAt('2026-11-29T07:00:00Z', { From: sms.from, ...pooledBody }),
  },
  {
    what: 'a message in their first minute',
    at: '2026-11-28T21:00:00Z',
    body: bodyAt('2026-11-29T07:00:00Z'),
  },
  {
    what: 'a message that the service may just send at their end',
    at: '2026-11-29T06:44:00Z',
    body: bodyAt('2026-11-29T07:00:00Z'),
  },
  {
    what: 'a message shortly before their end, as soon as the service allows',
    at: '2026-11-29T06:59:30Z',
    body: bodyAt('2026-11-29T07:15:30Z'),
  },
  {
    what: 'a message whose earliest time falls in the next ones, for the end of those',
    spending: { ...later, quietHours: '8:05-8:00 Europe/Berlin' },
    at: '2026-11-29T06:59:30Z',
    body: bodyAt('2026-11-30T07:00:00Z'),
  },
  {
    what: 'a message of the night in which daylight saving begins',
    at: '2026-03-28T22:00:00Z',
    body: bodyAt('2026-03-29T06:00:00Z'),
  },
  {
    what: 'a message of the night in which daylight saving ends',
    at: '2026-10-24T22:00:00Z',
    body: bodyAt('2026-10-25T07:00:00Z'),
  },
  {
    what: 'a message whose own time falls in them, for their end after that time',
    at: '2026-11-28T12:00:00Z',
    input: { ...pooled, scheduleType, sendAt: '2026-12-03T02:00:00+01:00' },
    body: bodyAt('2026-12-03T07:00:00Z'),
  },
  {
    what: 'a message in them whose own time is after them, for its own time',
    input: { ...pooled, scheduleType, sendAt: '2026-11-29T09:30:00Z' },
    body: bodyAt('2026-11-29T09:30:00Z'),
  },
  {
    what: 'a message outside of them, at once',
    at: '2026-11-28T20:59:59Z',
    body: bodyOf(pooledBody),
  },
  {
    what: 'a message without quiet hours, at once',
    spending: { inQuietHours: 'send-later' },
    body: bodyOf(pooledBody),
  },
];

test.each(sentCases)('sends $what', async ({ spending = later, at, input = pooled, body }) => {
  if (at) setTime(at);
  const sent = answerWith([accepted()]);
  const record = await open(spending).run('send-a-message' as string, input);
  expect(requestsOf(sent)).toEqual([post(body)]);
  expect(record).toMatchObject({ sid: 'SM1', status: 'scheduled' });
  const time = new URLSearchParams(body).get('SendAt');
  const said = time ? `. It will be sent on ${time.replace('T', ' ').replace('Z', ' UTC')}.` : '';
  expect(doneSentence(actionOf('send-a-message'), record)).toBe(
    `Message to +12025550143 scheduled: “Hello”${said}`,
  );
});

test('a message that was sent at once has no time', async () => {
  setTime('2026-11-28T12:00:00Z');
  answerWith([accepted('queued')]);
  const sendAt = '2026-11-29T09:30:00Z';
  const record = await open(later).run('send-a-message', { ...pooled, scheduleType, sendAt });
  expect(doneSentence(actionOf('send-a-message'), record)).toBe(
    'Message to +12025550143 queued: “Hello”',
  );
});

const last = '"Quiet hours" last until 08:00 (Europe/Berlin). Nothing was sent.';
const change = 'You can change the limit in the settings.';
const sendThen = `${last} Send it then, or enter a later time in "Send at". ${change}`;

interface Refused {
  what: string;
  spending?: SpendingLimits;
  action?: string;
  at?: string;
  input?: object;
  message: string;
}

const refusedCases: Refused[] = [
  ...([undefined, null, '', 'refuse'] as const).map((inQuietHours) => ({
    what: `a message if the setting is ${JSON.stringify(inQuietHours)}`,
    spending: { quietHours, inQuietHours } as SpendingLimits,
    message: sendThen,
  })),
  {
    what: 'a message whose own time falls in them, if the setting is "refuse"',
    spending: { quietHours },
    at: '2026-11-28T12:00:00Z',
    input: { ...pooled, scheduleType, sendAt: '2026-12-03T01:00:00Z' },
    message: sendThen,
  },
  {
    what: 'a message without a messaging service',
    input: sms,
    message: `${last} To send it when they end, fill in "Messaging service SID". ${change}`,
  },
  {
    what: 'an action that has no time',
    action: 'send-sms',
    input: sms,
    message: `${last} To send it when they end, use "Send a Message" with "Messaging service SID". ${change}`,
  },
  {
    what: 'a call, which no action makes later',
    action: 'make-a-call',
    input: { from: sms.from, to: sms.to, say: 'Hello' },
    message: `${last} ${change}`,
  },
  {
    what: 'a message whose own time in them is over',
    at: '2026-11-29T12:00:00Z',
    input: { ...pooled, scheduleType, sendAt: '2026-11-29T03:00:00Z' },
    message: sendThen,
  },
  {
    what: 'a message whose own time falls in ones that end later than the service can wait',
    at: '2026-11-28T05:00:00Z',
    input: { ...pooled, scheduleType, sendAt: '2027-01-02T04:00:00Z' },
    message: sendThen,
  },
];

test.each(refusedCases)(
  'refuses $what',
  async ({ spending = later, action = 'send-a-message', at, input = pooled, message }) => {
    if (at) setTime(at);
    const sent = answerWith([]);
    await expect(open(spending).run(action as string, input)).rejects.toMatchObject({
      ...{ code: 'limit-reached', field: 'quietHours', message },
    });
    expect(sent).toEqual([]);
  },
);

test('another choice is an error that lists the choices', () => {
  expect(() => open({ quietHours, inQuietHours: 'wait' as 'refuse' })).toThrow(
    expect.objectContaining({
      ...{ code: 'settings', field: 'inQuietHours' },
      message: '"In quiet hours" in the settings must be one of refuse, send-later.',
    }),
  );
});

test.each([
  ['begin', ['2026-11-28T20:59:59Z', '2026-11-28T21:00:01Z'], ['', '2026-11-29T07:00:00Z']],
  ['end', ['2026-11-29T06:30:00Z', '2026-11-29T07:00:00Z'], ['2026-11-29T07:00:00Z', '']],
])('a message that is sent again after they %s has the time of that moment', async (...given) => {
  const [, times, sendAts] = given;
  const sent = answerWith([refusedForNow, accepted()]);
  jest.spyOn(Date, 'now').mockImplementation(() => Date.parse(times[sent.length] ?? midnight));
  // The service's refusal slows down the account.
  await open(later, { username: 'AC1' }).run('send-a-message', pooled);
  const bodies = sendAts.map((at) => (at ? bodyAt(at) : bodyOf(pooledBody)));
  expect(sent.map(({ body }) => body)).toEqual(bodies);
});

test('the earliest time is one by the service’s clock', async () => {
  const date = new Date('2026-11-29T06:58:00Z').toUTCString();
  const sent = answerWith([accepted('queued', { date }), accepted()]);
  const telephony = open(later, { username: 'AC2' });
  setTime('2026-11-29T07:30:00Z');
  await telephony.run('send-a-message', pooled);
  // Five minutes behind.
  setTime('2026-11-29T06:53:00Z');
  await telephony.run('send-a-message', { ...pooled, body: 'Another' });
  const sendAt = new URLSearchParams(sent[1]?.body).get('SendAt') ?? '';
  const ahead = Date.parse(sendAt) - Date.parse('2026-11-29T06:58:00Z');
  expect(ahead).toBeGreaterThanOrEqual(16 * 60_000);
  expect(ahead).toBeLessThan(17 * 60_000);
});

test('a scheduled message whose response is lost is found in the log', async () => {
  const date = new Date(midnight).toUTCString();
  const messages = [made('scheduled', { sid: 'SM9', date_created: date })];
  const sent = answerWith([
    { status: 502, body: 'lost', headers: { date } },
    { status: 200, body: { messages, next_page_uri: null }, headers: { date } },
  ]);
  const record = await open(later, { username: 'AC3' }).run('send-a-message', pooled);
  expect(record).toMatchObject({ sid: 'SM9', status: 'scheduled' });
  const path = '/2010-04-01/Accounts/AC3/Messages.json';
  expect(requestsOf(sent)).toEqual([
    { ...post(bodyAt('2026-11-29T07:00:00Z')), path },
    { method: 'GET', path: `${path}?To=%2B12025550143&PageSize=100`, body: '' },
  ]);
});

test('a scheduled message counts towards the limits', async () => {
  answerWith([accepted()]);
  const telephony = open({ ...later, perHour: 1 });
  await telephony.run('send-a-message', pooled);
  await expect(telephony.run('send-a-message', pooled)).rejects.toMatchObject({
    ...{ code: 'limit-reached', field: 'perHour' },
  });
});

describe('a batch', () => {
  const inputs = [
    { ...sms, to: '+12025550101' },
    { ...pooled, to: '+12025550102' },
    { ...sms, to: '+12025550103' },
    { ...pooled, to: '+12025550104' },
  ];

  test('sends the rows that can wait, and no other', async () => {
    const sent = answerWith([accepted(), accepted()]);
    const outcomes: string[] = [];
    await open(later).runBatch(
      'send-a-message',
      inputs.map((input) => ({ input })),
      {
        onResult: ({ input }, { outcome, error }) =>
          outcomes.push(
            `${input.to.slice(-1)} ${outcome} ${(error as TelephonyError | undefined)?.field ?? ''}`,
          ),
      },
    );
    expect(outcomes.sort()).toEqual([
      '1 not-run quietHours',
      '2 done ',
      '3 not-run quietHours',
      '4 done ',
    ]);
    expect(sent.map(({ body }) => body).sort()).toEqual(
      ['+12025550102', '+12025550104'].map((To) =>
        bodyAt('2026-11-29T07:00:00Z', { ...pooledBody, To }),
      ),
    );
  });

  test('says in its result how many rows the service sends later', async () => {
    const date = new Date(midnight).toUTCString();
    // The first one is for the service's time.
    answerWith(Array.from({ length: 3 }, () => accepted('scheduled', { date })));
    const action = actionOf('send-a-message');
    const batches = new Batches<object>(memoryStore());
    const press = { owner: 'me', actionId: action.id, button: 'b', context: {} };
    const key = await batches.press(press);
    const items = inputs.map((values) => ({
      ...{ who: values.to, outcome: 'waiting' as const, values },
    }));
    await batches.preview(key, { items }, {});
    await new Promise<void>((ended, report) => {
      const telephony = open(later, { username: 'AC4' });
      void batches.start(key, 'me', {
        ...{ action, open: async () => telephony, isConfirmed: true, report, ended },
      });
    });
    const batch = await batches.open(key, 'me');
    if (!batch) throw new Error('There is no batch.');
    const { sections } = batchPart(action, batchView(action, batch), {
      ...{ name: 'A builder', toRepeat: () => sentence('send it alone') },
    });
    const said = sections.flatMap(({ sentences }) => sentences.map(inEnglish));
    expect(said).toContain('Send a Message: 2 scheduled, 2 not run.');
  });
});

describe('their end', () => {
  const zones = [
    ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago'],
    ...['Asia/Kolkata', 'Atlantic/Azores', 'America/Havana'],
  ];
  const spans = ['22:00-08:00', '21:30-07:45', '12:00-13:30', '01:00-23:30'];
  const [quarterMs, dayMs] = [900_000, 86_400_000];

  /** The days of 2026 on which the clocks of a zone change, and one on which they don't. */
  function daysOf(timeZone: string) {
    const clock = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    const offsets = Array.from({ length: 366 }, (_, index) =>
      clock.format(Date.UTC(2026, 0, 1 + index)).replace(/^.*, /, ''),
    );
    const changes = offsets.flatMap((offset, index) =>
      offset === (offsets[index + 1] ?? offset) ? [] : [Date.UTC(2026, 0, 1 + index)],
    );
    return [Date.UTC(2026, 6, 1), ...changes];
  }

  test.each(zones)(
    'is the first quarter of an hour after them on the clocks of %s',
    async (timeZone) => {
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' });
      const wrong: unknown[] = [];
      let checked = 0;
      for (const begin of daysOf(timeZone).map((time) => time - dayMs)) {
        const shown = Array.from({ length: 4 * 96 }, (_, index) =>
          clock.format(begin + index * quarterMs),
        );
        for (const span of spans) {
          const [from = '', to = ''] = span.split('-');
          const isQuiet = (time: string) =>
            from < to ? from <= time && time < to : from <= time || time < to;
          const telephony = open({ quietHours: `${span} ${timeZone}` });
          for (let index = 0; index < 3 * 96; index += 19) {
            setTime(new Date(begin + index * quarterMs).toISOString());
            const ended = shown.findIndex((time, at) => at >= index && !isQuiet(time));
            const expected = ended === index ? 'not quiet' : (ended - index) * (quarterMs / 1_000);
            const found = await telephony
              .run('send-sms', sms, { beforeSend: () => Promise.reject('not quiet') })
              .catch((error: unknown) => Object(error).retryAfter ?? error);
            checked += 1;
            if (found !== expected) wrong.push([span, shown[index], begin, found, expected]);
          }
        }
      }
      expect(wrong).toEqual([]);
      expect(checked).toBeGreaterThanOrEqual(64);
    },
  );
});
