import { settingsWithStoredSecrets } from '../../src/index.ts';
import { errorOf, parts } from './errors.ts';

const home = 'https://service.test';
const typed = { username: 'AC1', password: '', accountSid: '', baseUrl: home };
const stored = { username: 'AC0', password: 'stored', accountSid: 'AC0', baseUrl: home };

const used: [what: string, typed: object, stored: object, password: string][] = [
  ['a stored password where none is typed', {}, {}, 'stored'],
  ['a stored password where the field is missing', { password: undefined }, {}, 'stored'],
  ['a stored password for another path of its host', { baseUrl: `${home}/laml` }, {}, 'stored'],
  [
    'a stored password for its host, written otherwise',
    { baseUrl: ' https://SERVICE.test:443/ ' },
    {},
    'stored',
  ],
  [
    'a stored password for the usual host, written or not',
    { baseUrl: '' },
    { baseUrl: 'https://api.twilio.com' },
    'stored',
  ],
  [
    'a stored password for the usual host, where nothing but a space is written',
    { baseUrl: ' ' },
    { baseUrl: 'https://api.twilio.com' },
    'stored',
  ],
  [
    'a stored password for the usual host, which was not stored',
    { baseUrl: null },
    { baseUrl: undefined },
    'stored',
  ],
  [
    'a typed password, for any host',
    { password: 'typed', baseUrl: 'https://other.test' },
    {},
    'typed',
  ],
  ['no password without a username', { username: '', baseUrl: 'https://other.test' }, {}, ''],
  ['no password where none is stored', { baseUrl: 'https://other.test' }, { password: '' }, ''],
];

test.each(used)('uses %s', (_, change, known, password) => {
  const settings = { ...typed, ...change };
  expect(settingsWithStoredSecrets(settings, { ...stored, ...known })).toEqual({
    ...settings,
    baseUrl: settings.baseUrl ?? '',
    password,
  });
});

const elsewhere: [what: string, typed: object, stored: object, given: string, wanted: string][] = [
  ['another host', { baseUrl: 'https://other.test' }, {}, home, 'https://other.test'],
  ['another port', { baseUrl: `${home}:8443` }, {}, home, `${home}:8443`],
  [
    'another scheme',
    { baseUrl: 'http://127.0.0.1' },
    { baseUrl: 'https://127.0.0.1' },
    'https://127.0.0.1',
    'http://127.0.0.1',
  ],
  ['a host that begins alike', { baseUrl: `${home}.evil.test` }, {}, home, `${home}.evil.test`],
  ['the usual host again', { baseUrl: '' }, {}, home, 'https://api.twilio.com'],
  [
    'a host, when the one before is unknown',
    {},
    { baseUrl: undefined },
    'https://api.twilio.com',
    home,
  ],
  ['a host, when the one before was none', {}, { baseUrl: 'soon' }, 'soon', home],
];

test.each(elsewhere)(
  'asks for the password again for %s',
  async (_, change, known, given, wanted) => {
    const error = await errorOf(
      (async () => settingsWithStoredSecrets({ ...typed, ...change }, { ...stored, ...known }))(),
    );
    expect(parts(error)).toEqual({
      code: 'settings',
      field: 'password',
      message: `"password" in the plugin's settings was given for ${given} and is sent nowhere else. Give it again, together with the Base URL ${wanted}.`,
    });
  },
);

const wrong: [baseUrl: unknown, sentence: string][] = [
  ['soon', 'must be an address such as https://api.example.com.'],
  [{ toString: 1 }, 'must be an address such as https://api.example.com.'],
  ['http://other.test', 'must start with https://.'],
  [`${home}@other.test`, 'must be an address only, without credentials, "?" or "#".'],
];

test.each(wrong)('says first what is wrong with the base URL %j', async (baseUrl, sentence) => {
  const error = await errorOf(
    (async () => settingsWithStoredSecrets({ ...typed, baseUrl }, stored))(),
  );
  expect(parts(error)).toEqual({
    code: 'settings',
    field: 'baseUrl',
    message: `"Base URL" in the plugin's settings ${sentence}`,
  });
});
