import nock from 'nock';
import { connect, fieldChoices, filledIn, operation } from '../../src/builder.ts';
import { errorOf, parts } from './errors.ts';
import { account, answerWith, isolate } from './service.ts';

isolate();

jest.mock('node:timers/promises', () => ({ setTimeout: async () => {} }));

const url = 'https://service.test/v1/Content';
const template = (sid: string, more: object = {}) => ({
  ...{ sid, friendly_name: `name of ${sid}`, types: { 'twilio/text': { body: 'Hi {{1}}' } } },
  ...more,
});
const page = (contents: object[], next: unknown = null) => ({
  status: 200,
  body: { contents, meta: { key: 'contents', next_page_url: next } },
});

async function sidsOf(addresses: object = {}) {
  const found: unknown[] = [];
  const { records } = connect({ ...account, ...addresses });
  for await (const { sid } of records('message-templates')) found.push(sid);
  return found;
}

test('reads the pages of a list that names them by URL', async () => {
  const sent = answerWith([
    page([template('HX1')], `${url}?PageSize=50&Page=1&PageToken=PT1`),
    page([template('HX2')], '/v1/Content?Page=2#x'),
    page([template('HX3')]),
  ]);
  expect(await sidsOf()).toEqual(['HX1', 'HX2', 'HX3']);
  expect(sent.map(({ path }) => path)).toEqual([
    ...['/v1/Content', '/v1/Content?PageSize=50&Page=1&PageToken=PT1', '/v1/Content?Page=2'],
  ]);
});

test('reads pages below the path of a host, even if the service leaves it out', async () => {
  const sent = answerWith([page([template('HX1')], `${url}?Page=1`), page([template('HX2')])]);
  expect(await sidsOf({ contentUrl: 'https://service.test/gateway/' })).toEqual(['HX1', 'HX2']);
  expect(sent.map(({ path }) => path)).toEqual([
    ...['/gateway/v1/Content', '/gateway/v1/Content?Page=1'],
  ]);
});

const outside = [
  'https://evil.test/v1/Content?Page=1',
  'https://content.twilio.com/v1/Content?Page=1',
  'https://service.test:8443/v1/Content?Page=1',
  'http://service.test/v1/Content?Page=1',
  'https://me:secret@service.test/v1/Content?Page=1',
  'https://service.test/v1/Services?Page=1',
  'https://service.test/2010-04-01/Accounts/AC2/Messages.json',
  '//evil.test/v1/Content',
  '/',
];

test.each(outside)('does not read the next page %s', async (next) => {
  const sent = answerWith([page([template('HX1')], next)]);
  expect(await errorOf(sidsOf())).toMatchObject({ code: 'bad-answer' });
  expect(sent).toHaveLength(1);
});

test.each([
  [{}, 1],
  [{ meta: null }, 1],
  [{ meta: 'x' }, 1],
  [{ meta: { next_page_url: '' } }, 1],
  [{ next_page_uri: '/v1/Content?Page=1' }, 1],
])('ends a list whose last page has %j', async (rest, requests) => {
  const body = { contents: [template('HX1')], ...rest };
  const sent = answerWith([{ status: 200, body }]);
  expect(await sidsOf()).toEqual(['HX1']);
  expect(sent).toHaveLength(requests);
});

const bodies: [what: string, given: object, body: unknown, variables: unknown][] = [
  [
    'of another type',
    { types: { 'whatsapp/card': { header_text: 'x', body: 'Card' } } },
    'Card',
    null,
  ],
  ['whose first type has no text', { types: { a: { label: 'x' }, b: { body: 'B' } } }, 'B', null],
  ['without types', { types: null }, null, null],
  ['with other types', { types: ['x', { body: 'B' }], variables: ['x'] }, null, null],
  [
    'with other values',
    { types: { a: { body: 7 } }, variables: { 1: 7, 2: null } },
    '7',
    '{"1":"7"}',
  ],
];

test.each(bodies)('reads a template %s', async (_, given, body, variables) => {
  answerWith([page([template('HX1', given)])]);
  const { records } = await connect(account).run('message-templates');
  expect(records).toMatchObject([{ sid: 'HX1', body, variables }]);
});

test('reads a template with deeply nested objects', async () => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const body = `{"contents":[{"sid":"HX1","types":${deep},"variables":${deep}}]}`;
  answerWith([{ status: 200, body }]);
  const { records } = await connect(account).run('message-templates');
  expect(records).toMatchObject([{ sid: 'HX1', body: null, variables: null }]);
});

test('the choices of a template show its text', async () => {
  const long = template('HX2', { types: { a: { body: `Dear\n${'x'.repeat(200)}` } } });
  answerWith([page([template('HX1'), long, template('HX3', { types: {} })])]);
  expect(await fieldChoices(connect(account), 'send-a-template', 'contentSid')).toEqual([
    { value: 'HX1', label: 'name of HX1: Hi {{1}}' },
    { value: 'HX2', label: `name of HX2: Dear ${'x'.repeat(141)}…` },
    { value: 'HX3', label: 'name of HX3' },
  ]);
});

const sender = { from: 'whatsapp:+14155550100', to: 'whatsapp:+12025550143' };
const input = { ...sender, contentSid: 'HX1' };

const sentFor = async (contentVariables: unknown) => {
  nock.cleanAll();
  const sent = answerWith([{ status: 201, body: { sid: 'SM1', status: 'queued' } }]);
  await connect(account).run('send-a-template', { ...input, contentVariables } as never);
  return new URLSearchParams(sent[0]?.body).get('ContentVariables');
};

const maps: [given: unknown, sent: string | null][] = [
  ['1=Ada', '{"1":"Ada"}'],
  [' 2 : 3 pm = late \r\n\r\n1=Ada\t', '{"1":"Ada","2":"3 pm = late"}'],
  ['name=“Ada” & \\ "Co"', JSON.stringify({ name: '“Ada” & \\ "Co"' })],
  [' {"2": 1001, "1": " Ada "} ', '{"1":"Ada","2":"1001"}'],
  [{ 10: 'x', 2: 'y', name: 'z' }, '{"2":"y","10":"x","name":"z"}'],
  [{ 1: 'a\nb' }, '{"1":"a\\nb"}'],
  [undefined, null],
  ['', null],
  [' \n ', null],
];
test.each(maps)('sends the variables %j', async (given, sent) => {
  expect(await sentFor(given)).toBe(sent);
});

const noMaps = [
  ...[
    'Ada',
    '1=',
    '1=Ada\n1=Bob',
    '1=Ada\nBob',
    '=Ada',
    '{"1":"Ada"',
    '["Ada"]',
    '"1=Ada',
    '{"1":{}}',
  ],
  ...[
    '{"1":""}',
    '{"1":null}',
    '{"a b":"c"}',
    '{1=Ada}',
    `${'x'.repeat(65)}=1`,
    `1=${'x'.repeat(4_000)}`,
  ],
  ...[{ 1: '' }, { 1: null }, { 1: ['Ada'] }, { 1: Number.NaN }, { 1: { 2: 'x' } }],
  ...[['1=Ada'], 7, true, new Date(0), Buffer.from('1=Ada'), new Map([['1', 'Ada']])],
];
test.each(noMaps)('sends nothing for the variables %j', async (contentVariables) => {
  const error = await errorOf(
    connect(account).run('send-a-template', { ...input, contentVariables } as never),
  );
  expect(parts(error)).toEqual({
    code: 'input',
    field: 'contentVariables',
    message:
      '"Variables" must be one line for each value, such as 1=Ada, and no value may be empty.',
  });
});

describe('variables filled in from rows', () => {
  const field = operation('send-a-template').fields.find(({ key }) => key === 'contentVariables');
  if (!field) throw new Error('No variables');
  const fill = (parts: (string | { column: string })[], name: unknown) =>
    sentFor(filledIn([[field, parts]], { name }).contentVariables);
  const lines = ['1=', { column: 'name' }, '\n2=1001'];
  const json = ['{"1":"', { column: 'name' }, '","2":"1001"}'];
  const hostile = ['Ada\n2=9', 'Ada\r\n3=x', 'Ada","2":"9', '"', '\\', '{"9":"x"}', 'a=b', '1=x'];

  test.each(hostile)('hold the value %j as it is', async (name) => {
    const shown = name.replaceAll(/[\r\n]+/g, ' ');
    expect(await fill(lines, name)).toBe(JSON.stringify({ 1: shown, 2: '1001' }));
    expect(await fill(json, name)).toBe(JSON.stringify({ 1: name, 2: '1001' }));
  });

  test.each(['', null, undefined])('are missing if a row has %j', (name) => {
    expect(() => filledIn([[field, lines]], { name })).toThrow('the row has no “name”');
  });
});

describe('a template whose response was lost', () => {
  const noon = Date.UTC(2026, 10, 21, 12);
  const since = new Date(noon - 60_000);
  let accounts = 0;

  const made = (sid: string, more: object = {}) => ({
    ...{ ...sender, sid, body: 'Any text', direction: 'outbound-api' },
    ...{ date_created: new Date(noon - 30_000).toISOString(), ...more },
  });

  async function confirm(messages: object[], given: object = {}) {
    accounts += 1;
    nock.cleanAll();
    const answer = {
      ...{ status: 200, body: { messages, next_page_uri: null } },
      headers: { date: new Date(noon).toUTCString() },
    };
    answerWith(Array.from({ length: 5 }, () => answer));
    const telephony = connect({ ...account, username: `AC9${accounts}` });
    const { record, problem } = await telephony.confirm(
      ...(['send-a-template', { ...input, ...given }, { since }] as const),
    );
    return record?.sid ?? problem;
  }

  const none = /did not find it/;
  const several = /identical entries, which may belong to other attempts/;
  const earlier = new Date(noon - 90_000).toISOString();
  const logs: [what: string, messages: object[], found: unknown][] = [
    ['the only message', [made('SM1')], 'SM1'],
    ['none of two messages', [made('SM2'), made('SM1')], several],
    ['the only message since', [made('SM2'), made('SM1', { date_created: earlier })], 'SM2'],
    ['the only one of the sender', [made('SM2', { from: 'whatsapp:+1' }), made('SM1')], 'SM1'],
    ['the only one to the recipient', [made('SM1'), made('SM2', { to: '+12025550143' })], 'SM1'],
    ['the only one that was sent', [made('SM2', { direction: 'inbound' }), made('SM1')], 'SM1'],
    ['no message without a date', [made('SM1', { date_created: null })], none],
    ['no message', [], none],
  ];

  test.each(logs)('is confirmed by %s', async (_, messages, found) => {
    const result = await confirm(messages);
    if (found instanceof RegExp) expect(result).toMatch(found);
    else expect(result).toBe(found);
  });

  test('through a messaging service is confirmed by the message of that service', async () => {
    const of = (sid: string, service: string | null) =>
      made(sid, { messaging_service_sid: service, from: '+14155550100' });
    const given = { from: undefined, messagingServiceSid: 'MG1' };
    expect(await confirm([of('SM2', null), of('SM1', 'MG1')], given)).toBe('SM1');
    expect(await confirm([of('SM2', 'MG1'), of('SM1', 'MG1')], given)).toMatch(several);
  });

  test.each([
    ['is not confirmed by an SMS', 'send-sms', { body: 'Any text' }, undefined],
    ['is not confirmed by another template', 'send-a-template', { contentSid: 'HX2' }, undefined],
    ['is confirmed by the same template', 'send-a-template', { contentSid: 'HX1' }, 'SM1'],
  ] as const)('%s that this process sent since', async (_, id, more, found) => {
    accounts += 1;
    const telephony = connect({ ...account, username: `AC9${accounts}` });
    const date = { date: new Date().toUTCString() };
    const message = made('SM1', { date_created: new Date().toISOString() });
    const log = { status: 200, body: { messages: [message] }, headers: date };
    answerWith([{ status: 201, body: message, headers: date }, log, log, log, log, log]);
    const before = new Date(Date.now() - 60_000);
    await telephony.run(id, { ...sender, ...more } as never);
    const { record } = await telephony.confirm('send-a-template', input, { since: before });
    expect(record?.sid).toBe(found);
  });
});
