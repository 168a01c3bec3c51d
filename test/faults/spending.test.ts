import assert from 'node:assert';
import { Readable } from 'node:stream';
import {
  actionOf,
  Batches,
  type ConnectOptions,
  connect,
  type Entry,
  type Http,
  inEnglish,
  type LimitReached,
  memoryStore,
  reachedSentences,
  type SpendingLimits,
  type Store,
  type TelephonyError,
  usageSentence,
} from '../../src/builder.ts';
import { notesOfRows } from '../requests/notes-of-rows.ts';
import { sandboxWith } from './lost-responses.ts';
import { account, skipRetryWaits, sms } from './service.ts';

// Limits on what an account sends.

const noon = Date.parse('2026-11-28T12:00:00Z');
let now = noon;
beforeEach(() => {
  now = noon;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  skipRetryWaits();
});
afterEach(() => jest.restoreAllMocks());

/** A service that accepts everything, and counts it. */
function service(status = 201) {
  const sent: URLSearchParams[] = [];
  const http: Http = async ({ method, body }) => {
    if (method === 'POST') sent.push(new URLSearchParams(String(body)));
    const answer = Buffer.from(JSON.stringify({ sid: `SM${sent.length}` }));
    return { status, headers: {}, body: Readable.from([answer]) };
  };
  return { sent, http };
}

const open = (spending: SpendingLimits, options: Partial<ConnectOptions> = {}) =>
  connect({ ...account, spending, store: memoryStore(), ...options });

const errorOf = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    ({ code, field, message, retryAfter }: TelephonyError) => ({
      code,
      field,
      message,
      retryAfter,
    }),
  );

const outcomes = async (count: number, send: (index: number) => Promise<unknown>) => {
  const found: Record<string, number> = {};
  for (let index = 0; index < count; index += 1) {
    const error = await errorOf(send(index));
    const outcome = error ? `${error.code} ${error.field}` : 'sent';
    found[outcome] = (found[outcome] ?? 0) + 1;
  }
  return found;
};

const someone = (index: number) => `+1202555${String(index).padStart(4, '0')}`;
const call = { from: sms.from, to: sms.to, say: 'Hello' };
const scheduled = {
  ...{ to: sms.to, body: 'Hello', messagingServiceSid: `MG${'0'.repeat(32)}` },
  scheduleType: 'fixed' as const,
};
const nightly = '22:00-08:00 Europe/Berlin';
const night = Date.parse('2026-11-28T23:30:00Z');

interface Refusal {
  what: string;
  spending: SpendingLimits;
  /** The actions that are sent before. */
  before?: [id: string, input: object][];
  refused: [id: string, input: object];
  at?: number;
  error: { field: string; message: string; retryAfter?: number };
}

const refusals: Refusal[] = [
  {
    what: 'a message if sending is stopped',
    spending: { stopped: true },
    refused: ['send-sms', sms],
    error: {
      field: 'stopped',
      message: '"Stop sending" is on. Nothing was sent. You can turn it off in the settings.',
    },
  },
  {
    what: 'a message after the messages of an hour, whoever they were for',
    spending: { perHour: 2 },
    before: [
      ['send-sms', sms],
      ['send-a-message', { ...sms, to: someone(1) }],
    ],
    refused: ['send-sms', { ...sms, to: someone(2) }],
    error: {
      field: 'perHour',
      message:
        'The limit "Messages per hour" (2) is reached. Nothing was sent. You can send again at 2026-11-28 13:05:00 UTC. You can change the limit in the settings.',
      retryAfter: 3_900,
    },
  },
  {
    what: 'a message after the messages of a day',
    spending: { perDay: 1, perHour: 1 },
    before: [['send-sms', sms]],
    refused: ['send-sms', sms],
    error: {
      field: 'perDay',
      message:
        'The limit "Messages per day" (1) is reached. Nothing was sent. You can send again at 2026-11-29 13:00:00 UTC. You can change the limit in the settings.',
      retryAfter: 90_000,
    },
  },
  {
    what: 'a message to a recipient that has got as many as an hour allows, by any channel',
    spending: { perRecipientPerHour: 1 },
    before: [
      ['send-sms', { ...sms, to: someone(1) }],
      ['send-sms', { ...sms, to: `whatsapp:${sms.to}` }],
    ],
    refused: ['send-a-message', sms],
    error: {
      field: 'perRecipientPerHour',
      message:
        'The limit "Messages per recipient" (1 an hour) is reached. Nothing was sent. You can send again at 2026-11-28 13:05:00 UTC. You can change the limit in the settings.',
      retryAfter: 3_900,
    },
  },
  {
    what: 'a call after the calls of an hour, but no message',
    spending: { callsPerHour: 1, perHour: 1 },
    before: [
      ['make-a-call', call],
      ['send-sms', sms],
    ],
    refused: ['make-a-call', call],
    error: {
      field: 'callsPerHour',
      message:
        'The limit "Calls per hour" (1) is reached. Nothing was sent. You can send again at 2026-11-28 13:05:00 UTC. You can change the limit in the settings.',
      retryAfter: 3_900,
    },
  },
  {
    what: 'a number of another country',
    spending: { countries: 'us, ca' },
    before: [
      ['send-sms', sms],
      ['send-sms', { ...sms, to: 'whatsapp:+15148712345' }],
    ],
    refused: ['send-sms', { ...sms, to: '+442079460000' }],
    error: {
      field: 'countries',
      message:
        '"To" is +442079460000, a number of GB. "Allowed countries" has only US, CA. Nothing was sent. You can change the limit in the settings.',
    },
  },
  {
    what: 'a call to another country with the same country code',
    spending: { countries: ['US'] },
    before: [['make-a-call', call]],
    refused: ['make-a-call', { ...call, to: '+18765230123' }],
    error: {
      field: 'countries',
      message:
        '"To" is +18765230123, a number of JM. "Allowed countries" has only US. Nothing was sent. You can change the limit in the settings.',
    },
  },
  {
    what: 'a short code if countries are given',
    spending: { countries: ['US'] },
    refused: ['send-sms', { ...sms, to: '12345' }],
    error: {
      field: 'countries',
      message:
        '"To" is 12345, which has no country. "Allowed countries" has only US. Nothing was sent. You can change the limit in the settings.',
    },
  },
  {
    what: 'a text of more SMS',
    spending: { mostSegments: 2 },
    before: [['send-sms', { ...sms, body: 'x'.repeat(306) }]],
    refused: ['send-a-message', { ...sms, body: 'x'.repeat(307) }],
    error: {
      field: 'mostSegments',
      message:
        '"Body" takes 3 SMS. "SMS per message" allows 2. Nothing was sent. You can change the limit in the settings.',
    },
  },
  {
    what: 'a call in the quiet hours',
    spending: { quietHours: nightly },
    refused: ['make-a-call', call],
    at: night,
    error: {
      field: 'quietHours',
      message:
        '"Quiet hours" last until 08:00 (Europe/Berlin). Nothing was sent. You can change the limit in the settings.',
      retryAfter: 27_000,
    },
  },
  {
    what: 'a message in the quiet hours, which can be scheduled',
    spending: { quietHours: nightly },
    before: [['send-a-message', { ...scheduled, sendAt: '2026-11-29T07:00:00Z' }]],
    refused: ['send-a-message', sms],
    at: night,
    error: {
      field: 'quietHours',
      message:
        '"Quiet hours" last until 08:00 (Europe/Berlin). Nothing was sent. Send it then, or enter a later time in "Send at". You can change the limit in the settings.',
      retryAfter: 27_000,
    },
  },
  {
    what: 'a message that is scheduled for the quiet hours',
    spending: { quietHours: nightly },
    before: [['send-a-message', sms]],
    refused: ['send-a-message', { ...scheduled, sendAt: new Date(night) }],
    error: {
      field: 'quietHours',
      message:
        '"Quiet hours" last until 08:00 (Europe/Berlin). Nothing was sent. Send it then, or enter a later time in "Send at". You can change the limit in the settings.',
      retryAfter: 68_400,
    },
  },
];

test.each(refusals)('refuses $what', async ({ spending, before = [], refused, at, error }) => {
  now = at ?? noon;
  const { sent, http } = service();
  const telephony = open(spending, { http });
  for (const [id, input] of before) await telephony.run(id, input);
  expect(await errorOf(telephony.run(...refused))).toEqual({
    ...{ code: 'limit-reached', retryAfter: undefined },
    ...error,
  });
  expect(sent).toHaveLength(before.length);
});

test.each([undefined, null, 'off', 0])(
  'sends nothing if whether sending is stopped is %p',
  async (stopped) => {
    const { sent, http } = service();
    const telephony = open({ stopped: async () => stopped }, { http });
    expect(await errorOf(telephony.run('send-sms', sms))).toMatchObject({
      code: 'settings',
      message: '"Stop sending" in the settings must be true or false.',
    });
    expect(sent).toEqual([]);
  },
);

test('sends nothing if it is unknown whether sending is stopped', async () => {
  const { sent, http } = service();
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  const telephony = open({ stopped: () => Promise.reject(away) }, { http });
  expect(await errorOf(telephony.run('send-sms', sms))).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^Nothing was sent: the plugin could not use its store/),
  });
  expect(sent).toEqual([]);
});

test('ends a call and records one although sending is stopped', async () => {
  const { sent, http } = service(200);
  const telephony = open({ stopped: true }, { http });
  const callSid = 'CA00000000000000000000000000000001';
  await telephony.run('end-a-call', { callSid });
  await telephony.run('create-a-call-recording', { callSid });
  expect(sent).toHaveLength(2);
});

test('limits nothing without `spending`', async () => {
  const { http } = service();
  const telephony = connect({ ...account, http });
  expect(await outcomes(70, () => telephony.run('send-sms', sms))).toEqual({ sent: 70 });
});

describe('an attack', () => {
  test('two autoresponders that answer each other end after 60 messages to each', async () => {
    const { sent, http } = service();
    const telephony = open({}, { http });
    let error: TelephonyError | undefined;
    for (let from = sms.from, to = sms.to; !error; [from, to] = [to, from])
      await telephony.run('send-sms', { from, to, body: 'I am away.' }).catch((caught) => {
        error = caught;
      });
    expect([error.field, sent.length]).toEqual(['perRecipientPerHour', 120]);
  });

  test('a function that sends 3,000 times sends 1,000', async () => {
    const { sent, http } = service();
    const telephony = open({}, { http });
    const send = (index: number) => telephony.run('send-sms', { ...sms, to: someone(index) });
    const codes = new Map<string, number>();
    await Promise.all(
      Array.from({ length: 3_000 }, async (_, index) => {
        const { field = 'sent' } = (await errorOf(send(index))) ?? {};
        codes.set(field, (codes.get(field) ?? 0) + 1);
      }),
    );
    expect([codes, sent.length]).toEqual([
      new Map([
        ['sent', 1_000],
        ['perHour', 2_000],
      ]),
      1_000,
    ]);
  }, 60_000);

  test('a leaked form texts no premium number of another country', async () => {
    const { sent, http } = service();
    const telephony = open({ countries: 'US' }, { http });
    const premium = ['+37190123456', '+2521234567', '+881612345678', '+8835100123456'];
    expect(
      await outcomes(100, (index) =>
        telephony.run('send-sms', { ...sms, to: premium[index % 4] ?? '' }),
      ),
    ).toEqual({ 'limit-reached countries': 100 });
    expect(sent).toEqual([]);
  });

  test('a loop that calls ends after 100 calls', async () => {
    const { http } = service();
    const telephony = open({}, { http });
    expect(await outcomes(150, () => telephony.run('make-a-call', call))).toEqual({
      sent: 100,
      'limit-reached callsPerHour': 50,
    });
  });
});

describe('what counts', () => {
  const one = { perHour: 1 };
  const send = (store: Store, url: string, options: Partial<ConnectOptions> = {}) =>
    errorOf(open(one, { store, baseUrl: url, ...options }).run('send-sms', sms));

  test.each([
    [
      'an action whose outcome is unknown',
      'reset-before' as const,
      'unknown-outcome',
      'limit-reached',
    ],
    ['no action that the service refused', 'rate-limited' as const, 'rate-limited', undefined],
  ])('is %s', async (_, name, first, second) => {
    const sandbox = await sandboxWith({ name, method: 'POST' });
    const store = memoryStore();
    const limits = { maxAttempts: 1, confirmTimeoutMs: 0 };
    expect((await send(store, sandbox.url, { limits }))?.code).toBe(first);
    expect((await send(store, sandbox.url))?.code).toBe(second);
  });

  test('is an action that is sent again, once', async () => {
    const sandbox = await sandboxWith({ name: 'rate-limited', method: 'POST' });
    const telephony = open({ perHour: 2 }, { baseUrl: sandbox.url });
    expect(await outcomes(3, () => telephony.run('send-sms', sms))).toEqual({
      sent: 2,
      'limit-reached perHour': 1,
    });
  });

  test('is no action whose `beforeSend` fails', async () => {
    const { http } = service();
    const telephony = open(one, { http });
    const beforeSend = () => Promise.reject(new Error('not yet'));
    await expect(telephony.run('send-sms', sms, { beforeSend })).rejects.toThrow('not yet');
    expect(await errorOf(telephony.run('send-sms', sms))).toBeUndefined();
  });

  test('is no action of another account', async () => {
    const { http } = service();
    const store = memoryStore();
    const other = { accountSid: 'AC00000000000000000000000000000002' };
    await open(one, { http, store }).run('send-sms', sms);
    expect(
      await errorOf(open(one, { http, store, ...other }).run('send-sms', sms)),
    ).toBeUndefined();
  });

  test('is what all connections of a process send, without a store', async () => {
    const { http } = service();
    const options = { http, store: undefined, accountSid: 'AC00000000000000000000000000000003' };
    await open(one, options).run('send-sms', sms);
    expect((await errorOf(open(one, options).run('send-sms', sms)))?.code).toBe('limit-reached');
  });
});

test('tells how much was sent in the last hour and day', async () => {
  const { http } = service();
  const telephony = open({}, { http });
  await telephony.run('send-sms', sms);
  now += 2 * 3_600_000;
  await telephony.run('send-sms', sms);
  await telephony.run('make-a-call', call);
  expect(await telephony.usage()).toEqual({
    messages: { lastHour: 1, lastDay: 2 },
    calls: { lastHour: 1 },
    reached: [],
  });
});

describe('a limit that is reached', () => {
  const until = new Date(noon + 65 * 60_000);

  test('is in the usage, and in words for the settings, until it opens', async () => {
    const { http } = service();
    const telephony = open({ perHour: 2, callsPerHour: 1 }, { http });
    await telephony.run('send-sms', sms);
    await telephony.run('make-a-call', call);
    const usage = await telephony.usage();
    expect(usage.reached).toEqual([{ limit: 'callsPerHour', most: 1, until }]);
    expect([usageSentence(usage), ...reachedSentences(usage)].map(inEnglish)).toEqual([
      'Messages in the last hour: 1, in the last 24 hours: 1. Calls in the last hour: 1.',
      'The limit “Calls per hour” (1) is reached until 2026-11-28 13:05:00 UTC.',
      "If you didn't expect that, turn on “Stop sending” and find out what is sending.",
    ]);
    now = Number(until);
    expect(reachedSentences(await telephony.usage())).toEqual([]);
  });

  test.each([0, 250])(
    'of one recipient is in the usage after a refusal, with %i other recipients',
    async (others) => {
      const { http } = service();
      const [store, spending] = [memoryStore(), { perRecipientPerHour: 1 }];
      const telephony = open(spending, { http, store });
      for (let index = 0; index < others; index += 1)
        await telephony.run('send-sms', { ...sms, to: someone(1_000 + index) });
      await telephony.run('send-sms', sms);
      expect((await telephony.usage()).reached).toEqual([]);
      await errorOf(telephony.run('send-sms', sms));
      const reached = [{ limit: 'perRecipientPerHour', most: 1, until }];
      expect((await telephony.usage()).reached).toEqual(reached);
      const raised = open({ perRecipientPerHour: 2 }, { http, store });
      expect((await raised.usage()).reached).toEqual([]);
      now = Number(until);
      expect((await telephony.usage()).reached).toEqual([]);
    },
  );
});

describe('the report of a limit that is reached', () => {
  const minute = 60_000;
  const reportsOf = (spending: SpendingLimits, options: Partial<ConnectOptions> = {}) => {
    const reports: LimitReached[] = [];
    const onLimitReached = (reached: LimitReached) => void reports.push(reached);
    const { http } = service();
    return { reports, telephony: open(spending, { http, onLimitReached, ...options }) };
  };
  const limits = ({ limit }: LimitReached) => limit;

  test('says which limit it is, how many it allows, until when, and what was refused', async () => {
    const { reports, telephony } = reportsOf({ perHour: 1 });
    await telephony.run('send-sms', sms);
    const error = await errorOf(telephony.run('send-a-message', { ...sms, body: 'A secret' }));
    await errorOf(telephony.run('send-sms', sms));
    expect(reports).toEqual([
      {
        ...{ limit: 'perHour', most: 1, until: new Date(noon + 65 * minute) },
        ...{ action: 'Send a Message', message: error?.message },
        accountSid: account.username,
      },
    ]);
  });

  test('comes once in its window, although a limit opens for a few and is reached again', async () => {
    const { reports, telephony } = reportsOf({ perHour: 10, perDay: 30 });
    const times: string[] = [];
    for (; now < noon + 26 * 60 * minute; now += 1.7 * minute) {
      await errorOf(telephony.run('send-sms', sms));
      for (const { limit } of reports.splice(0))
        times.push(`${limit} after ${Math.floor((now - noon) / 60 / minute)} h`);
    }
    expect(times).toEqual([
      'perHour after 0 h',
      'perHour after 1 h',
      'perDay after 2 h',
      'perHour after 25 h',
    ]);
  });

  test('comes again once someone has raised the limit', async () => {
    const store = memoryStore();
    const { reports, telephony } = reportsOf({ perRecipientPerHour: 1 }, { store });
    const onLimitReached = (reached: LimitReached) => void reports.push(reached);
    const raised = open(
      { perRecipientPerHour: 2 },
      { store, onLimitReached, http: service().http },
    );
    for (const one of [telephony, telephony, telephony, raised, raised, raised, telephony])
      await errorOf(one.run('send-sms', sms));
    expect(reports.map(({ most }) => most)).toEqual([1, 2]);
  });

  test('comes once for all processes, whatever recipients they have', async () => {
    const store = memoryStore();
    const processes = [1, 2, 3].map(() => reportsOf({ perRecipientPerHour: 1 }, { store }));
    await Promise.all(
      processes.flatMap(({ telephony }) =>
        [1, 2, 1, 2].map((to) => errorOf(telephony.run('send-sms', { ...sms, to: someone(to) }))),
      ),
    );
    expect(processes.flatMap(({ reports }) => reports.map(limits))).toEqual([
      'perRecipientPerHour',
    ]);
  });

  test.each<[what: string, report: () => unknown]>([
    ['throws', () => assert.fail('no')],
    ['is rejected', () => Promise.reject(new Error('no'))],
    ['never ends', () => new Promise(() => {})],
  ])('that %s neither delays the refusal nor changes it', async (_, onLimitReached) => {
    const { telephony } = reportsOf({ callsPerHour: 1 }, { onLimitReached });
    await telephony.run('make-a-call', call);
    expect((await errorOf(telephony.run('make-a-call', call)))?.field).toBe('callsPerHour');
  });
});

describe('time', () => {
  const minute = 60_000;

  test('opens the limit when the error says, and not a moment before', async () => {
    const { http } = service();
    const telephony = open({ perHour: 3 }, { http });
    const send = () => errorOf(telephony.run('send-sms', sms));
    for (const at of [0, 0, 30]) {
      now = noon + at * minute;
      expect(await send()).toBeUndefined();
    }
    const { retryAfter = 0 } = (await send()) ?? {};
    const end = now + retryAfter * 1_000;
    now = end - 1;
    expect((await send())?.field).toBe('perHour');
    now = end;
    expect([await send(), await send(), (await send())?.field]).toEqual([
      undefined,
      undefined,
      'perHour',
    ]);
  });

  test('never opens it to more than the limit in any hour', async () => {
    const { http } = service();
    const telephony = open({ perHour: 10 }, { http });
    const sentAt: number[] = [];
    for (; now < noon + 240 * minute; now += 1.7 * minute)
      if (!(await errorOf(telephony.run('send-sms', sms)))) sentAt.push(now);
    const most = Math.max(
      ...sentAt.map((from) => sentAt.filter((at) => at >= from && at < from + 60 * minute).length),
    );
    expect(most).toBe(10);
    expect(sentAt.length).toBeGreaterThanOrEqual(30);
  });

  test.each([1, 59, 24 * 60, 10 * 365 * 24 * 60])(
    'does not open it if the clock is set back by %i minutes, and closes it for an hour at most',
    async (minutes) => {
      const { http } = service();
      const telephony = open({ perHour: 2 }, { http });
      const send = () => errorOf(telephony.run('send-sms', sms));
      await send();
      await send();
      now -= minutes * minute;
      expect((await send())?.field).toBe('perHour');
      now += 59 * minute;
      expect((await send())?.field).toBe('perHour');
      now = noon - minutes * minute + 66 * minute;
      expect(await send()).toBeUndefined();
    },
  );
});

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ input: { ...sms, to: someone(index) } }));

/** Runs a batch that someone has previewed, and returns its items. */
async function confirm(telephony: ReturnType<typeof open>, count: number) {
  const batches = new Batches<object>(memoryStore());
  const press = { owner: 'me', actionId: 'send-sms', button: 'b', context: {} };
  const key = await batches.press(press);
  const items = rows(count).map(({ input }, index) => ({
    ...{ who: `${index}`, outcome: 'waiting' as const, values: input },
  }));
  await batches.preview(key, { items }, {});
  await new Promise<void>((ended, report) => {
    void batches.start(key, 'me', {
      action: actionOf('send-sms'),
      open: async () => telephony,
      isConfirmed: true,
      report,
      ended,
    });
  });
  const batch = await batches.open(key, 'me');
  return (batch?.items ?? []).map(({ outcome }) => outcome);
}

describe('a batch', () => {
  async function run(telephony: ReturnType<typeof open>, count: number) {
    const found: Record<string, number> = {};
    await telephony.runBatch('send-sms', rows(count), {
      onResult(_, { outcome, error }) {
        const key = error ? `${outcome}: ${(error as TelephonyError).field}` : outcome;
        found[key] = (found[key] ?? 0) + 1;
      },
    });
    return found;
  }

  test('ends when a limit is reached, and says so for the rows that are not run', async () => {
    const { sent, http } = service();
    expect(await run(open({ perHour: 30 }, { http }), 100)).toEqual({
      done: 30,
      'not-run: perHour': 70,
    });
    expect(sent).toHaveLength(30);
  });

  test('looks in the log for a row that was started before, although a limit is reached', async () => {
    const sandbox = await sandboxWith();
    const telephony = open({ perHour: 1 }, { baseUrl: sandbox.url });
    const started = { ...sms, to: someone(1) };
    const time = await telephony.now();
    await telephony.run('send-sms', started);
    const { notesOf, notes } = notesOfRows({ started: { outcome: 'unknown', time } });
    let refuse = () => {};
    const refused = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    const read = async () => refused.then(() => notesOf('started').read());
    const found: string[] = [];
    await telephony.runBatch(
      'send-sms',
      [...rows(1), { input: started, notes: { ...notesOf('started'), read } }],
      {
        onResult(_, { outcome }) {
          found.push(outcome);
          if (outcome === 'not-run') refuse();
        },
      },
    );
    expect(found).toEqual(['not-run', 'done']);
    expect(notes.started).toMatchObject({ outcome: 'sent' });
    expect(sandbox.messages.map(({ to }) => to)).toEqual([someone(1)]);
  });

  test('goes on if a limit refuses one recipient', async () => {
    const { http } = service();
    const telephony = open({ perRecipientPerHour: 1 }, { http });
    await telephony.run('send-sms', { ...sms, to: someone(2) });
    expect(await run(telephony, 4)).toEqual({ done: 3, 'not-run: perRecipientPerHour': 1 });
  });

  test('ends as soon as sending is stopped', async () => {
    const { sent, http } = service();
    const telephony = open({ stopped: () => sent.length >= 20, perHour: 100_000 }, { http });
    const found = await run(telephony, 1_000);
    expect(found).toEqual({ done: sent.length, 'not-run: stopped': 1_000 - sent.length });
    // Those in progress at that moment finish.
    expect(sent.length).toBeLessThan(120);
  });

  test.each([
    ['is not refused by a default, and does not use it up', {}, 1_100, undefined],
    [
      'is refused by a limit that someone set, and uses it up',
      { perHour: 1_000 },
      1_000,
      'perHour',
    ],
  ])(
    'that a person has confirmed %s',
    async (_, spending, done, limit) => {
      const { sent, http } = service();
      const telephony = open(spending, { http });
      const found = await confirm(telephony, 1_100);
      expect(found.filter((outcome) => outcome === 'done')).toHaveLength(done);
      expect(sent).toHaveLength(done);
      const single = await errorOf(telephony.run('send-sms', sms));
      expect(single?.field).toBe(limit);
      const { messages, reached } = await telephony.usage();
      expect([messages.lastHour, reached.map(({ limit }) => limit)]).toEqual(
        limit ? [done, [limit]] : [done + 1, []],
      );
    },
    60_000,
  );
});

describe('the store', () => {
  /** Counts the writes of counts, and the bytes of the largest. */
  function watched() {
    const store = memoryStore();
    const writes = { count: 0, largest: 0 };
    const note = (kind: string, value: unknown) => {
      if (kind !== 'usage') return;
      writes.count += 1;
      writes.largest = Math.max(writes.largest, JSON.stringify(value).length);
    };
    const given: Store = {
      ...store,
      insert(kind, entry) {
        note(kind, entry.value);
        return store.insert(kind, entry);
      },
      swap(kind, read: Entry, value) {
        note(kind, value);
        return store.swap(kind, read, value);
      },
    };
    return { store: given, writes };
  }

  test('gets one small write for each action, also with many recipients', async () => {
    const { http } = service();
    const { store, writes } = watched();
    const telephony = open({ perHour: 10_000 }, { http, store });
    await outcomes(190, (index) => telephony.run('send-sms', { ...sms, to: someone(index) }));
    expect(writes.count).toBe(190);
    await outcomes(800, (index) => telephony.run('send-sms', { ...sms, to: someone(index) }));
    expect(writes.largest).toBeLessThan(8_000);
  });

  test('gets one write for all actions that a limit refuses', async () => {
    const { http } = service();
    const { store, writes } = watched();
    const telephony = open({ perHour: 2 }, { http, store });
    await outcomes(50, () => telephony.run('send-sms', sms));
    expect(writes.count).toBe(3);
  });

  test('gets one write for the rows of a confirmed batch that start together', async () => {
    const { http } = service();
    const { store, writes } = watched();
    await confirm(open({}, { http, store }), 500);
    expect(writes.count).toBeLessThan(250);
    expect(writes.largest).toBeLessThan(200);
  });

  test('keeps the limit of a recipient also after many others', async () => {
    const { http } = service();
    const telephony = open({ perHour: 10_000, perRecipientPerHour: 2 }, { http });
    const others = (index: number) => telephony.run('send-sms', { ...sms, to: someone(index) });
    expect(await outcomes(300, others)).toEqual({ sent: 300 });
    expect(await outcomes(300, others)).toEqual({ sent: 300 });
    expect(await outcomes(300, others)).toEqual({ 'limit-reached perRecipientPerHour': 300 });
    now += 66 * 60_000;
    expect(await outcomes(300, others)).toEqual({ sent: 300 });
  });

  test('has no number in it, nor what identifies one without the password', async () => {
    const { http } = service();
    const countsOf = async (password: string) => {
      const store = memoryStore();
      await open({}, { http, store, password }).run('send-sms', sms);
      expect(JSON.stringify(store.entries())).not.toContain(sms.to.slice(1));
      const { value } = store.entries().find(([kind]) => kind === 'usage')?.[1] ?? {};
      return Object.keys(JSON.parse(String(value)).counts).sort();
    };
    const [counts, other] = [await countsOf('one'), await countsOf('another')];
    expect(counts).toEqual([
      ...['messages', 'messages a day', expect.stringMatching(/^to \w{12}$/)],
      'unconfirmed messages',
    ]);
    expect(other).not.toEqual(counts);
    expect(await countsOf('one')).toEqual(counts);
  });

  test('that fails lets nothing be sent', async () => {
    const { sent, http } = service();
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const store: Store = { ...memoryStore(), get: () => Promise.reject(away) };
    expect(
      await errorOf(open({}, { http, store, limits: { maxAttempts: 1 } }).run('send-sms', sms)),
    ).toMatchObject({
      code: 'unavailable',
      message:
        'Nothing was sent: the plugin could not use its store (ECONNREFUSED). Try again in a moment.',
    });
    expect(sent).toEqual([]);
  });
});

describe('quiet hours', () => {
  const cases: [quietHours: string, at: string, until: string | undefined][] = [
    ['22:00-08:00 UTC', '2026-11-28T21:59:59Z', undefined],
    ['22:00-08:00 UTC', '2026-11-28T22:00:00Z', '2026-11-29T08:00:00Z'],
    ['22:00-08:00 UTC', '2026-11-29T07:59:59Z', '2026-11-29T08:00:00Z'],
    ['22:00-08:00 UTC', '2026-11-29T08:00:00Z', undefined],
    ['12:00–13:30 UTC', '2026-11-29T12:30:00Z', '2026-11-29T13:30:00Z'],
    ['0:00-6:00 America/New_York', '2026-11-29T06:00:00Z', '2026-11-29T11:00:00Z'],
    ['22:00-08:00 Asia/Kolkata', '2026-11-28T17:00:00Z', '2026-11-29T02:30:00Z'],
    // Daylight saving begins, or ends, at night.
    ['22:00-08:00 Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T06:00:00Z'],
    ['22:00-08:00 Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T07:00:00Z'],
    // Without the change, they would end on another day.
    ['1:00-23:30 Europe/Berlin', '2026-03-29T00:30:00Z', '2026-03-29T21:30:00Z'],
    ['1:00-0:30 Europe/Berlin', '2026-10-24T23:30:00Z', '2026-10-25T23:30:00Z'],
    // That night has no 2:30.
    ['22:00-2:30 Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T01:30:00Z'],
  ];

  test.each(cases)('%s at %s end at %s', async (quietHours, at, until) => {
    now = Date.parse(at);
    const { http } = service();
    const error = await errorOf(open({ quietHours }, { http }).run('send-sms', sms));
    const end = error?.retryAfter && now + error.retryAfter * 1_000;
    expect(end).toBe(until && Date.parse(until));
  });
});

describe('options', () => {
  const whole = 'must be a whole number from 1.';
  const wrong: [spending: object, message: string][] = [
    [{ perHour: 0 }, `"Messages per hour" in the settings ${whole}`],
    [{ perHour: '' }, ''],
    [{ perHour: ' 20 ' }, ''],
    [{ perDay: -1 }, `"Messages per day" in the settings ${whole}`],
    [{ perRecipientPerHour: 1.5 }, `"Messages per recipient" in the settings ${whole}`],
    [{ callsPerHour: 'many' }, `"Calls per hour" in the settings ${whole}`],
    [{ mostSegments: Number.NaN }, `"SMS per message" in the settings ${whole}`],
    [
      { countries: ['US', 'ZZ'] },
      '"Allowed countries" in the settings must be two-letter codes of countries, such as US, CA. "ZZ" isn\'t one.',
    ],
    [
      { countries: 'us, uk' },
      '"Allowed countries" in the settings must be two-letter codes of countries, such as US, CA. "UK" isn\'t one.',
    ],
    [
      { countries: 1 },
      '"Allowed countries" in the settings must be two-letter codes of countries, such as US, CA.',
    ],
    ...[
      ['22-8', 'must be two times of the day and a time zone'],
      ['24:00-08:00 UTC', 'must be two times of the day and a time zone'],
      ['22:00-08:00', 'need a time zone'],
      ['22:00-08:00 Mars/Base', 'need a time zone that exists'],
      ['8:00-08:00 UTC', 'must end at another time than they begin'],
    ].map(([quietHours, said]): [object, string] => [
      { quietHours },
      `"Quiet hours" in the settings ${said}, such as 22:00-08:00 Europe/Berlin.`,
    ]),
    [{ stopped: 'no' }, '"Stop sending" in the settings must be true or false.'],
    [
      { perMonth: 1 },
      'Unknown limit "perMonth". Choose one of: stopped, perHour, perDay, perRecipientPerHour, callsPerHour, countries, mostSegments, quietHours, inQuietHours.',
    ],
  ];

  test.each(wrong)('%j: %s', (spending, message) => {
    const act = () => open(spending);
    if (message) expect(act).toThrow(expect.objectContaining({ code: 'settings', message }));
    else expect(act).not.toThrow();
  });
});
