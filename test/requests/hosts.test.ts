import nock from 'nock';
import { connect, settingsWithStoredSecrets } from '../../src/builder.ts';
import { errorOf, parts } from './errors.ts';
import { account, answerWith, basic, isolate } from './service.ts';

isolate();

const { username, password } = account;
const number = { status: 200, body: { phone_number: '+12025550143', valid: true } };
const input = { phoneNumber: '+12025550143' };
const path = '/v2/PhoneNumbers/%2B12025550143?Fields=line_type_intelligence';

/** Looks up a number with these addresses. */
const lookUp = (addresses: object) =>
  connect({ username, password, ...addresses }).run('look-up-a-number', input);

const known: [addresses: object, origin: string, path: string][] = [
  [{}, 'https://lookups.twilio.com', path],
  [{ baseUrl: 'https://api.twilio.com/' }, 'https://lookups.twilio.com', path],
  [{ baseUrl: 'https://API.twilio.com:443' }, 'https://lookups.twilio.com', path],
  [{ baseUrl: 'https://api.twilio.com/2010-04-01' }, 'https://lookups.twilio.com', path],
  [{ baseUrl: 'https://api.dublin.ie1.twilio.com' }, 'https://lookups.dublin.ie1.twilio.com', path],
  [{ lookupsUrl: 'https://other.test' }, 'https://other.test', path],
  [
    { baseUrl: 'https://service.test/api/laml', lookupsUrl: ' https://other.test/look//\n' },
    'https://other.test',
    `/look${path}`,
  ],
  [
    { baseUrl: 'https://service.test', lookupsUrl: 'http://127.0.0.1:9' },
    'http://127.0.0.1:9',
    path,
  ],
];

test.each(known)(
  'with %j, a look-up and its credentials go to %s%s',
  async (addresses, origin, to) => {
    const sent = answerWith([number], origin);
    expect(await lookUp(addresses)).toMatchObject({ phoneNumber: '+12025550143', valid: 'yes' });
    expect(sent).toMatchObject([{ path: to, headers: { authorization: basic } }]);
  },
);

const unknown = [
  'https://service.test',
  'https://twilio.com',
  'https://api.twilio.com.evil.test',
  'https://apitwilio.com',
  'https://evil.test/api.twilio.com',
  'https://xapi.twilio.com',
  'https://api.eviltwilio.com',
  'https://api.twilio.com:8443',
  'https://api.twilio.com/gateway',
  'http://localhost/api.twilio.com',
];

test.each(unknown)('with the base URL %s, a look-up asks for its address', async (baseUrl) => {
  const error = await errorOf(lookUp({ baseUrl }));
  expect(parts(error)).toEqual({
    code: 'settings',
    message:
      '"Lookup URL" in the settings is empty. Enter it to use "Look up a Number" with a compatible service.',
    field: 'lookupsUrl',
  });
});

test.each([
  ['http://other.test', 'must start with https://.'],
  ['https://me:secret@other.test', 'must not contain credentials, "?" or "#".'],
  ['soon', 'must be a URL such as https://api.example.com.'],
])('connect refuses the address %s', async (verifyUrl, problem) => {
  const error = await errorOf((async () => connect({ ...account, verifyUrl }))());
  expect(parts(error)).toEqual({
    code: 'settings',
    message: `"Verify URL" in the settings ${problem}`,
    field: 'verifyUrl',
  });
});

test('operations of the account still go to the base URL', async () => {
  const sent = answerWith([{ status: 200, body: { calls: [] } }]);
  await connect({ ...account, lookupsUrl: 'https://other.test' }).run('account-calls');
  expect(sent).toHaveLength(1);
});

test('a host that refuses requests for a while delays no request to another', async () => {
  nock('https://other.test').get(path).reply(429, { code: 20429 }, { 'retry-after': '3600' });
  const sent = answerWith([{ status: 200, body: { calls: [] } }]);
  const telephony = connect({ ...account, lookupsUrl: 'https://other.test' });
  expect(await errorOf(telephony.run('look-up-a-number', input))).toMatchObject({
    code: 'rate-limited',
  });
  await telephony.run('account-calls');
  expect(sent).toHaveLength(1);
});

const failures: [what: string, reply: (host: nock.Interceptor) => nock.Scope, message: RegExp][] = [
  [
    'no connection',
    (host) => host.replyWithError(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })),
    /at other\.test \(ECONNREFUSED\)\. Check "Lookup URL" in the settings and this server's network\.$/,
  ],
  [
    'a redirect',
    (host) => host.reply(302, '', { location: 'https://evil.test/' }),
    /redirect\. Check "Lookup URL" in the settings\.$/,
  ],
  [
    'another page',
    (host) => host.reply(200, '<html>'),
    /could not be read\. Check "Lookup URL" in the settings\.$/,
  ],
];

test.each(failures)(
  'after %s, the error names the setting of the host',
  async (_, reply, message) => {
    reply(nock('https://other.test').get(path));
    const telephony = connect({
      ...{ ...account, lookupsUrl: 'https://other.test' },
      limits: { maxAttempts: 1 },
    });
    expect((await errorOf(telephony.run('look-up-a-number', input))).message).toMatch(message);
  },
);

const hostile = [
  ...[
    '..',
    '.',
    '../../2010-04-01/Accounts/AC1',
    '%2e%2e',
    '+1202555014/../..',
    '+1202555\u00000143',
  ],
  ...[
    'ACME',
    'whatsapp:+12025550143',
    'sip:ada@example.com',
    '54321',
    '(202) 555-0143',
    '?Fields=',
  ],
  ...[['+12025550143'], { toString: () => '+12025550143' }, true, Number.NaN],
];

test.each(hostile)('looks up nothing for %j', async (phoneNumber) => {
  const error = await errorOf(connect(account).run('look-up-a-number', { phoneNumber } as never));
  expect(parts(error)).toMatchObject({ code: 'input', field: 'phoneNumber' });
});

test.each([
  ['+1 (202) 555-0143', '%2B12025550143'],
  ['+1202555', '%2B1202555'],
  ['+999123456789', '%2B999123456789'],
])('looks up %s, which may not be valid', async (phoneNumber, segment) => {
  const body = { phone_number: phoneNumber, valid: false, validation_errors: ['TOO_SHORT'] };
  const sent = answerWith([{ status: 200, body }]);
  const found = await connect(account).run('look-up-a-number', { phoneNumber });
  expect(found).toMatchObject({ valid: null, type: null });
  expect(sent.map((one) => one.path.split('?')[0])).toEqual([`/v2/PhoneNumbers/${segment}`]);
});

test('completes a national number by the default country', async () => {
  const sent = answerWith([number]);
  await connect({ ...account, defaultCountry: 'US' }).run('look-up-a-number', {
    phoneNumber: '(202) 555-0143',
  });
  expect(sent.map((one) => one.path)).toEqual([path]);
});

const answers: [body: object, record: object][] = [
  [{ line_type_intelligence: null }, { type: null, valid: null }],
  [
    { line_type_intelligence: 'mobile', valid: 'no' },
    { type: null, valid: 'yes' },
  ],
  [{ line_type_intelligence: { type: 7, error_code: 60601 } }, { type: '7', errorCode: '60601' }],
  [
    { line_type_intelligence: [], valid: {}, country_code: {} },
    { type: null, countryCode: null },
  ],
];

test.each(answers)('reads the answer %j', async (body, record) => {
  answerWith([{ status: 200, body: { phone_number: '+12025550143', ...body } }]);
  expect(await lookUp({ ...account })).toMatchObject(record);
});

describe('a stored password', () => {
  const typed = { username: 'AC1', password: '' };
  const home = { baseUrl: 'https://service.test' };
  const stored = { password: 'stored', ...home };
  const used = (change: object, known: object) =>
    settingsWithStoredSecrets({ ...typed, ...change }, { password: 'stored', ...known }).password;

  test.each([
    ['the hosts of the service', {}, {}],
    ['a host of the service that is entered', { lookupsUrl: 'https://lookups.twilio.com' }, {}],
    [
      'an address that it was entered with',
      { ...home, lookupsUrl: 'https://other.test/x' },
      { ...home, lookupsUrl: 'https://other.test' },
    ],
    ['the host of the base URL', { ...home, verifyUrl: 'https://service.test/verify' }, home],
    ['no more addresses than before', home, { ...home, lookupsUrl: 'https://other.test' }],
  ])('is used for %s', (_, change, known) => {
    expect(used(change, known)).toBe('stored');
  });

  test.each([
    ['https://evil.test', home],
    ['https://evil.test', {}],
    ['https://service.test:8443', home],
    ['https://lookups.twilio.com', home],
  ])('is not used for the address %s', async (lookupsUrl, change) => {
    const error = await errorOf((async () => used({ ...change, lookupsUrl }, change))());
    const given = Object.hasOwn(change, 'baseUrl') ? stored.baseUrl : 'https://api.twilio.com';
    expect(parts(error)).toEqual({
      code: 'settings',
      field: 'password',
      message: `"password" in the settings was entered for ${given} and is sent nowhere else. Enter it again to use the Lookup URL ${lookupsUrl}.`,
    });
  });

  test.each([{ toString: 1 }, 7, ['https://evil.test']])(
    'goes nowhere with the address %j, which connect refuses',
    async (lookupsUrl) => {
      const settings = settingsWithStoredSecrets({ ...typed, ...home, lookupsUrl }, stored);
      expect(parts(await errorOf((async () => connect(settings))()))).toMatchObject({
        code: 'settings',
        field: 'lookupsUrl',
      });
    },
  );
});
