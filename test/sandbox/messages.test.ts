import {
  ask,
  errorPayload,
  get,
  NOW,
  NOW_TEXT,
  pathOf,
  post,
  request,
  sandboxFor,
} from './client.ts';

const FROM = '+14155550100';
const TO = '+12025550143';
const DRAFT = { From: FROM, To: TO, Body: 'Hello & welcome: 100% żółć 🙂' };

test('sending a message queues it and returns the whole record', async () => {
  const sandbox = await sandboxFor();
  const before = sandbox.messages.length;
  const sent = await post(sandbox, '/Messages.json', DRAFT);
  const path = pathOf(sandbox, `/Messages/${sent.body.sid}`);
  expect(sent).toEqual({
    status: 201,
    body: {
      body: DRAFT.Body,
      num_segments: '1',
      direction: 'outbound-api',
      from: FROM,
      to: TO,
      date_created: NOW_TEXT,
      date_updated: NOW_TEXT,
      date_sent: null,
      price: null,
      price_unit: 'USD',
      error_code: null,
      error_message: null,
      uri: `${path}.json`,
      account_sid: sandbox.username,
      num_media: '0',
      status: 'queued',
      messaging_service_sid: null,
      sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      api_version: '2010-04-01',
      subresource_uris: { media: `${path}/Media.json` },
    },
  });
  expect([sandbox.messages[0], sandbox.messages.length]).toEqual([sent.body, before + 1]);
});

const NO_TO = "A 'To' phone number is required.";
const NO_FROM = "A 'From' phone number is required.";
const BAD_TO = (to: string) => `Invalid 'To' Phone Number: ${to}`;
const BAD_FROM = (from: string) => `Invalid 'From' Phone Number: ${from}`;
const TOO_LONG = 'The concatenated message body exceeds the 1600 character limit';
const NO_REGION =
  "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: +15005550003";
const NOT_YOURS =
  "The 'From' phone number +15005550007 is not a valid, message-capable phone number of your account";
const QUEUE_FULL = "This 'From' number has exceeded the maximum number of queued messages";
const UNREACHABLE = `The 'To' phone number +15005550002 is not currently reachable using the 'From' number ${FROM}`;

test.each([
  ['no To', { To: '' }, 21604, 400, NO_TO],
  ['no From', { From: '' }, 21603, 400, NO_FROM],
  ['no Body', { Body: '' }, 21602, 400, 'Message body is required.'],
  ['a To that is a word', { To: 'Jenny' }, 21211, 400, BAD_TO('Jenny')],
  ['a To with spaces', { To: '+1 202 555' }, 21211, 400, BAD_TO('+1 202 555')],
  ['a From of twelve letters', { From: 'TwelveLetter' }, 21212, 400, BAD_FROM('TwelveLetter')],
  ['a From of 12 digits', { From: '123456789012' }, 21212, 400, BAD_FROM('123456789012')],
  [
    'To equal to From',
    { To: FROM },
    21266,
    400,
    `'To' and 'From' number cannot be the same: ${FROM}`,
  ],
  [
    'numbers of different channels',
    { To: 'whatsapp:+12025550143' },
    21910,
    400,
    "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel",
  ],
  [
    'an unknown sender of a channel',
    { From: 'whatsapp:+15005550007', To: 'whatsapp:+12025550143' },
    63007,
    400,
    'Twilio could not find a Channel with the specified From address',
  ],
  ['1601 characters', { Body: 'a'.repeat(1601) }, 21617, 400, TOO_LONG],
  ['magic From 0001', { From: '+15005550001' }, 21212, 400, BAD_FROM('+15005550001')],
  ['magic From 0007', { From: '+15005550007' }, 21606, 400, NOT_YOURS],
  ['magic From 0008', { From: '+15005550008' }, 21611, 429, QUEUE_FULL],
  ['magic To 0001', { To: '+15005550001' }, 21211, 400, BAD_TO('+15005550001')],
  ['magic To 0002', { To: '+15005550002' }, 21612, 400, UNREACHABLE],
  ['magic To 0003', { To: '+15005550003' }, 21408, 400, NO_REGION],
  [
    'magic To 0004',
    { To: '+15005550004' },
    21610,
    400,
    'Attempt to send to unsubscribed recipient',
  ],
  [
    'magic To 0009',
    { To: '+15005550009' },
    21614,
    400,
    "'To' number +15005550009 is not a valid mobile number",
  ],
])('the sandbox refuses %s and stores nothing', async (_, change, code, status, message) => {
  const sandbox = await sandboxFor();
  const before = sandbox.messages.length;
  expect(await post(sandbox, '/Messages.json', { ...DRAFT, ...change })).toEqual(
    errorPayload(code, status, message),
  );
  expect(sandbox.messages.length).toBe(before);
});

test.each([
  ['JSON', JSON.stringify(DRAFT), 'application/json'],
  ['broken JSON', '{', 'application/json'],
  ['a form under another type', String(new URLSearchParams(DRAFT)), 'text/plain'],
  ['nothing', undefined, 'application/x-www-form-urlencoded'],
])('the sandbox finds no "To" in a body of %s', async (_, body, type) => {
  const sandbox = await sandboxFor();
  const init = { headers: { 'content-type': type }, ...(body === undefined ? {} : { body }) };
  const refused = errorPayload(21604, 400, NO_TO);
  expect(await ask(sandbox, 'POST', '/Messages.json', init)).toEqual(refused);
});

test.each([
  ['the magic From that works', { From: '+15005550006' }],
  ['a short code', { From: '12345' }],
  ['a sender name', { From: 'Acme Ltd' }],
  ['channel addresses', { From: 'whatsapp:+14155550100', To: 'whatsapp:+12025550143' }],
  ['1600 characters', { Body: 'a'.repeat(1600) }],
])('the sandbox accepts %s', async (_, change) => {
  const sandbox = await sandboxFor();
  expect((await post(sandbox, '/Messages.json', { ...DRAFT, ...change })).status).toBe(201);
});

test.each([
  ['160 GSM characters', 'é'.repeat(160), '1'],
  ['161 GSM characters', 'é'.repeat(161), '2'],
  ['306 GSM characters', 'a'.repeat(306), '2'],
  ['307 GSM characters', 'a'.repeat(307), '3'],
  ['80 characters of the extension table', '€'.repeat(80), '1'],
  ['153 extension characters, which cannot be split in half', '€'.repeat(153), '3'],
  ['70 characters outside GSM-7', 'ż'.repeat(70), '1'],
  ['71 characters outside GSM-7', 'ż'.repeat(71), '2'],
  ['71 characters, one of them outside GSM-7', `${'a'.repeat(70)}ż`, '2'],
  ['35 emoji', '🙂'.repeat(35), '1'],
  ['67 emoji, which cannot be split in half', '🙂'.repeat(67), '3'],
])('the sandbox counts the segments of %s', async (_, Body, segments) => {
  const sandbox = await sandboxFor();
  const { body } = await post(sandbox, '/Messages.json', { ...DRAFT, Body });
  expect([body.num_segments, body.body]).toEqual([segments, Body]);
});

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const text = (seconds: number) => later(seconds).toUTCString().replace('GMT', '+0000');

/** A message some seconds after it was sent. */
async function viewAfter(seconds: number, change = {}) {
  const now = new Date(NOW);
  const sandbox = await sandboxFor({ now });
  const { body } = await post(sandbox, '/Messages.json', { ...DRAFT, ...change });
  now.setTime(later(seconds).getTime());
  const seen = await get(sandbox, `/Messages/${body.sid}.json`);
  const { status, date_sent, date_updated, error_code, price } = seen.body;
  expect(seen.body).toEqual({ ...body, status, date_sent, date_updated, error_code, price });
  return { status, date_sent, date_updated, error_code, price };
}

const waits = {
  ...{ status: 'queued', date_sent: null, date_updated: NOW_TEXT },
  ...{ error_code: null, price: null },
};
const sent = {
  ...{ status: 'sent', date_sent: text(1), date_updated: text(1) },
  ...{ error_code: null, price: '-0.00790' },
};
const ended = (status: string, error_code: number | null) => ({
  ...sent,
  ...{ status, error_code, date_updated: text(3) },
});

test.each([
  ['is queued', 0, DRAFT.To, waits],
  ['is queued for a second', 0.9, DRAFT.To, waits],
  ['is sent', 1, DRAFT.To, sent],
  ['is delivered', 3, DRAFT.To, ended('delivered', null)],
  ['is still sent', 2, '+15005553003', sent],
  ['cannot reach the phone', 3, '+15005553003', ended('undelivered', 30003)],
  ['is blocked', 3, '+15005553004', ended('undelivered', 30004)],
  ['has an unknown recipient', 3, '+15005553005', ended('undelivered', 30005)],
  ['goes to a landline', 3, '+15005553006', ended('undelivered', 30006)],
  ['counts as spam', 3, '+15005553007', ended('undelivered', 30007)],
  ['gets lost', 3, '+15005553008', ended('undelivered', 30008)],
  ['comes from an unregistered sender', 3, '+15005553034', ended('undelivered', 30034)],
  [
    'fails before it is sent',
    3,
    '+15005553001',
    { ...waits, status: 'failed', error_code: 30001, date_updated: text(3) },
  ],
])('a message %s after %s seconds, to %s', async (_, seconds, To, expected) => {
  expect(await viewAfter(seconds, { To, Body: 'Hello' })).toEqual(expected);
});

test.each([
  ['whatsapp:+15005553016', { status: 'undelivered', error_code: 63016 }],
  ['whatsapp:+15005553024', { status: 'failed', error_code: 63024 }],
  ['whatsapp:+12025550143', { status: 'delivered', error_code: null }],
])('a message of a channel to %s ends as %j', async (To, end) => {
  const channel = { From: 'whatsapp:+14155550100', To };
  expect(await viewAfter(3, channel)).toMatchObject(end);
});

test('the Date header follows the clock of the sandbox', async () => {
  const sandbox = await sandboxFor();
  const answer = await request(sandbox, 'GET', '/Messages.json');
  expect(answer.headers.get('date')).toBe(NOW.toUTCString());
});

const SERVICE = `MG${'0'.repeat(32)}`;
const hours = (number: number) => new Date(NOW.getTime() + number * 3_600_000).toISOString();
const LATER = { From: '', MessagingServiceSid: SERVICE, ScheduleType: 'fixed', SendAt: hours(1) };

test.each([
  ['from a messaging service', { From: '', MessagingServiceSid: SERVICE }, 'queued', '0', SERVICE],
  [
    'with a picture and no text',
    { Body: '', MediaUrl: 'https://example.com/a.png' },
    'queued',
    '1',
    null,
  ],
  ['scheduled by a messaging service', LATER, 'scheduled', '0', SERVICE],
  [
    'scheduled without a messaging service, which sends at once',
    { ...LATER, From: FROM, MessagingServiceSid: '' },
    'queued',
    '0',
    null,
  ],
])(
  'the sandbox accepts a message %s',
  async (_, fields, status, num_media, messaging_service_sid) => {
    const sent = await post(await sandboxFor(), '/Messages.json', { ...DRAFT, ...fields });
    expect(sent).toMatchObject({
      status: 201,
      body: { from: FROM, status, num_media, messaging_service_sid },
    });
  },
);

test.each([hours(0.2), hours(24 * 36), 'soon', ''])(
  'the sandbox refuses to schedule a message for %j',
  async (SendAt) => {
    const sent = await post(await sandboxFor(), '/Messages.json', { ...DRAFT, ...LATER, SendAt });
    expect(sent).toEqual(errorPayload(35114, 400, 'Scheduling does not support this timestamp'));
  },
);

test.each([
  [3_599, 'scheduled', null],
  [3_601, 'sent', 'Wed, 11 Mar 2026 16:00:01 +0000'],
  [3_603, 'delivered', 'Wed, 11 Mar 2026 16:00:01 +0000'],
])(
  'a message scheduled in an hour has, after %i s, the status %s',
  async (seconds, status, date_sent) => {
    const sandbox = await sandboxFor();
    const { body } = await post(sandbox, '/Messages.json', { ...DRAFT, ...LATER });
    sandbox.pass(seconds);
    const viewed = await get(sandbox, `/Messages/${body.sid}.json`);
    expect(viewed.body).toMatchObject({ status, date_sent });
  },
);

test('an unknown message gets status 404', async () => {
  const sandbox = await sandboxFor();
  const path = pathOf(sandbox, '/Messages/SM0.json');
  expect(await get(sandbox, '/Messages/SM0.json')).toEqual(
    errorPayload(20404, 404, `The requested resource ${path} was not found`),
  );
});

test.each([
  ['', () => true],
  ['?From=%2B14155550100', (one: Listed) => one.from === FROM],
  ['?To=%2B12025550143', (one: Listed) => one.to === TO],
  ['?From=%2B14155550100&To=%2B12025550143', (one: Listed) => one.from === FROM && one.to === TO],
  ['?DateSent=2026-03-10', (one: Listed) => day(one) === '2026-03-10'],
  ['?DateSent%3E=2026-03-10', (one: Listed) => day(one) >= '2026-03-10'],
  ['?DateSent%3C=2026-03-10', (one: Listed) => day(one) !== '' && day(one) < '2026-03-10'],
])('the sandbox lists messages by "%s", newest first', async (query, matches) => {
  const sandbox = await sandboxFor();
  await post(sandbox, '/Messages.json', DRAFT);
  const listed = await get(sandbox, `/Messages.json${query}`);
  const expected = sandbox.messages.filter(matches);
  expect(expected.length).toBeGreaterThan(0);
  expect(expected.length < sandbox.messages.length).toBe(query !== '');
  expect(listed.body.messages).toEqual(expected);
});

type Listed = Awaited<ReturnType<typeof sandboxFor>>['messages'][number];

/** The day on which it was sent; empty if it was not. */
const day = ({ date_sent }: Listed) =>
  date_sent === null ? '' : new Date(date_sent).toISOString().slice(0, 10);

test.each<[words: string[], code: number | undefined]>([
  [['Stop'], 21610],
  [['Please stop'], undefined],
  [['STOP', 'START'], undefined],
  [['START', 'STOP'], 21610],
])('after %j, the sandbox refuses messages to that number with %s', async (words, code) => {
  const sandbox = await sandboxFor();
  const customer = '+12025550171';
  for (const body of words) sandbox.receiveMessage({ from: customer, to: DRAFT.From, body });
  const codes = await Promise.all(
    [{ To: customer }, { To: customer, From: '+14155550109' }, {}].map(async (change) => {
      const { body } = await post(sandbox, '/Messages.json', { ...DRAFT, ...change });
      return Object(body).code;
    }),
  );
  expect(codes).toEqual([code, undefined, undefined]);
});

test('after a reset of the sandbox, everyone gets messages', async () => {
  const sandbox = await sandboxFor();
  sandbox.receiveMessage({ from: DRAFT.To, to: DRAFT.From, body: 'STOP' });
  sandbox.reset();
  expect(await post(sandbox, '/Messages.json', DRAFT)).toMatchObject({ status: 201 });
});
