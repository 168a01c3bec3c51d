import { inspect } from 'node:util';
import { Axios } from 'axios';
import { errorOf, parts } from './errors.ts';
import { account, answerWith, basic, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();

// Only waits advance the clock.
let mockTime = 0;
jest.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    mockTime += milliseconds;
  },
}));
beforeEach(() => {
  mockTime += 3_600_000;
  jest.spyOn(performance, 'now').mockImplementation(() => mockTime);
});
afterEach(() => jest.restoreAllMocks());

const requestId = 'RQ0000000000000000000000000000001a';
const headers = { 'Twilio-Request-Id': requestId };
const html = '<html><body>Bad gateway</body></html>';

const read = () => telephony().run('account-calls', {});
const lookUp = () => telephony().run('view-a-call', { callSid: 'CA1' });
const write = () =>
  telephony({ confirmTimeoutMs: 0 }).run('send-sms', {
    from: '+14155550100',
    to: '+12025550143',
    body: 'Hello',
  });

const settings = `the settings.`;
const credentials = `The service rejected the credentials. Check the username (the Account SID) and the password (the Auth Token) in ${settings}`;
const unknown =
  'The outcome of "Send SMS" is unknown; it was not sent again. Check your account\'s message log before you send it again.';

const wrongNumber =
  'The number in "To" is not a valid phone number. Enter it with its country code, such as +14155550100. The service said: To is wrong (21211)';

/** How many attempts a request makes if the service certainly did nothing. */
const attempts = { 'rate-limited': 5, unavailable: 5 };

type Expected = { code: string; [part: string]: unknown };

const faults: [answer: ServiceAnswer, atRead: Expected, atWrite: Expected][] = [
  [
    {
      status: 401,
      body: { code: 20003, message: 'Authenticate', more_info: 'https://x', status: 401 },
      headers,
    },
    {
      code: 'unauthorised',
      message: `${credentials} (20003)`,
      request: 'GET /Calls.json',
      status: 401,
      serviceCode: 20003,
      serviceMessage: 'Authenticate',
      requestId,
    },
    {
      code: 'unauthorised',
      message: `${credentials} (20003)`,
      request: 'POST /Messages.json',
      status: 401,
      serviceCode: 20003,
      serviceMessage: 'Authenticate',
      requestId,
    },
  ],
  [
    { status: 404, body: { code: 20404, message: 'Not found' } },
    {
      code: 'not-found',
      message: `The service does not know this account. Check the username (the Account SID) in ${settings} It said: Not found (20404)`,
      request: 'GET /Calls.json',
      status: 404,
      serviceCode: 20404,
      serviceMessage: 'Not found',
    },
    {
      code: 'not-found',
      message: `The service does not know this account. Check the username (the Account SID) in ${settings} It said: Not found (20404)`,
      request: 'POST /Messages.json',
      status: 404,
      serviceCode: 20404,
      serviceMessage: 'Not found',
    },
  ],
  [
    { status: 400, body: { message: `A 'To'\u0000\n number is\u009b wrong. ${'x'.repeat(400)}` } },
    {
      code: 'rejected',
      message: `The service rejected the request. It said: A 'To' number is wrong. ${'x'.repeat(275)}…`,
      request: 'GET /Calls.json',
      status: 400,
      serviceMessage: `A 'To' number is wrong. ${'x'.repeat(275)}…`,
    },
    {
      code: 'rejected',
      message: `The service rejected the request. It said: A 'To' number is wrong. ${'x'.repeat(275)}…`,
      request: 'POST /Messages.json',
      status: 400,
      serviceMessage: `A 'To' number is wrong. ${'x'.repeat(275)}…`,
    },
  ],
  [
    { status: 429, body: { code: 20429, message: 'Slow down' }, headers: { 'Retry-After': '7' } },
    {
      code: 'rate-limited',
      message:
        'The service received too many requests. Wait a moment and try again. The service said: Slow down (20429)',
      request: 'GET /Calls.json',
      status: 429,
      serviceCode: 20429,
      serviceMessage: 'Slow down',
      retryAfter: 7,
    },
    {
      code: 'rate-limited',
      message:
        'The service received too many requests. Wait a moment and try again. The service said: Slow down (20429)',
      request: 'POST /Messages.json',
      status: 429,
      serviceCode: 20429,
      serviceMessage: 'Slow down',
      retryAfter: 7,
    },
  ],
  [
    { status: 429, body: '' },
    {
      code: 'rate-limited',
      message: 'The service received too many requests. Wait a moment and try again.',
      request: 'GET /Calls.json',
      status: 429,
    },
    {
      code: 'rate-limited',
      message: 'The service received too many requests. Wait a moment and try again.',
      request: 'POST /Messages.json',
      status: 429,
    },
  ],
  [
    { status: 500, body: { code: 20500, message: 'Internal error' } },
    {
      code: 'unavailable',
      message:
        'The service has a problem of its own. Try again later. The service said: Internal error (20500)',
      request: 'GET /Calls.json',
      status: 500,
      serviceCode: 20500,
      serviceMessage: 'Internal error',
    },
    {
      code: 'unknown-outcome',
      message: `The service failed while processing the request. It said: Internal error (20500). ${unknown}`,
      request: 'POST /Messages.json',
      status: 500,
      serviceCode: 20500,
      serviceMessage: 'Internal error',
    },
  ],
  [
    { status: 422, body: { type: 'about:blank', title: 'Unprocessable', status: 422 } },
    {
      code: 'rejected',
      message: 'The service rejected the request. It said: Unprocessable',
      request: 'GET /Calls.json',
      status: 422,
      serviceMessage: 'Unprocessable',
    },
    {
      code: 'rejected',
      message: 'The service rejected the request. It said: Unprocessable',
      request: 'POST /Messages.json',
      status: 422,
      serviceMessage: 'Unprocessable',
    },
  ],
  [
    { status: 422, body: { errors: [{ code: '21211', message: 'To is wrong' }] } },
    {
      code: 'rejected',
      message: `${wrongNumber}`,
      request: 'GET /Calls.json',
      status: 422,
      serviceCode: 21211,
      serviceMessage: 'To is wrong',
    },
    {
      code: 'rejected',
      message: `${wrongNumber}`,
      request: 'POST /Messages.json',
      field: 'to',
      status: 422,
      serviceCode: 21211,
      serviceMessage: 'To is wrong',
    },
  ],
  [
    { status: 502, body: html, headers: { 'Content-Type': 'text/html' } },
    {
      code: 'unavailable',
      message: 'The service has a problem. Try again later.',
      request: 'GET /Calls.json',
      status: 502,
    },
    {
      code: 'unknown-outcome',
      message: `The service failed while processing the request. ${unknown}`,
      request: 'POST /Messages.json',
      status: 502,
    },
  ],
  [
    { status: 302, body: '', headers: { Location: 'https://elsewhere.test/' } },
    {
      code: 'bad-answer',
      message: `The service responded with a redirect. Check the base URL in ${settings}`,
      request: 'GET /Calls.json',
      status: 302,
    },
    {
      code: 'bad-answer',
      message: `The service responded with a redirect. Check the base URL in ${settings}`,
      request: 'POST /Messages.json',
      status: 302,
    },
  ],
  ...[html, '', '[]', 'null', '"text"', '{"calls": [{}'].map(
    (body): [ServiceAnswer, Expected, Expected] => [
      { status: 200, body },
      {
        code: 'bad-answer',
        message: `The service's response could not be read. Check the base URL in ${settings}`,
        request: 'GET /Calls.json',
        status: 200,
      },
      {
        code: 'unknown-outcome',
        message: `The service's response could not be read. ${unknown}`,
        request: 'POST /Messages.json',
        status: 200,
      },
    ],
  ),
];

describe.each(faults)('the response %j', (answer, atRead, atWrite) => {
  test.each([
    ['a read', read, atRead],
    ['a write', write, atWrite],
  ])('to %s raises the expected error', async (_, run, error) => {
    const sent = answerWith(Array(9).fill(answer));
    expect(parts(await errorOf(run()))).toEqual(error);
    expect(sent).toHaveLength(
      error.code in attempts ? attempts[error.code as keyof typeof attempts] : 1,
    );
  });
});

/** Statuses without a body, at both ends of each range with the same meaning. */
const statuses: [status: number, atRead: string, atWrite: string][] = [
  [200, 'bad-answer', 'unknown-outcome'],
  [299, 'bad-answer', 'unknown-outcome'],
  [300, 'bad-answer', 'bad-answer'],
  [302, 'bad-answer', 'bad-answer'],
  [303, 'bad-answer', 'unknown-outcome'],
  [304, 'bad-answer', 'bad-answer'],
  [399, 'bad-answer', 'bad-answer'],
  [400, 'rejected', 'rejected'],
  [403, 'unauthorised', 'unauthorised'],
  [407, 'rejected', 'rejected'],
  // Gateways send these after they passed the request on.
  [408, 'rejected', 'unknown-outcome'],
  [409, 'rejected', 'rejected'],
  [498, 'rejected', 'rejected'],
  [499, 'rejected', 'unknown-outcome'],
  [500, 'unavailable', 'unknown-outcome'],
  [599, 'unavailable', 'unknown-outcome'],
];

test.each(statuses)(
  'the status %i means %s for a read, and %s for a write',
  async (status, ...codes) => {
    const sent = answerWith(Array(99).fill({ status, body: '' }));
    const errors = [await errorOf(read()), await errorOf(write())];
    expect(errors.map(({ code }) => code)).toEqual(codes);
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
  },
);

const refused = 'The service rejected the request. It said:';
const invalid = 'https://service.test/errors/invalid';

/** Error bodies of various services, and the parts of the error that come from them. */
const errorBodies: [body: object | string, parts: object][] = [
  [
    { code: 21606, message: 'The To number +1415 is not a mobile number' },
    {
      message:
        'The number in "From" does not belong to your account or cannot send SMS. Choose one of your account\'s numbers that can. The service said: The To number +1415 is not a mobile number (21606)',
      ...{ serviceCode: 21606, field: 'from' },
      serviceMessage: 'The To number +1415 is not a mobile number',
    },
  ],
  [
    { code: 21603 },
    { message: 'The message has no sender. (21603)', serviceCode: 21603, field: 'from' },
  ],
  [
    { code: 'S1001', message: 'No balance' },
    {
      message: `${refused} No balance (S1001)`,
      ...{ serviceCode: 'S1001', serviceMessage: 'No balance' },
    },
  ],
  ...['0021211', '0x52DB', '2E4', '1.50', '+7'].map((code): (typeof errorBodies)[number] => [
    { code, message: 'x' },
    { message: `${refused} x (${code})`, serviceCode: code, serviceMessage: 'x' },
  ]),
  [
    { errors: [{ code: '10015', detail: 'is wrong', source: { pointer: '/Body' } }] },
    {
      message: `${refused} is wrong (/Body) (10015)`,
      ...{ serviceCode: 10015, serviceMessage: 'is wrong (/Body)', field: 'body' },
    },
  ],
  [
    {
      errors: [
        { detail: 'is wrong', source: { parameter: 'Body' } },
        { title: 'x', source: 'y' },
      ],
    },
    {
      message: `${refused} is wrong (Body); x`,
      ...{ serviceMessage: 'is wrong (Body); x', field: 'body' },
    },
  ],
  [
    { code: ` S\n${'1'.repeat(80)}`, message: 'x' },
    {
      message: `${refused} x (S ${'1'.repeat(61)}…)`,
      ...{ serviceCode: `S ${'1'.repeat(61)}…`, serviceMessage: 'x' },
    },
  ],
  [
    {
      ...{ type: invalid, title: 'Invalid', status: 400, code: 21211 },
      errors: [
        { detail: 'is no number', pointer: '#/To' },
        { detail: 'is too long', pointer: '/Body' },
      ],
    },
    {
      message:
        'The number in "To" is not a valid phone number. Enter it with its country code, such as +14155550100. The service said: Invalid; is no number (#/To); is too long (/Body) (21211)',
      ...{ serviceCode: 21211, field: 'to' },
      serviceMessage: 'Invalid; is no number (#/To); is too long (/Body)',
    },
  ],
  [
    { type: invalid, title: 'Invalid', detail: 'The body is wrong.', errors: [] },
    {
      message: `${refused} The body is wrong.`,
      serviceMessage: 'The body is wrong.',
    },
  ],
  [
    { errors: [{ code: 2, description: 'no number', parameter: 'Body' }] },
    {
      message: `${refused} no number (Body) (2)`,
      ...{ serviceCode: 2, serviceMessage: 'no number (Body)', field: 'body' },
    },
  ],
  [
    { errors: ['To is wrong', ' ', 'To is wrong', 'From too', null, 1, ['x']] },
    { message: `${refused} To is wrong; From too; x`, serviceMessage: 'To is wrong; From too; x' },
  ],
  [
    { errors: 'Nothing works' },
    { message: `${refused} Nothing works`, serviceMessage: 'Nothing works' },
  ],
  [
    { error: 'Nothing works' },
    { message: `${refused} Nothing works`, serviceMessage: 'Nothing works' },
  ],
  [
    {
      message: 'First',
      errors: Array(1_000)
        .fill(null)
        .map((_, index) => `E${index}`),
    },
    {
      message: `${refused} First; E0; E1; E2; E3; E4; E5; E6; E7; E8; E9`,
      serviceMessage: 'First; E0; E1; E2; E3; E4; E5; E6; E7; E8; E9',
    },
  ],
  [
    { message: ' ', detail: 'x'.repeat(300) },
    { message: `${refused} ${'x'.repeat(300)}`, serviceMessage: 'x'.repeat(300) },
  ],
  [
    { detail: 'is wrong', pointer: '/From/To/Body' },
    {
      message: `${refused} is wrong (/From/To/Body)`,
      ...{ serviceMessage: 'is wrong (/From/To/Body)', field: 'body' },
    },
  ],
  [
    { error: { message: 'No such number', code: 21211, more_info: 'https://x' } },
    {
      message: `${wrongNumber.replace('To is wrong', 'No such number')}`,
      ...{ serviceCode: 21211, serviceMessage: 'No such number', field: 'to' },
    },
  ],
  [
    { error: { code: 'E7', errors: [{ message: 'One' }, { title: 'Two', parameter: 'Body' }] } },
    {
      message: `${refused} One; Two (Body) (E7)`,
      ...{ serviceCode: 'E7', serviceMessage: 'One; Two (Body)', field: 'body' },
    },
  ],
  [
    { error: { errors: 'One' }, errors: [{ errors: [{ detail: 'Two' }] }] },
    { message: `${refused} Two; One`, serviceMessage: 'Two; One' },
  ],
  [
    { errors: { To: ['is no number', 'is too long'], Body: 'is missing', Count: 2 } },
    {
      message: `${refused} is no number (To); is too long (To); is missing (Body)`,
      serviceMessage: 'is no number (To); is too long (To); is missing (Body)',
      field: 'to',
    },
  ],
  [
    { errors: { From: [{ message: 'is not yours', code: '4' }], code: ['is odd'] } },
    {
      message: `${refused} is not yours (From); is odd (code) (4)`,
      ...{ serviceCode: 4, serviceMessage: 'is not yours (From); is odd (code)', field: 'from' },
    },
  ],
  [
    { errors: [{ detail: 'One' }, { detail: ' ' }, { code: 3 }] },
    { message: `${refused} One (3)`, ...{ serviceCode: 3, serviceMessage: 'One' } },
  ],
  [
    { message: ['To is wrong', 'Body is empty'], error: 'Bad Request', statusCode: 400 },
    {
      message: `${refused} Bad Request; To is wrong; Body is empty`,
      serviceMessage: 'Bad Request; To is wrong; Body is empty',
    },
  ],
  [
    { errors: { ['To'.repeat(300)]: ['x'] } },
    {
      message: `${refused} x (${'To'.repeat(148)}…`,
      serviceMessage: `x (${'To'.repeat(148)}…`,
    },
  ],
  // Another service's error, with titles.
  [
    { errors: [{ code: '10002', title: 'Invalid phone number', detail: 'No such number' }] },
    {
      message: `${refused} No such number (10002)`,
      ...{ serviceCode: 10002, serviceMessage: 'No such number' },
    },
  ],
  [
    { error_code: 21211, error_message: 'To is wrong', status: 'failed' },
    {
      message: wrongNumber,
      ...{ serviceCode: 21211, serviceMessage: 'To is wrong', field: 'to' },
    },
  ],
  [
    { errors: [{ error_code: 'E7' }], error_message: 'Nothing works' },
    {
      message: `${refused} Nothing works (E7)`,
      ...{ serviceCode: 'E7', serviceMessage: 'Nothing works' },
    },
  ],
  [
    { error: 'invalid_request', error_description: 'The body is wrong.' },
    { message: `${refused} The body is wrong.`, serviceMessage: 'The body is wrong.' },
  ],
  // Characters that reverse a text, and half a character.
  [
    { message: 'a\u202eb\u2066c\ud800d', code: '\udc00' },
    {
      message: `${refused} a b c\ufffdd (\ufffd)`,
      ...{ serviceCode: '\ufffd', serviceMessage: 'a b c\ufffdd' },
    },
  ],
  [
    { message: `${'x'.repeat(298)}😀x` },
    {
      message: `${refused} ${'x'.repeat(298)}…`,
      serviceMessage: `${'x'.repeat(298)}…`,
    },
  ],
  ...[
    '<?xml version="1.0"?><TwilioResponse><RestException><Code>21211</Code><Message>To is wrong</Message><MoreInfo>https://x</MoreInfo><Status>400</Status></RestException></TwilioResponse>',
    '<RestException>\n<Status>400</Status>\n<Message>&#x54;o is&#32;wrong</Message>\n<Code> 21211 </Code>\n</RestException>',
  ].map((xml): (typeof errorBodies)[number] => [
    xml,
    {
      message: wrongNumber,
      ...{ serviceCode: 21211, serviceMessage: 'To is wrong', field: 'to' },
    },
  ]),
  [
    '<RestException><Message>&lt;a&gt; &quot;b&quot; &apos;c&apos; &amp;lt; &none; &#0; &#9999999;</Message></RestException>',
    {
      message: `${refused} <a> "b" 'c' &lt; &none; &#0; &#9999999;`,
      serviceMessage: `<a> "b" 'c' &lt; &none; &#0; &#9999999;`,
    },
  ],
  [
    '<RestException><Code>7</Code></RestException>',
    { message: 'The service rejected the request. (7)', serviceCode: 7 },
  ],
  ['<RestException>'.repeat(100_000), { message: 'The service rejected the request.' }],
  ['<Message>Not of the service</Message>', { message: 'The service rejected the request.' }],
  [{ errors: [[[[[['too deep']]]]]] }, { message: 'The service rejected the request.' }],
  [{ code: {}, message: [], errors: [[]] }, { message: 'The service rejected the request.' }],
  [{ code: { toString: 1, valueOf: 1 } }, { message: 'The service rejected the request.' }],
];

test.each([
  [{}, ', or does not offer "View a Call".'],
  [{ message: 'No such path' }, ', or does not offer "View a Call". It said: No such path'],
  [{ code: 10005, message: 'x' }, ', or does not offer "View a Call". It said: x (10005)'],
  [{ code: 20404, message: 'x' }, '. It said: x (20404)'],
])('404 with %j names the unknown record', async (body, rest) => {
  answerWith([{ status: 404, body }]);
  const { message } = await errorOf(lookUp());
  expect(message).toBe(`The service has no record with this "Call SID"${rest}`);
});

test.each(errorBodies)('the error for %j keeps what the service said', async (body, expected) => {
  answerWith([{ status: 400, body, headers: { 'Content-Type': 'application/problem+json' } }]);
  expect(parts(await errorOf(write()))).toEqual({
    ...{ code: 'rejected', status: 400, request: 'POST /Messages.json' },
    ...expected,
  });
});

test('an error names its request in the stack, for logs, but not in the message', async () => {
  answerWith([{ status: 403, body: '' }]);
  const { message, stack, request } = await errorOf(read());
  expect(request).toBe('GET /Calls.json');
  expect(message).not.toContain(request);
  expect(stack).toContain(`${message} [${request}]\n`);
});

test('an input error has only its name and message in the stack', async () => {
  const { message, name, stack } = await errorOf(telephony().run('view-a-call' as string, {}));
  expect(name).toBe('TelephonyError');
  expect(stack).toContain(`${message}\n`);
});

test.each([
  [
    403,
    `The account is not allowed to do this. Check the username (the Account SID) in the settings and the account's permissions.`,
    undefined,
  ],
  [
    404,
    'The service has no record with this "Call SID", or does not offer "View a Call".',
    'callSid',
  ],
])('%i when reading one record names the cause', async (status, sentence, field) => {
  answerWith([{ status, body: '' }]);
  expect(parts(await errorOf(lookUp()))).toEqual({
    code: status === 403 ? 'unauthorised' : 'not-found',
    message: `${sentence}`,
    request: 'GET /Calls/{CallSid}.json',
    status,
    ...(field && { field }),
  });
});

test.each([{}, { calls: {} }, { calls: 1 }, { calls: null }, { recordings: [] }])(
  'the response %j is not accepted as a page of calls',
  async (body) => {
    answerWith([{ status: 200, body }]);
    expect(parts(await errorOf(read()))).toEqual({
      code: 'bad-answer',
      message: `The response contains no list of calls. Check the base URL in ${settings}`,
      request: 'GET /Calls.json',
    });
  },
);

test('any success status with an identified record is accepted', async () => {
  answerWith([{ status: 299, body: { sid: 'CA1' } }]);
  expect(await lookUp()).toMatchObject({ sid: 'CA1' });
});

// The action may have succeeded anyway.
test.each([{}, { sid: null }, { sid: '' }, { sid: ['CA1'] }, { call: { sid: 'CA1' } }])(
  '%j does not identify a record, so that the outcome of a write is unknown',
  async (body) => {
    const sent = answerWith(Array(2).fill({ status: 201, body }));
    const sentence = "The service's response could not be read.";
    expect([parts(await errorOf(lookUp())), parts(await errorOf(write()))]).toEqual([
      {
        code: 'bad-answer',
        message: `${sentence} Check the base URL in ${settings}`,
        request: 'GET /Calls/{CallSid}.json',
        status: 201,
      },
      {
        code: 'unknown-outcome',
        message: `${sentence} ${unknown}`,
        request: 'POST /Messages.json',
        status: 201,
      },
    ]);
    expect(sent).toHaveLength(2);
  },
);

const loose: [wire: object, record: object][] = [
  [
    { duration: '12', price: -0.5 },
    { duration: 12, price: -0.5 },
  ],
  [
    { duration: 12, price: '-0.0085' },
    { duration: 12, price: -0.0085 },
  ],
  [
    { duration: '', price: 'free' },
    { duration: null, price: null },
  ],
  [{ status: 'answered-by-a-cat' }, { status: 'answered-by-a-cat' }],
  [
    { sid: '44f69ccf-3ab7-4a9c-b2a5-c01d6c2c1ab7', from: 12345 },
    { sid: '44f69ccf-3ab7-4a9c-b2a5-c01d6c2c1ab7', from: '12345' },
  ],
  [
    { start_time: 'Tue, 10 Nov 2026 10:15:09 +0200' },
    { startTime: new Date('2026-11-10T08:15:09Z') },
  ],
  [{ start_time: '2026-11-10T10:15:09Z' }, { startTime: new Date('2026-11-10T10:15:09Z') }],
  [
    { start_time: 'yesterday', end_time: null },
    { startTime: null, endTime: null },
  ],
  [
    { from: { number: '+1' }, to: ['+1'] },
    { from: null, to: null },
  ],
  [{ annotation: 'kept out', __proto__: null }, {}],
];

test.each(loose)('the wire values %j become %j', async (wire, record) => {
  answerWith([{ status: 200, body: { sid: 'CA1', ...wire } }]);
  const call = await lookUp();
  expect(call).toMatchObject({ sid: 'CA1', ...record });
  expect(call).not.toHaveProperty('annotation');
});

const echoes: [name: string, answer: ServiceAnswer][] = [
  ['message', { status: 400, body: { message: `You are ${account.password} with ${basic}` } }],
  ['title', { status: 500, body: { title: account.password } }],
  ['list', { status: 403, body: { errors: [{ message: account.password }] } }],
  ['code', { status: 400, body: { code: account.password } }],
  ['second error', { status: 400, body: { errors: ['x', account.password] } }],
  ['error', { status: 400, body: { error: { message: account.password } } }],
  ['parameter', { status: 400, body: { errors: { [account.password]: ['x'] } } }],
  ['nested code', { status: 400, body: { error: { code: account.password } } }],
  ['pointer', { status: 400, body: { detail: 'x', pointer: account.password } }],
];

describe.each(echoes)('a password that the service echoes in its %s', (_, answer) => {
  test.each([
    ['a read', read],
    ['a write', write],
  ])('appears nowhere in the error of %s', async (_, run) => {
    answerWith(Array(9).fill(answer));
    const error = await errorOf(run());
    const shown = [inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error)];
    for (const text of [...shown, error.message, error.stack]) {
      expect(text).toContain('***');
      expect(text).not.toContain(account.password);
      expect(text).not.toContain(basic.slice('Basic '.length));
    }
  });
});

test('a connected account hides its secrets from inspection', () => {
  const shown = inspect(telephony(), { depth: 10, showHidden: true }) + JSON.stringify(telephony());
  expect(shown).not.toContain(account.password);
});

test('a response up to the size limit is read, a larger one fails', async () => {
  const body = JSON.stringify({ sid: 'CA1' });
  const view = (size: number) =>
    telephony({ maxResponseBytes: size }).run('view-a-call', { callSid: 'CA1' });
  answerWith(Array(2).fill({ status: 200, body }));
  expect(await view(body.length)).toMatchObject({ sid: 'CA1' });
  expect(await errorOf(view(body.length - 1))).toMatchObject({ code: 'bad-answer' });
});

test('the service clock ignores the date of an error response', async () => {
  const [wrong, right] = [2001, 2002].map((year) => new Date(Date.UTC(year, 0)));
  const service = telephony();
  const sent = answerWith([
    { status: 404, body: '', headers: { Date: String(wrong?.toUTCString()) } },
    { status: 200, body: '{}', headers: { Date: String(right?.toUTCString()) } },
  ]);
  await errorOf(service.run('view-a-call', { callSid: 'CA1' }));
  expect(await service.now()).toEqual(right);
  expect(sent).toHaveLength(2);
});

test('a request aborted just before it is sent is never sent', async () => {
  const sent = answerWith([]);
  const stop = new AbortController();
  const before = async () => stop.abort();
  const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello' };
  const run = telephony().run('send-sms', sms, { beforeSend: before, signal: stop.signal });
  expect(parts(await errorOf(run))).toEqual({
    ...{ code: 'aborted', message: 'The request was aborted.', request: 'POST /Messages.json' },
  });
  expect(sent).toEqual([]);
});

const mediaUrl = 'https://app.example.com/a.png';
const picture = { from: '+14155550100', to: '+12025550143', mediaUrl };

test('a message with a picture alone is sent, though no one could confirm it', async () => {
  const sent = answerWith([{ status: 201, body: { sid: 'MM1', status: 'queued' } }]);
  const record = await telephony().run('send-a-message', picture);
  expect(record).toMatchObject({ sid: 'MM1', status: 'queued' });
  expect(sent.map(({ body }) => body)).toEqual([
    'From=%2B14155550100&To=%2B12025550143&MediaUrl=https%3A%2F%2Fapp.example.com%2Fa.png',
  ]);
});

test('a picture message whose response is lost has an unknown outcome', async () => {
  const sent = answerWith([{ status: 500, body: '' }]);
  const run = telephony().run('send-a-message', picture);
  expect(await errorOf(run)).toMatchObject({ code: 'unknown-outcome' });
  expect(sent).toHaveLength(1);
});

describe('any other rejection of axios', () => {
  const reject = (fault: object) =>
    jest.spyOn(Axios.prototype, 'request').mockRejectedValue(Object.assign(new Error('x'), fault));

  test('leaves the outcome of a write unknown, and never leaks credentials', async () => {
    reject({ code: 'ERR_BAD_OPTION', config: { headers: { Authorization: basic } } });
    const errors = [await errorOf(read()), await errorOf(write())];
    expect(errors.map(({ code }) => code)).toEqual(['unavailable', 'unknown-outcome']);
    expect(inspect(errors, { depth: 9 })).not.toContain(basic);
  });

  test('surfaces as a programming mistake if it has no code', async () => {
    reject({});
    await expect(read()).rejects.toThrow(new Error('x'));
  });
});
