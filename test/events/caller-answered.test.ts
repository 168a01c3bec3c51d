import { signForm } from '../../demo/sandbox/signature.ts';
import {
  type EventOutcome,
  eventReader,
  type GivenReply,
  receiveEvents,
  type TelephonyEvent,
} from '../../src/builder.ts';
import { parametersOf } from './fixtures.ts';
import { parseXml } from './parse-xml.ts';
import { account, address, signedForm } from './signed.ts';

const call = parametersOf('call-received');
const {
  Menu: ____,
  Digits: _,
  SpeechResult: __,
  Confidence: ___,
  ...silent
} = parametersOf('caller-answered');
const pressed = (digits: string, question: number) => ({
  ...{ ...silent, Digits: digits, Question: String(question) },
});
const ask: GivenReply = { form: 'reply-ask', input: { say: 'Press 1.', numDigits: 1 } };

/** An app that asks each caller again and again, and what it received. */
function asking(url = address, reply: GivenReply = ask) {
  const events: TelephonyEvent[] = [];
  const outcomes: EventOutcome['outcome'][] = [];
  const messages: string[] = [];
  const receive = receiveEvents(account, {
    url,
    onEvent: (event) => {
      events.push(event);
      return reply;
    },
    onOutcome: ({ outcome, message }) => {
      outcomes.push(outcome);
      if (message) messages.push(message);
    },
  });
  const post = async (parameters: Record<string, string>) => {
    const { status, body } = await receive(signedForm(parameters, { url }));
    const [gather] = status === 200 ? parseXml(body).children : [];
    return gather?.attributes.action;
  };
  return { events, outcomes, messages, post, receive };
}

test('each question of a call has its own URL, and each answer is delivered once', async () => {
  const { post, events, outcomes } = asking();
  const urls = [
    await post(call),
    await post(pressed('1', 1)),
    await post(pressed('1', 1)),
    await post(pressed('1', 2)),
    await post({ ...silent, Question: '3' }),
  ];
  expect(urls).toEqual([
    ...[1, 2].map((question) => `${address}?Question=${question}`),
    undefined,
    ...[3, 4].map((question) => `${address}?Question=${question}`),
  ]);
  expect(outcomes).toEqual(['delivered', 'delivered', 'duplicate', 'delivered', 'delivered']);
  expect(events.slice(1).map(({ record }) => record)).toMatchObject([
    { question: 1, digits: '1', speech: null },
    { question: 2, digits: '1', speech: null },
    { question: 3, digits: null, speech: null },
  ]);
});

test('two repetitions at the same time get the same reply, and start the app once', async () => {
  const { post, events } = asking();
  const urls = await Promise.all([post(pressed('2', 1)), post(pressed('2', 1))]);
  expect(urls).toEqual([`${address}?Question=2`, `${address}?Question=2`]);
  expect(events).toHaveLength(1);
});

test.each([
  ['https://app.example.com/events?tenant=a', '&'],
  ['https://app.example.com:443/events?a=1&b=%27+x', '&'],
  ['https://app.example.com/events?Question=7', '&'],
])('a webhook URL with a query keeps it: %s', async (url, separator) => {
  const { post, events } = asking(url);
  const action = await post(call);
  expect(action).toBe(`${url}${separator}Question=1`);
  await post(pressed('5', 1));
  expect(events.map(({ id }) => id)).toEqual(['call-received', 'caller-answered']);
});

test('a caller can be asked 99 times in a call, so that no call goes on for ever', async () => {
  const { post, messages } = asking();
  expect(await post(pressed('', 98))).toBe(`${address}?Question=99`);
  expect(await post(pressed('', 99))).toBeUndefined();
  expect(messages).toEqual([
    'The reply to “Caller answered” (CA0123456789abcdef0123456789abcdef) was not sent. The caller was asked 99 times already. End the call with another reply.',
  ]);
});

/** Asks with a name for the question, and answers at the URL that the reply gave to the service. */
async function answered(menu: string, url = address, arriving = (sent: string) => sent) {
  const { post, receive, events, outcomes } = asking(url, {
    ...{ form: 'reply-ask', input: { say: 'Press 1.', menu } },
  });
  const action = (await post(call)) ?? '';
  const { Question: _question, ...parameters } = pressed('1', 1);
  const signature = signForm(account.password, action, Object.entries(parameters));
  const { headers, body } = signedForm(parameters);
  await receive({
    ...{ method: 'POST', url: arriving(action), body },
    headers: { ...headers, 'x-twilio-signature': signature },
  });
  return { action: new URL(action), menu: events[1]?.record, outcomes };
}

const menus = [
  ...[
    'sales',
    'Öffnungszeiten & Preise',
    "(o'clock) *!~",
    'a+b c%20d',
    '上级菜单',
    '🙂'.repeat(32),
  ],
  ...['?Question=9', '&Question=9', 'x&Menu=y', '#', '"<Say>', 'x'.repeat(64)],
];
const proxies: [what: string, arriving: (sent: string) => string][] = [
  ['as it was given', (sent) => sent],
  ['with the apostrophe that a proxy decoded', (sent) => sent.replaceAll('%27', "'")],
  ['with the plus of a form', (sent) => sent.replaceAll('%20', '+')],
];

describe.each(menus)('the name %s of a question', (menu) => {
  test.each([address, `${address}?Menu=own`, `${address}?a=%27+x&Question=7`])(
    'comes back at %s',
    async (url) => {
      const { action, ...read } = await answered(menu, url);
      expect(action.searchParams.getAll('Menu').at(-1)).toBe(menu);
      expect(action.searchParams.getAll('Question').at(-1)).toBe('1');
      expect(read).toMatchObject({
        ...{ menu: { menu, question: 1, digits: '1' }, outcomes: ['delivered', 'delivered'] },
      });
    },
  );

  test.each(proxies)('comes back %s', async (_what, arriving) => {
    expect((await answered(menu, address, arriving)).menu).toMatchObject({ menu, question: 1 });
  });
});

test('a question without a name has none, and one that is too long is not asked', async () => {
  const { action, menu } = await answered(' ');
  expect([action.search, menu]).toMatchObject(['?Question=1', { menu: null }]);
  const { post, outcomes } = asking(address, {
    ...{ form: 'reply-ask', input: { say: 'Press 1.', menu: 'x'.repeat(65) } },
  });
  expect(await post(call)).toBeUndefined();
  expect(outcomes).toEqual(['delivered', 'reply-not-sent']);
});

const forward: GivenReply = { form: 'reply-forward', input: { to: '+12025550143' } };
const { Question: ______, ...unanswered } = parametersOf('call-not-answered');

test('forwarding and questions count together, so that no call goes on for ever', async () => {
  const { post } = asking(address, forward);
  expect(await post(call)).toBe(`${address}?Question=1`);
  expect(await post({ ...unanswered, Question: '1' })).toBe(`${address}?Question=2`);
  expect(await post(pressed('1', 2))).toBe(`${address}?Question=3`);
  expect(await post({ ...unanswered, Question: '99' })).toBeUndefined();
  expect(await asking().post({ ...unanswered, Question: '3' })).toBe(`${address}?Question=4`);
});

test.each<[form: string, reply: GivenReply, element: string]>([
  ['a text', 'Goodbye.', 'Say'],
  ['forwarding', forward, 'Dial'],
  ['recording', { form: 'reply-record', input: {} }, 'Record'],
])('an answer is replied to with %s', async (_form, reply, element) => {
  const { receive } = asking(address, reply);
  const { body } = await receive(signedForm(pressed('1', 1)));
  expect(parseXml(body).children.map(({ name }) => name)).toEqual([element]);
});

const speech = '<Say>&amp;</Say>]]> "x" \u202e 🙂\n'.repeat(400);
test.each<[what: string, parameters: Record<string, string>, record: object]>([
  ['the other keys', { Digits: '*#' }, { digits: '*#' }],
  ['keys that look like a number', { Digits: '0012' }, { digits: '0012' }],
  [
    'markup as speech, 10,000 characters of it',
    { SpeechResult: speech, Confidence: '0.5' },
    { speech, confidence: 0.5 },
  ],
  ['confidence that is no number', { Confidence: 'high' }, { confidence: null }],
  ['a caller who hung up', { Digits: '1', CallStatus: 'completed' }, { status: 'completed' }],
])('reads %s', async (_what, parameters, record) => {
  const { receive, events } = asking();
  await receive(signedForm({ ...silent, ...parameters }));
  expect(events.map((event) => event.record)).toMatchObject([record]);
});

const reader = eventReader(account, { url: address });
const outcomeAt = (query: string, parameters: Record<string, string>) => {
  const reading = reader(signedForm(parameters, { url: address + query }));
  if (reading.outcome === 'refused') return reading.reason;
  return reading.outcome === 'event' ? reading.event.id : reading.outcome;
};
const { Question: _____, ...body } = silent;

test.each<[what: string, query: string, parameters: Record<string, string>, outcome: string]>([
  ['an answer', '?Question=1', body, 'caller-answered'],
  ['no question', '?Question=', body, 'query'],
  ['question 0', '?Question=0', body, 'query'],
  ['question 100', '?Question=100', body, 'query'],
  ['a question in words', '?Question=one', body, 'query'],
  ['two questions', '?Question=1&Question=2', body, 'query'],
  ['something else', '?Answer=1', body, 'query'],
  [
    'the end of a recording that an answer was replied to with',
    '?Question=1',
    { ...body, CallStatus: 'completed', RecordingUrl: 'https://example.com', Digits: 'hangup' },
    'other',
  ],
  ['no one who answers a forwarded call', '?Question=1', unanswered, 'call-not-answered'],
  [
    'a forwarded call that ended',
    '?Question=1',
    { ...unanswered, DialCallStatus: 'completed' },
    'other',
  ],
  ['a name without a question', '?Menu=sales', body, 'query'],
  ['the name after the question', '?Question=1&Menu=sales', body, 'query'],
  ['two names', '?Menu=a&Menu=b&Question=1', body, 'query'],
  ['a received call', '?Question=1', { ...call, CallStatus: 'ringing' }, 'caller-answered'],
  ['a received SMS', '?Question=1', parametersOf('sms-received'), 'sms-received'],
])('a signed request whose query has %s', (_what, query, parameters, outcome) => {
  expect(outcomeAt(query, parameters)).toBe(outcome);
});

const forged: [what: string, request: ReturnType<typeof signedForm>, reason: string][] = [
  [
    'the number of another question',
    { ...signedForm(pressed('1', 1)), url: '/events?Question=2' },
    'signature',
  ],
  [
    'another name of the question',
    { ...signedForm({ Menu: 'a', ...pressed('1', 1) }), url: '/events?Menu=b&Question=1' },
    'signature',
  ],
  [
    'no name of the question',
    { ...signedForm({ Menu: 'a', ...pressed('1', 1) }), url: '/events?Question=1' },
    'signature',
  ],
  [
    'a name of the question that it lacks',
    { ...signedForm(pressed('1', 1)), url: '/events?Menu=a&Question=1' },
    'signature',
  ],
  ['no number', { ...signedForm(pressed('1', 1)), url: '/events' }, 'signature'],
  [
    'the number in the body',
    {
      ...signedForm(pressed('1', 1)),
      url: '/events',
      body: String(new URLSearchParams(pressed('1', 1))),
    },
    'signature',
  ],
  [
    'other keys',
    { ...signedForm(pressed('1', 1)), body: String(signedForm(pressed('2', 1)).body) },
    'signature',
  ],
  ['no signature', { ...signedForm(pressed('1', 1)), headers: {} }, 'signature'],
];
test.each(forged)('a forged answer with %s is refused', async (_what, request, reason) => {
  const { receive, events } = asking();
  expect((await receive(request)).status).toBe(403);
  expect(reader(request)).toMatchObject({ outcome: 'refused', reason });
  expect(events).toEqual([]);
});

test('a message whose texts name a question is no answer, however it is split', () => {
  const { CallSid: sid = '' } = call;
  const texts = { Body: 'x', ProfileName: 'Ada' };
  const hidden = { CallSid: sid, CallStatus: 'in-progress', Digits: '1' };
  const inBody = Object.entries(hidden).flat().join('');
  const message = {
    ...{ ...parametersOf('sms-received'), ...texts },
    ...{ Body: `x${inBody}`, ProfileName: 'AdaQuestion3' },
  };
  const { headers, body: sent } = signedForm(message);
  const split = { ...parametersOf('sms-received'), ...texts, ...hidden, Question: '3' };
  const body = String(new URLSearchParams(split));
  const idOf = (url: string, of: typeof sent) => {
    const reading = reader({ method: 'POST', url, headers, body: of });
    return reading.outcome === 'event' ? reading.event.id : reading;
  };
  expect(idOf('/events', sent)).toBe('sms-received');
  expect(idOf('/events', body)).toEqual({ outcome: 'other' });
  expect(idOf('/events?Question=3', body)).toMatchObject({ reason: 'signature' });
});
