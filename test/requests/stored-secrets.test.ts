import { settingsWithStoredSecrets } from '../../src/builder.ts';
import { errorOf, parts } from './errors.ts';

const home = 'https://service.test';
const typed = {
  ...{ username: 'AC1', password: '', accountSid: '', baseUrl: home, defaultCountry: '' },
  ...{ contentUrl: '', lookupsUrl: '', verifyUrl: '' },
};
const stored = { username: 'AC0', password: 'stored', accountSid: 'AC0', baseUrl: home };

const used: [what: string, typed: object, stored: object, password: string][] = [
  ['the stored password if none is typed', {}, {}, 'stored'],
  ['the stored password if the field is missing', { password: undefined }, {}, 'stored'],
  ['the stored password for another path of its host', { baseUrl: `${home}/laml` }, {}, 'stored'],
  [
    'the stored password for another spelling of its host',
    { baseUrl: ' https://SERVICE.test:443/ ' },
    {},
    'stored',
  ],
  [
    'the stored password for the default host, typed or not',
    { baseUrl: '' },
    { baseUrl: 'https://api.twilio.com' },
    'stored',
  ],
  [
    'the stored password for the default host if only a space is typed',
    { baseUrl: ' ' },
    { baseUrl: 'https://api.twilio.com' },
    'stored',
  ],
  [
    'the stored password for the default host if no host was stored',
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
  [
    'the stored password without a username, so that only the username is missing',
    { username: '' },
    {},
    'stored',
  ],
  [
    'no password for another host without a username',
    { username: '', baseUrl: 'https://other.test' },
    {},
    '',
  ],
  ['no password if none is stored', { baseUrl: 'https://other.test' }, { password: '' }, ''],
];

test.each(used)('uses %s', (_, change, known, password) => {
  const settings = { ...typed, ...change };
  expect(settingsWithStoredSecrets(settings, { ...stored, ...known })).toEqual({
    ...settings,
    baseUrl: settings.baseUrl ?? '',
    password,
  });
});

const otherHosts: [what: string, typed: object, stored: object, given: string, wanted: string][] = [
  ['another host', { baseUrl: 'https://other.test' }, {}, home, 'https://other.test'],
  ['another port', { baseUrl: `${home}:8443` }, {}, home, `${home}:8443`],
  [
    'another scheme',
    { baseUrl: 'http://127.0.0.1' },
    { baseUrl: 'https://127.0.0.1' },
    'https://127.0.0.1',
    'http://127.0.0.1',
  ],
  ['a host with the same prefix', { baseUrl: `${home}.evil.test` }, {}, home, `${home}.evil.test`],
  ['the default host after another one', { baseUrl: '' }, {}, home, 'https://api.twilio.com'],
  ['a host, if none was stored', {}, { baseUrl: undefined }, 'https://api.twilio.com', home],
  ['a host, if the stored one is invalid', {}, { baseUrl: 'soon' }, 'soon', home],
];

test.each(otherHosts)(
  'asks for the password again for %s',
  async (_, change, known, given, wanted) => {
    const error = await errorOf(
      (async () => settingsWithStoredSecrets({ ...typed, ...change }, { ...stored, ...known }))(),
    );
    expect(parts(error)).toEqual({
      code: 'settings',
      field: 'password',
      message: `"password" in the settings was entered for ${given} and is sent nowhere else. Enter it again to use the Base URL ${wanted}.`,
    });
  },
);

const wrong: [baseUrl: unknown, sentence: string][] = [
  ['soon', 'must be a URL such as https://api.example.com.'],
  [{ toString: 1 }, 'must be a URL such as https://api.example.com.'],
  ['http://other.test', 'must start with https://.'],
  [`${home}@other.test`, 'must not contain credentials, "?" or "#".'],
];

test.each(wrong)('reports the wrong base URL %j first', async (baseUrl, sentence) => {
  const error = await errorOf(
    (async () => settingsWithStoredSecrets({ ...typed, baseUrl }, stored))(),
  );
  expect(parts(error)).toEqual({
    code: 'settings',
    field: 'baseUrl',
    message: `"Base URL" in the settings ${sentence}`,
  });
});
