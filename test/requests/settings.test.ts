import { connect, type TelephonySettings } from '../../src/builder.ts';
import { errorOf, parts } from './errors.ts';
import { account, answerWith, isolate } from './service.ts';

isolate();

const refused: [settings: object, field: string, message: string][] = [
  [{ username: '' }, 'username', `"username" in the settings is empty. Enter it first.`],
  [{ password: null }, 'password', `"password" in the settings is empty. Enter it first.`],
  [
    { username: 'a:b' },
    'username',
    '"username" must be an ID from the service: up to 64 letters, digits, "-" or "_".',
  ],
  [
    { username: 'me@example.com' },
    'username',
    '"username" must be an ID from the service: up to 64 letters, digits, "-" or "_".',
  ],
  [
    { username: 'SK00000000000000000000000000000001' },
    'accountSid',
    `"Account SID" in the settings is required, because the username is an API key (SK…).`,
  ],
  [
    { accountSid: '../AC1' },
    'accountSid',
    '"Account SID" must be an ID from the service: up to 64 letters, digits, "-" or "_".',
  ],
  [
    { password: 'two\nlines' },
    'password',
    '"password" must be one line of at most 255 characters.',
  ],
  [
    { baseUrl: 'api.example.com' },
    'baseUrl',
    `"Base URL" in the settings must be a URL such as https://api.example.com.`,
  ],
  [
    { baseUrl: 'http://api.example.com' },
    'baseUrl',
    `"Base URL" in the settings must start with https://.`,
  ],
  [{ baseUrl: 'file:///etc' }, 'baseUrl', `"Base URL" in the settings must start with https://.`],
  [
    { defaultCountry: 'USA' },
    'defaultCountry',
    '"Default country" must be the two-letter code of a country, such as US.',
  ],
  [
    { defaultCountry: 'XX' },
    'defaultCountry',
    `"Default country" in the settings is “XX”, which is not a country with phone numbers. Enter a two-letter code, such as US.`,
  ],
  [
    { baseUrl: 'ftp://localhost' },
    'baseUrl',
    `"Base URL" in the settings must start with https://.`,
  ],
  [
    { baseUrl: 'https://me:secret@api.example.com' },
    'baseUrl',
    `"Base URL" in the settings must not contain credentials, "?" or "#".`,
  ],
  [
    { baseUrl: 'https://api.example.com?x=1' },
    'baseUrl',
    `"Base URL" in the settings must not contain credentials, "?" or "#".`,
  ],
];

test.each(refused)('connect refuses the settings %j', async (settings, field, message) => {
  const error = await errorOf(
    (async () => connect({ ...account, ...settings } as TelephonySettings))(),
  );
  expect(parts(error)).toEqual({ code: 'settings', message, field });
});

test('connect names all invalid settings at once', async () => {
  const settings = { username: '', password: null, baseUrl: 'ftp://me', defaultCountry: 'XX' };
  const error = await errorOf((async () => connect(settings))());
  expect(parts(error)).toEqual({
    code: 'settings',
    message: [
      '"username" in the settings is empty. Enter it first.',
      '"password" in the settings is empty. Enter it first.',
      '"Base URL" in the settings must start with https://.',
      '"Default country" in the settings is “XX”, which is not a country with phone numbers. Enter a two-letter code, such as US.',
    ].join(' '),
    field: 'username',
  });
});

const accepted: [settings: object, origin: string, path: string][] = [
  [
    {},
    'https://service.test',
    '/2010-04-01/Accounts/AC00000000000000000000000000000001/Calls.json',
  ],
  [
    { baseUrl: '' },
    'https://api.twilio.com',
    '/2010-04-01/Accounts/AC00000000000000000000000000000001/Calls.json',
  ],
  [
    { baseUrl: undefined },
    'https://api.twilio.com',
    '/2010-04-01/Accounts/AC00000000000000000000000000000001/Calls.json',
  ],
  [
    { baseUrl: ' https://service.test/api/laml// ' },
    'https://service.test',
    '/api/laml/2010-04-01/Accounts/AC00000000000000000000000000000001/Calls.json',
  ],
  [
    { baseUrl: 'https://service.test/api/laml/2010-04-01/' },
    'https://service.test',
    '/api/laml/2010-04-01/Accounts/AC00000000000000000000000000000001/Calls.json',
  ],
  ...['/Accounts', '/Accounts/', '/Accounts/AC9', '/Accounts/AC9/'].map(
    (pasted): (typeof accepted)[number] => [
      { baseUrl: `https://service.test/api/laml/2010-04-01${pasted}` },
      'https://service.test',
      '/api/laml/2010-04-01/Accounts/AC00000000000000000000000000000001/Calls.json',
    ],
  ),
  [
    { baseUrl: 'http://127.0.0.1:9999' },
    'http://127.0.0.1:9999',
    '/2010-04-01/Accounts/AC00000000000000000000000000000001/Calls.json',
  ],
  [
    { username: 'SK1', accountSid: 'AC2' },
    'https://service.test',
    '/2010-04-01/Accounts/AC2/Calls.json',
  ],
  [{ username: 'ASK1' }, 'https://service.test', '/2010-04-01/Accounts/ASK1/Calls.json'],
  [{ username: ' AC2\n' }, 'https://service.test', '/2010-04-01/Accounts/AC2/Calls.json'],
  [
    { username: 'b08dacad-5d3c-4c6a-9ac4-6a3f6d0b4d0e' },
    'https://service.test',
    '/2010-04-01/Accounts/b08dacad-5d3c-4c6a-9ac4-6a3f6d0b4d0e/Calls.json',
  ],
];

test.each(accepted)('the settings %j send requests to %s%s', async (settings, origin, path) => {
  const sent = answerWith([{ status: 200, body: { calls: [] } }], origin);
  const telephony = connect({ ...account, ...settings });
  expect(await telephony.run('account-calls', {})).toEqual({ records: [], more: false });
  expect(sent.map((request) => request.path)).toEqual([path]);
});

test('sends a password of any characters, without blanks around it', async () => {
  const sent = answerWith([{ status: 200, body: { calls: [] } }]);
  await connect({ ...account, password: ' pä:ss "wörd" \n' }).run('account-calls', {});
  const credentials = String(sent[0]?.headers.authorization).replace('Basic ', '');
  expect(Buffer.from(credentials, 'base64').toString()).toBe(`${account.username}:pä:ss "wörd"`);
});

const wrongLimits: [limits: object, message: string][] = [
  [{ maxAttempts: 0 }, 'The limit "maxAttempts" must be a whole number from 1 to 2147483647.'],
  [
    { idleTimeoutMs: Number.NaN },
    'The limit "idleTimeoutMs" must be a whole number from 1 to 2147483647.',
  ],
  [
    { timeoutMs: Number.POSITIVE_INFINITY },
    'The limit "timeoutMs" must be a whole number from 1 to 2147483647.',
  ],
  [
    { maxResponseBytes: 2_147_483_648 },
    'The limit "maxResponseBytes" must be a whole number from 1 to 2147483647.',
  ],
  [
    { confirmTimeoutMs: -1 },
    'The limit "confirmTimeoutMs" must be a whole number from 0 to 2147483647.',
  ],
  [{ concurrency: '5' }, 'The limit "concurrency" must be a whole number from 1 to 2147483647.'],
  [
    { retries: 3 },
    'Unknown limit "retries". Choose one of: idleTimeoutMs, timeoutMs, maxResponseBytes, maxAttempts, retryBudgetMs, concurrency, batchConcurrency, confirmTimeoutMs.',
  ],
];
test.each(wrongLimits)('connect refuses the limits %j', (limits, message) => {
  expect(() => connect({ ...account, limits })).toThrow(
    expect.objectContaining({ name: 'TelephonyError', code: 'settings', message }),
  );
});

test('limits can be missing, and accept their minimum and their maximum', () => {
  const limits = { maxAttempts: 1, confirmTimeoutMs: 0, retryBudgetMs: 2_147_483_647 };
  const missing = { idleTimeoutMs: undefined } as object;
  expect(() => connect({ ...account, limits: { ...limits, ...missing } })).not.toThrow();
});
