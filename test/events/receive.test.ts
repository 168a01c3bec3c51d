import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type DeliveryLog,
  type DeliveryState,
  type EventIdentity,
  type EventOptions,
  type EventOutcome,
  memoryDeliveryLog,
  receiveEvents,
  type TelephonyEvent,
} from '../../src/builder.ts';
import { parametersOf } from './fixtures.ts';
import { account, address, signedForm, signedJson } from './signed.ts';

const xml = { 'content-type': 'text/xml; charset=utf-8' };
const plain = { 'content-type': 'text/plain; charset=utf-8' };
const received = {
  ...{ status: 200, headers: xml },
  body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
};
const failed = { status: 500, headers: plain, body: 'Not received' };
const busy = { status: 503, headers: plain, body: 'Not received yet' };
const replied = (text: string) => ({
  ...{ status: 200, headers: xml },
  body: `<?xml version="1.0" encoding="UTF-8"?><Response><Message>${text}</Message></Response>`,
});

const sms = signedForm(parametersOf('sms-received'));
const statusOf = (MessageStatus: string, MessageSid = 'SM1') =>
  signedForm({
    ...parametersOf('message-status'),
    ...{ MessageStatus, SmsStatus: MessageStatus, MessageSid, SmsSid: MessageSid },
  });

/** An app that receives events, with a handler from the test. */
function open(app: EventOptions['onEvent'] = () => {}, options: Partial<EventOptions> = {}) {
  const delivered: string[] = [];
  const reports: string[] = [];
  const errors: unknown[] = [];
  const words = (report: EventOutcome) => {
    if (report.outcome === 'failed') errors.push(report.error);
    if (report.outcome === 'refused') return `refused: ${report.reason}`;
    return report.outcome === 'reply-not-sent'
      ? `reply-not-sent: ${String(report.reply).slice(0, 20)}`
      : report.outcome;
  };
  const receive = receiveEvents(account, {
    url: address,
    onEvent: (event, tellOptions) => {
      delivered.push(`${event.id} ${event.record.status}`);
      return app(event, tellOptions);
    },
    onOutcome: (report) => void reports.push(words(report)),
    ...options,
  });
  return { receive, delivered, reports, errors };
}

/** A promise that the test resolves. */
function pending<Value>() {
  let [end, fail] = [(_: Value) => {}, (_: Error) => {}];
  const promise = new Promise<Value>((done, failed) => {
    [end, fail] = [done, failed];
  });
  return { promise, end, fail };
}

test('delivers an event and responds to the service without a reply', async () => {
  const { receive, delivered, reports } = open();
  expect(await receive(sms)).toEqual(received);
  expect([delivered, reports]).toEqual([['sms-received received'], ['delivered']]);
});

test('types the record of an event by the id of the event', async () => {
  const bodies: (string | null)[] = [];
  const { receive } = open((event: TelephonyEvent) => {
    if (event.id === 'sms-received') bodies.push(event.record.body);
    if (event.id === 'call-status') event.record.duration satisfies number | null;
    // @ts-expect-error a message has no duration
    if (event.id === 'message-status') event.record.duration satisfies number | null;
  });
  await receive(sms);
  expect(bodies).toEqual(["Yes, I'll come! 👍 ½ + 1"]);
});

/** The TwiML that the service's official client writes for texts. */
const official: { replies: { text: string; body: string }[] } = JSON.parse(
  readFileSync(resolve(__dirname, 'official/replies.json'), 'utf8'),
);

test.each(official.replies.filter(({ text }) => text.trim()))(
  'writes a reply as the official client does: %j',
  async ({ text, body }) => {
    expect(await open(() => text).receive(sms)).toEqual({ status: 200, headers: xml, body });
  },
);

test.each([
  ['characters that XML cannot contain', 'a\u0000\u0007\u001b\ufffe\uffffb', 'ab'],
  ['half a character', 'a\ud83db', 'a\ufffdb'],
  ['the maximum length', '🙂'.repeat(1600), '🙂'.repeat(1600)],
])('sends a reply with %s', async (_, text, written) => {
  expect(await open(async () => text).receive(sms)).toEqual(replied(written));
});

test.each<[what: string, reply: unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['a blank text', ' \n'],
  ['an object', { text: 'Hi' }],
  ['true', true],
])('treats %s as no reply', async (_, reply) => {
  // Apps in a builder have no type checks.
  const { receive, reports } = open(() => reply as string);
  expect(await receive(sms)).toEqual(received);
  expect(reports).toEqual(['delivered']);
});

test('reports a reply that cannot be sent', async () => {
  const long = open(() => 'x'.repeat(1601));
  expect(await long.receive(sms)).toEqual(received);
  expect(long.reports).toEqual(['delivered', 'reply-not-sent: xxxxxxxxxxxxxxxxxxxx']);
  const status = open(() => 'Thank you!');
  expect(await status.receive(statusOf('sent'))).toEqual(received);
  expect(status.reports).toEqual(['delivered', 'reply-not-sent: Thank you!']);
});

test('neither delivers nor replies to a repeated event', async () => {
  const { receive, delivered, reports } = open(() => 'Hi');
  expect(await receive(sms)).toEqual(replied('Hi'));
  expect(await receive(sms)).toEqual(received);
  expect([delivered, reports]).toEqual([['sms-received received'], ['delivered', 'duplicate']]);
});

test('responds to a repeated event like to the first one, while that is in progress', async () => {
  const { promise, end } = pending<string>();
  const { receive, delivered, reports } = open(() => promise);
  const answers = [receive(sms), receive(sms), receive(sms)];
  end('Hi');
  expect(await Promise.all(answers)).toEqual([replied('Hi'), replied('Hi'), replied('Hi')]);
  expect([delivered, reports]).toEqual([
    ['sms-received received'],
    ['duplicate', 'duplicate', 'delivered'],
  ]);
});

test.each([
  [
    ['sent', 'delivered'],
    ['sent', 'delivered'],
  ],
  [['delivered', 'sent'], ['delivered']],
  [
    ['delivered', 'sent', 'queued', 'sending', 'read'],
    ['delivered', 'read'],
  ],
  [['delivered', 'undelivered', 'failed'], ['delivered']],
  [['undelivered', 'delivered'], ['undelivered']],
  [['failed', 'sent', 'failed'], ['failed']],
  [
    ['lost', 'sent', 'lost again', 'delivered'],
    ['lost', 'sent', 'delivered'],
  ],
  [
    ['accepted', 'scheduled', 'queued'],
    ['accepted', 'queued'],
  ],
])('delivers, of the message statuses %j, only %j', async (statuses, expected) => {
  const { receive, delivered } = open();
  for (const status of statuses) expect(await receive(statusOf(status))).toEqual(received);
  expect(delivered).toEqual(expected.map((status) => `message-status ${status}`));
});

test('drops call statuses that come after the end of the call', async () => {
  const { receive, delivered, reports } = open();
  const call = (CallStatus: string) => signedForm({ ...parametersOf('call-status'), CallStatus });
  for (const status of ['ringing', 'completed', 'initiated', 'in-progress', 'busy'])
    await receive(call(status));
  expect(delivered).toEqual(['call-status ringing', 'call-status completed']);
  expect(reports).toEqual(['delivered', 'delivered', 'stale', 'stale', 'stale']);
});

test('compares the statuses of each message separately', async () => {
  const { receive, delivered } = open();
  await receive(statusOf('delivered', 'SM1'));
  await receive(statusOf('sent', 'SM2'));
  expect(delivered).toEqual(['message-status delivered', 'message-status sent']);
});

test('delivers events of one message one after the other, of different messages in parallel', async () => {
  const first = pending<undefined>();
  const { receive, delivered } = open(({ record }) =>
    record.sid === 'SM1' && record.status === 'sent' ? first.promise : undefined,
  );
  const slow = receive(statusOf('sent'));
  const next = receive(statusOf('delivered'));
  await receive(statusOf('delivered', 'SM2'));
  expect(delivered).toEqual(['message-status sent', 'message-status delivered']);
  first.end(undefined);
  await Promise.all([slow, next]);
  expect(delivered).toHaveLength(3);
});

test('responds with an error if the handler fails, and delivers the retry', async () => {
  let isBroken = true;
  const { receive, delivered, reports, errors } = open(() => {
    if (isBroken) throw new Error('The database is locked.');
    return 'Hi';
  });
  expect(await receive(sms)).toEqual(failed);
  isBroken = false;
  expect(await receive(sms)).toEqual(replied('Hi'));
  expect(delivered).toHaveLength(2);
  expect(reports).toEqual(['failed', 'delivered']);
  expect(errors).toEqual([new Error('The database is locked.')]);
});

test('drops an earlier status even if the delivery of a later one failed', async () => {
  const { receive, delivered } = open(({ record }) => {
    if (record.status === 'delivered' && delivered.length === 1) throw new Error('busy');
  });
  expect(await receive(statusOf('delivered'))).toEqual(failed);
  expect(await receive(statusOf('sent'))).toEqual(received);
  expect(await receive(statusOf('delivered'))).toEqual(received);
  expect(delivered.at(-1)).toBe('message-status delivered');
});

const broken = (part: keyof DeliveryLog): DeliveryLog => ({
  ...memoryDeliveryLog(),
  [part]: () => {
    throw new Error(`no ${part}`);
  },
});

test('delivers and accepts nothing if the delivery log fails', async () => {
  const { receive, delivered, errors } = open(undefined, { deliveryLog: broken('begin') });
  expect(await receive(sms)).toEqual(failed);
  expect([delivered, errors]).toEqual([[], [new Error('no begin')]]);
});

test.each([[undefined], [null], [true], ['NEW']])(
  'delivers and accepts nothing if begin of the delivery log returns %j',
  async (state) => {
    const deliveryLog = { ...memoryDeliveryLog(), begin: async () => state as DeliveryState };
    const { receive, delivered, errors } = open(undefined, { deliveryLog });
    expect(await receive(sms)).toEqual(failed);
    expect([delivered, errors]).toEqual([
      [],
      [
        expect.objectContaining({
          code: 'input',
          message:
            "The delivery log's function begin must return one of: new, delivered, in-progress, stale.",
        }),
      ],
    ]);
  },
);

test('accepts a delivered event even if the delivery log cannot record it', async () => {
  const { receive, errors } = open(() => 'Hi', { deliveryLog: broken('delivered') });
  expect(await receive(sms)).toEqual(replied('Hi'));
  expect(errors).toEqual([new Error('no delivered')]);
});

test('postpones an event that another process is delivering', async () => {
  const memory = memoryDeliveryLog();
  const { promise, end } = pending<undefined>();
  const [one, other] = [
    open(() => promise, { deliveryLog: memory }),
    open(undefined, { deliveryLog: memory }),
  ];
  const first = one.receive(sms);
  await Promise.resolve();
  expect(await other.receive(sms)).toEqual(busy);
  end(undefined);
  expect([await first, await other.receive(sms)]).toEqual([received, received]);
  expect([one.delivered.length, other.delivered.length]).toEqual([1, 0]);
});

test('delivers events even if the report callback throws', async () => {
  const { receive, delivered } = open(() => 'Hi', {
    onOutcome: () => {
      throw new Error('The disk is full.');
    },
  });
  expect(await receive(sms)).toEqual(replied('Hi'));
  expect(await receive({ ...sms, method: 'GET' })).toMatchObject({ status: 403 });
  expect(delivered).toHaveLength(1);
});

test('refuses without giving the sender a reason, and reports the reason to the app', async () => {
  const reports: EventOutcome[] = [];
  const { receive } = open(undefined, { onOutcome: (report) => void reports.push(report) });
  const answer = await receive(signedForm(parametersOf('sms-received'), { token: 'x' }));
  expect(answer).toEqual({ status: 403, headers: plain, body: 'Forbidden' });
  expect(reports).toEqual([
    {
      ...{ outcome: 'refused', reason: 'signature' },
      message:
        'Refused a request without a valid signature. If the service sent it, check the Auth Token, and that you entered the webhook URL at the service exactly as shown.',
    },
  ]);
  expect(JSON.stringify(reports)).not.toContain(account.password);
});

test.each([
  ['as large as the limit', 100_000, 'delivered'],
  ['over the limit', 100_001, 'refused: size'],
])('accepts a parsed form only up to the size limit: %s', async (_, size, outcome) => {
  const { receive, reports } = open();
  const form = { ...parametersOf('sms-received'), Padding: ['', 'é'] };
  const bytes = Buffer.byteLength(Object.entries(form).flat(2).join(''));
  const body = { ...form, Padding: ['x'.repeat(size - bytes), 'é'] };
  await receive({ ...signedForm(body), body });
  expect(reports).toEqual([outcome]);
});

const crowd = (count: number) => {
  const own = parametersOf('sms-received');
  const more = Array.from({ length: count - Object.keys(own).length }, (_, index) => [
    `X${index}`,
    '',
  ]);
  return { ...own, ...Object.fromEntries(more) };
};
const [many, tooMany] = [crowd(500), crowd(501)];

test.each([
  ['500 in a form', signedForm(many), 'delivered'],
  ['501 in a form', signedForm(tooMany), 'refused: size'],
  ['500 in a parsed form', { ...signedForm(many), body: many }, 'delivered'],
  ['501 in a parsed form', { ...signedForm(tooMany), body: tooMany }, 'refused: size'],
  ['500 in JSON', signedJson(JSON.stringify(many)), 'delivered'],
  ['501 in JSON', signedJson(JSON.stringify(tooMany)), 'refused: size'],
])('accepts up to 500 parameters: %s', async (_, request, outcome) => {
  const { receive, reports } = open();
  await receive(request);
  expect(reports).toEqual([outcome]);
});

test.each([
  ['a form', sms],
  ['a parsed form', { ...sms, body: parametersOf('sms-received') }],
  ['JSON', signedJson('{}')],
  ['another query', { ...sms, url: '/events?x=1' }],
  ['a large body', { ...sms, body: 'x'.repeat(100_001) }],
])('reads nothing of an unsigned request: %s', async (_, request) => {
  const { receive, reports } = open();
  const readers = [jest.spyOn(JSON, 'parse'), jest.spyOn(globalThis, 'URLSearchParams')];
  const { 'x-twilio-signature': signature, ...headers } = request.headers;
  await receive({ ...request, headers });
  const calls = readers.map(({ mock }) => mock.calls.length);
  jest.restoreAllMocks();
  expect([reports, calls]).toEqual([['refused: signature'], [0, 0]]);
});

test('accepts other webhooks of the service without delivering them', async () => {
  const { receive, delivered, reports } = open();
  const other = { ...parametersOf('recording-ready'), RecordingStatus: 'in-progress' };
  expect(await receive(signedForm(other))).toEqual(received);
  expect([delivered, reports]).toEqual([[], ['other']]);
});

describe('an app that is slow', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('does not delay the response to the service, and its late reply is reported', async () => {
    const { promise, end } = pending<string>();
    const signals: AbortSignal[] = [];
    const { receive, reports } = open((_, { signal }) => {
      signals.push(signal);
      return promise;
    });
    const answer = receive(sms);
    await jest.advanceTimersByTimeAsync(9_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await answer).toEqual(received);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    end('Hi');
    await jest.advanceTimersByTimeAsync(0);
    expect(reports).toEqual(['delivered', 'reply-not-sent: Hi']);
    expect(await receive(sms)).toEqual(received);
    expect(reports.at(-1)).toBe('duplicate');
  });

  test('and then fails is reported, and the retry is delivered', async () => {
    const { promise, fail } = pending<string>();
    const { receive, delivered, reports } = open(() => promise, { timeoutMs: 500 });
    const answer = receive(sms);
    await jest.advanceTimersByTimeAsync(500);
    expect(await answer).toEqual(received);
    fail(new Error('stale'));
    await jest.advanceTimersByTimeAsync(0);
    expect(reports).toEqual(['failed']);
    const again = receive(sms);
    await jest.advanceTimersByTimeAsync(500);
    expect([await again, delivered.length]).toEqual([failed, 2]);
  });

  test('and fails in time causes an error, even if the delivery log is slow to release it', async () => {
    const { promise, fail } = pending<string>();
    const signals: AbortSignal[] = [];
    const memory: DeliveryLog = { ...memoryDeliveryLog(), release: () => new Promise(() => {}) };
    const { receive } = open(
      (_, { signal }) => {
        signals.push(signal);
        return promise;
      },
      { deliveryLog: memory },
    );
    const answer = receive(sms);
    await jest.advanceTimersByTimeAsync(9_000);
    fail(new Error('no time'));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await answer).toEqual(failed);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  test('gets its full time for each event, however long that waited', async () => {
    const startedAt = performance.now();
    const left: number[] = [];
    const { receive } = open(({ record }, { deadline }) => {
      left.push(deadline - startedAt);
      return record.status === 'sent' ? new Promise<undefined>(() => {}) : undefined;
    });
    const first = receive(statusOf('sent'));
    await jest.advanceTimersByTimeAsync(1_000);
    const answers = [first, receive(statusOf('delivered'))];
    await jest.advanceTimersByTimeAsync(9_000);
    await Promise.all(answers);
    expect(left).toEqual([10_000, 11_000]);
  });

  test('does not block the next event of the same message for ever', async () => {
    const { receive, delivered } = open(({ record }) =>
      record.status === 'sent' ? new Promise<undefined>(() => {}) : undefined,
    );
    const answers = [receive(statusOf('sent')), receive(statusOf('delivered'))];
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(answers)).toEqual([received, received]);
    expect(delivered).toEqual(['message-status sent', 'message-status delivered']);
  });

  test('with a slow delivery log postpones an event', async () => {
    const { receive } = open(undefined, {
      deliveryLog: { ...memoryDeliveryLog(), begin: () => new Promise(() => {}) },
    });
    const answer = receive(sms);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await answer).toEqual(busy);
  });

  test('still gets an event once whose time ran out in the queue', async () => {
    const memory = memoryDeliveryLog();
    const { promise, end } = pending<undefined>();
    const slow = {
      ...memory,
      begin: async (note: EventIdentity) => promise.then(() => memory.begin(note)),
    };
    const { receive, delivered } = open(undefined, { deliveryLog: slow });
    const answer = receive(sms);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await answer).toEqual(busy);
    end(undefined);
    await jest.advanceTimersByTimeAsync(0);
    expect(await receive(sms)).toEqual(received);
    expect(delivered).toEqual(['sms-received received']);
  });

  test('leaves no timer behind if it is fast', async () => {
    await open().receive(sms);
    expect(jest.getTimerCount()).toBe(0);
  });
});
