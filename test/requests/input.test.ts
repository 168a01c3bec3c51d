import { fieldParts, filledIn, operation, operations } from '../../src/builder.ts';
import { errorOf, parts } from './errors.ts';
import { accountPath, answerWith, isolate, telephony } from './service.ts';

isolate();

const call = { from: '+14155550100', to: '+12025550143' };
const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello' };
const picture = 'https://www.example.com/a.png';
const run = (id: string, input: object) => telephony().run(id, input);

const ids = operations.map(({ id }) => id);
const sid = 'must be an ID from the service: up to 64 letters, digits, "-" or "_".';
const pageSize = '"Page size" must be a whole number from 1 to 1,000.';

/** Periods that end before they start. */
const reversed: [id: string, input: object, message: string][] = [
  [
    'calls-by-number-and-date',
    { startTimeAfter: '2026-11-30', startTimeBefore: '2026-11-29' },
    '"Started from" is 2026-11-30, after "Started until", which is 2026-11-29. Swap them.',
  ],
  [
    'calls-by-number-and-date',
    { startTimeAfter: '2026-11-30T00:00:00Z', startTimeBefore: '2026-11-29' },
    '"Started from" is 2026-11-30T00:00:00Z, after "Started until", which is 2026-11-29. Swap them.',
  ],
  [
    'recordings-by-date',
    {
      dateCreatedAfter: new Date(Date.UTC(2026, 10, 30, 9, 0, 1)),
      dateCreatedBefore: '2026-11-30T10:00:00+01:00',
    },
    '"Created from" is 2026-11-30T09:00:01Z, after "Created until", which is 2026-11-30T09:00:00Z. Swap them.',
  ],
  [
    'account-messages',
    { dateSentAfter: '2026-11-30', dateSentBefore: '2026-11-29T23:59:59Z' },
    '"Sent from" is 2026-11-30, after "Sent until", which is 2026-11-29T23:59:59Z. Swap them.',
  ],
  ...['usage-by-category', 'usage-by-day'].map((id): [string, object, string] => [
    id,
    { startDate: '2026-11-02', endDate: '2026-11-01' },
    '"First day" is 2026-11-02, after "Last day", which is 2026-11-01. Swap them.',
  ]),
  [
    'usage-by-day',
    { startDate: 'yesterday', endDate: '2026-11-01' },
    '"First day" must be a date such as 2026-11-30.',
  ],
];

const refused: [id: string, input: object, field: string | undefined, message: string][] = [
  ...[undefined, null, '', ' \n '].map((empty): (typeof refused)[number] => [
    'recordings-by-caller-id',
    { from: empty },
    'from',
    '"From" is empty. Give it a value, or leave out "from" to list all.',
  ]),
  [
    'calls-by-caller-id',
    Object.create({ from: '' }),
    'from',
    '"From" is empty. Give it a value, or leave out "from" to list all.',
  ],
  [
    'calls-by-caller-id',
    { pageSize: 0, from: undefined, status: '', form: '' },
    'status',
    `"Status" is empty. Give it a value, or leave out "status" to list all. "From" is empty. Give it a value, or leave out "from" to list all. ${pageSize} Calls by caller id has no field "form". Its fields: status, from, pageSize.`,
  ],
  [
    'send-sms',
    { ...sms, to: '' },
    'to',
    '"To" is missing: the recipient\'s number with country code, such as +12025550143, or whatsapp:+12025550143 for WhatsApp.',
  ],
  [
    'send-sms',
    { ...sms, to: null },
    'to',
    '"To" is missing: the recipient\'s number with country code, such as +12025550143, or whatsapp:+12025550143 for WhatsApp.',
  ],
  [
    'send-sms',
    { ...sms, body: ' \n ' },
    'body',
    '"Body" is missing: the text of the message, up to 1,600 characters.',
  ],
  [
    'send-sms',
    { ...sms, body: 'x'.repeat(1601) },
    'body',
    '"Body" must be text of at most 1,600 characters.',
  ],
  ...(
    [
      [true, 'a boolean'],
      [{ text: 'x' }, 'an object'],
      [['x'], 'a list'],
      [Number.NaN, 'NaN'],
      [Number.POSITIVE_INFINITY, 'Infinity'],
      [() => 'x', 'a function'],
      [Uint8Array.of(0xff), 'binary data'],
    ] as const
  ).map(([body, kind]): (typeof refused)[number] => [
    'send-sms',
    { ...sms, body },
    'body',
    `"Body" must be text, not ${kind}.`,
  ]),
  [
    'send-sms',
    { ...sms, to: false },
    'to',
    '"To" must be a phone number with its country code, such as +14155550100, or a sender the service knows.',
  ],
  ['view-a-call', { callSid: true }, 'callSid', `"Call SID" ${sid}`],
  ['calls-by-caller-id', { pageSize: true }, 'pageSize', pageSize],
  [
    'send-sms',
    { ...sms, body: 'half \ud83d' },
    'body',
    '"Body" contains a broken character. Type it again.',
  ],
  [
    'send-sms',
    { ...sms, from: '+1\r\nX: y' },
    'from',
    '"From" must be a phone number with its country code, such as +14155550100, or a sender the service knows.',
  ],
  [
    'send-sms',
    { ...sms, mediaUrl: 'x' },
    undefined,
    'Send SMS has no field "mediaUrl". Its fields: from, to, body.',
  ],
  ...[Array(11).fill(picture), `${picture}\n`.repeat(11)].map(
    (mediaUrl): (typeof refused)[number] => [
      'send-a-message',
      { ...sms, mediaUrl },
      'mediaUrl',
      '"Media URLs" must have at most 10 values.',
    ],
  ),
  ...[
    [`${picture}${'x'.repeat(2000)}`, 'must be text of at most 2,000 characters'],
    [{}, 'must be text, not an object'],
    [[picture], 'must be text, not a list'],
    [false, 'must be text, not a boolean'],
  ].map(([wrong, problem]): (typeof refused)[number] => [
    ...(['send-a-message', { ...sms, mediaUrl: [picture, wrong] }, 'mediaUrl'] as const),
    `"Media URLs" ${problem}.`,
  ]),
  [
    'send-a-message',
    { ...sms, mediaUrl: [picture, 'half \ud83d'] },
    'mediaUrl',
    '"Media URLs" contains a broken character. Type it again.',
  ],
  ...['__proto__', 'constructor', 'toString'].map((key): (typeof refused)[number] => [
    'calls-by-caller-id',
    JSON.parse(`{"${key}":"x"}`),
    undefined,
    `Calls by caller id has no field "${key}". Its fields: status, from, pageSize.`,
  ]),
  [
    'account-calls',
    { from: '+1' },
    undefined,
    'Account Calls has no field "from". Its fields: none.',
  ],
  [
    'account-calls',
    { ['x'.repeat(41)]: 1 },
    undefined,
    `Account Calls has no field "${'x'.repeat(40)}". Its fields: none.`,
  ],
  [
    'send-a-message',
    { ...sms, messagingServiceSid: ' ', sendAt: '2026-11-30T09:00:00Z', scheduleType: 'fixed' },
    'messagingServiceSid',
    '"Messaging service SID" is needed with "Send at": the messaging service that chooses the sender, such as MG0123456789abcdef0123456789abcdef.',
  ],
  [
    'send-a-message',
    { ...sms, messagingServiceSid: 'MG1', sendAt: null, scheduleType: 'fixed' },
    'sendAt',
    '"Send at" is needed with "Schedule type": when to send the message, in UTC or with a time zone, such as 2026-11-30T09:00:00Z.',
  ],
  [
    'send-sms',
    { from: '', to: '+12025550143', body: ['x'], text: 'Hi', more: 1 },
    'from',
    [
      '"From" is missing: one of your numbers with country code, a short code, a sender name, or a WhatsApp sender such as whatsapp:+14155550100.',
      '"Body" must be text, not a list.',
      'Send SMS has no field "text". Its fields: from, to, body.',
    ].join(' '),
  ],
  [
    'view-a-call',
    {},
    'callSid',
    '"Call SID" is missing: the call\'s identifier, such as CA0123456789abcdef0123456789abcdef.',
  ],
  ['view-a-call', { callSid: '..' }, 'callSid', `"Call SID" ${sid}`],
  ['view-a-call', { callSid: 'CA1/../..' }, 'callSid', `"Call SID" ${sid}`],
  ['view-a-call', { callSid: '%2e%2e' }, 'callSid', `"Call SID" ${sid}`],
  ['view-a-call', { callSid: 'C'.repeat(65) }, 'callSid', `"Call SID" ${sid}`],
  ['calls-by-caller-id', { pageSize: 0 }, 'pageSize', pageSize],
  ['calls-by-caller-id', { pageSize: '1001' }, 'pageSize', pageSize],
  ['calls-by-caller-id', { pageSize: '1.5' }, 'pageSize', pageSize],
  [
    'calls-by-caller-id',
    { status: 'lost' },
    'status',
    '"Status" must be one of queued, ringing, in-progress, completed, busy, failed, no-answer, canceled.',
  ],
  ...reversed.map(([id, input, message]): (typeof refused)[number] => [
    ...([id, input, Object.keys(input)[0], message] as const),
  ]),
  ['make-a-call', call, 'say', '"Say" or "TwiML URL" is missing: fill in one of them.'],
  [
    'make-a-call',
    { ...call, say: 'Hello', url: 'https://www.example.com/' },
    'url',
    'Fill in either "Say" or "TwiML URL", not more than one.',
  ],
  ...['&'.repeat(761), '<'.repeat(951), 'x'.repeat(3801)].map((say): (typeof refused)[number] => [
    'make-a-call',
    { ...call, say },
    'say',
    '"Say" must be text of at most 3,800 characters (& counts as five, < and > as four).',
  ]),
  ['make-a-call', { ...call, say: ['Hello'] }, 'say', '"Say" must be text, not a list.'],
  ...['\u0001\u0002', '\u200b \u2060', '\ufffe\n'].map((say): (typeof refused)[number] => [
    'make-a-call',
    { ...call, say },
    'say',
    '"Say" must contain text that can be spoken.',
  ]),
  ...['"'.repeat(17), '<'.repeat(26)].map((voice): (typeof refused)[number] => [
    'make-a-call',
    { ...call, say: 'Hello', voice },
    'voice',
    '"Voice" must be text of at most 100 characters (quotes and other special characters count as up to six).',
  ]),
  [
    'make-a-call',
    { ...call, url: 'https://www.example.com/', language: 'de-DE' },
    'say',
    '"Say" is needed with "Language": the text that is spoken when the call is answered, up to 3,800 characters.',
  ],
  ['hang-up', {}, undefined, `Unknown operation "hang-up". Choose one of: ${ids.join(', ')}.`],
];

test.each(refused)('%s refuses %j', async (id, input, field, message) => {
  const sent = answerWith([]);
  const error = await errorOf(run(id, input));
  expect(parts(error)).toEqual({ code: 'input', message, ...(field && { field }) });
  expect(sent).toEqual([]);
});

const list = { status: 200, body: { calls: [], recordings: [] } };

const queries: [id: string, input: object, path: string][] = [
  ['calls-by-caller-id', {}, '/Calls.json'],
  ['calls-by-caller-id', { pageSize: null }, '/Calls.json'],
  ['calls-by-caller-id', { pageSize: ' 20 ' }, '/Calls.json?PageSize=20'],
  ['calls-by-caller-id', { from: '+1 (415) 555.01-00' }, '/Calls.json?From=%2B14155550100'],
  ['calls-by-caller-id', { from: '(+44) 20‑7946 0000' }, '/Calls.json?From=%2B442079460000'],
  [
    'calls-by-caller-id',
    { from: '\u202a+1 415 555 0100\u202c' },
    '/Calls.json?From=%2B14155550100',
  ],
  ['calls-by-caller-id', { from: 14155550100 }, '/Calls.json?From=14155550100'],
  [
    'calls-by-caller-id',
    { from: 'client:Jö & co' },
    '/Calls.json?From=client%3AJ%C3%B6%20%26%20co',
  ],
  ['calls-by-caller-id', { from: 'a/b?c=d#e' }, '/Calls.json?From=a%2Fb%3Fc%3Dd%23e'],
  [
    'get-all-recordings-for-a-given-call',
    { callSid: ' CA1 ', pageSize: 7 },
    '/Recordings.json?CallSid=CA1&PageSize=7',
  ],
];

const inPeriod = (from: string, until: string) =>
  `/Calls.json?StartTime%3E=${encodeURIComponent(from)}&StartTime%3C=${encodeURIComponent(until)}`;

/** Periods as short as they can be. */
const shortest: [from: string, until: string, path: string][] = [
  ['2026-11-30', '2026-11-30', inPeriod('2026-11-30', '2026-12-01')],
  ['2026-11-30T23:59:59Z', '2026-11-30', inPeriod('2026-11-30T23:59:59Z', '2026-12-01')],
  ['2026-11-30', '2026-11-30T00:00:00Z', inPeriod('2026-11-30', '2026-11-30T00:00:00Z')],
  [
    '2026-11-30T10:00:00+01:00',
    '2026-11-30T09:00:00Z',
    inPeriod('2026-11-30T09:00:00Z', '2026-11-30T09:00:00Z'),
  ],
];

test.each(shortest)(
  'a period from %s until %s is sent',
  async (startTimeAfter, startTimeBefore, path) => {
    const sent = answerWith([list]);
    await run('calls-by-number-and-date', { startTimeAfter, startTimeBefore });
    expect(sent.map((request) => request.path)).toEqual([accountPath + path]);
  },
);

class Filter {
  get from() {
    return '+14155550100';
  }
}

const inherited: [title: string, input: object][] = [
  ['the getter of a class', new Filter()],
  ['a prototype', Object.create({ from: '+14155550100' })],
  [
    'a property that is not enumerable',
    Object.defineProperty({}, 'from', { value: '+14155550100' }),
  ],
];

test.each(inherited)('a filter in %s is sent', async (_, input) => {
  const sent = answerWith([list]);
  await run('calls-by-caller-id', input);
  expect(sent.map(({ path }) => path)).toEqual([`${accountPath}/Calls.json?From=%2B14155550100`]);
});

test.each(queries)('%s sends %j as %s', async (id, input, path) => {
  const sent = answerWith([list]);
  await run(id, input);
  expect(sent.map((request) => request.path)).toEqual([accountPath + path]);
});

const bodies: [input: object, body: string][] = [
  [{ from: '12345' }, 'From=12345&To=%2B12025550143&Body=Hello'],
  [{ from: 'My Shop' }, 'From=My+Shop&To=%2B12025550143&Body=Hello'],
  [
    { from: 'whatsapp:+14155550100' },
    'From=whatsapp%3A%2B14155550100&To=%2B12025550143&Body=Hello',
  ],
  [{ body: '  a\r\n\tb  ' }, 'From=%2B14155550100&To=%2B12025550143&Body=++a%0D%0A%09b++'],
  [
    { body: 'a=b&c=d;e+f%g' },
    'From=%2B14155550100&To=%2B12025550143&Body=a%3Db%26c%3Dd%3Be%2Bf%25g',
  ],
  [
    { body: '{{ name }} &amp;' },
    'From=%2B14155550100&To=%2B12025550143&Body=%7B%7B+name+%7D%7D+%26amp%3B',
  ],
  [{ body: 42 }, 'From=%2B14155550100&To=%2B12025550143&Body=42'],
];

test.each(bodies)('send-sms sends %j exactly', async (input, body) => {
  const sent = answerWith([{ status: 201, body: { sid: 'SM1' } }]);
  await run('send-sms', { ...sms, ...input });
  expect(sent.map((request) => request.body)).toEqual([body]);
});

const other = 'https://www.example.com/a,b.png';
const both = [picture, other];
const media: [mediaUrl: unknown, sent: string[]][] = [
  [picture, [picture]],
  [other, [other]],
  [both, both],
  [[` ${picture}\r\n${other}`, '', null], both],
  [`${picture}\r\n\n ${other} `, both],
  [`${picture}, ${other}`, both],
  [`${picture},\n${other}`, both],
  [JSON.stringify(both), both],
  ['[1', ['[1']],
  [Array(9).fill(picture), Array(9).fill(picture)],
  [[], []],
  [' \n', []],
  [['', undefined], []],
];
test.each(media)('the media of a message, %j, are each a parameter', async (mediaUrl, each) => {
  const sent = answerWith([{ status: 201, body: { sid: 'SM1' } }]);
  await run('send-a-message', { ...sms, mediaUrl });
  const parameters = [...new URLSearchParams(sent[0]?.body)];
  expect(parameters.slice(3)).toEqual(each.map((url) => ['MediaUrl', url]));
});

const rows = media.filter(
  ([mediaUrl, each]) => each.length > 0 && !String(mediaUrl).startsWith('["'),
);
test.each(rows)('the media of a row, %j, are each a parameter', async (mediaUrl, each) => {
  const sent = answerWith([{ status: 201, body: { sid: 'SM1' } }]);
  const action = operation('send-a-message');
  const parts = fieldParts(action, { mediaUrl: [`${other}\n`, { column: 'pictures' }] });
  await run('send-a-message', { ...sms, ...filledIn(parts, { pictures: mediaUrl }) });
  expect(new URLSearchParams(sent[0]?.body).getAll('MediaUrl')).toEqual([other, ...each]);
});

test('a scheduled message has its schedule type by itself', async () => {
  const sent = answerWith([{ status: 201, body: { sid: 'SM1' } }]);
  const later = { messagingServiceSid: 'MG1', sendAt: '2026-11-30T09:00:00Z', scheduleType: ' ' };
  await run('send-a-message', { ...sms, ...later });
  expect(sent.map((request) => request.body)).toEqual([
    'From=%2B14155550100&MessagingServiceSid=MG1&To=%2B12025550143&Body=Hello&SendAt=2026-11-30T09%3A00%3A00Z&ScheduleType=fixed',
  ]);
});

test('an emoji counts as one of the 1,600 characters of a body', async () => {
  const sent = answerWith([{ status: 201, body: { sid: 'SM1' } }]);
  await run('send-sms', { ...sms, body: '😀'.repeat(1600) });
  expect(new URLSearchParams(sent[0]?.body).get('Body')).toBe('😀'.repeat(1600));
});
