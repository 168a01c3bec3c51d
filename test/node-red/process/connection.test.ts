import { inEnglish } from '../../../src/builder.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { accountNode, type Host, startNodeRed } from '../host.ts';

const user = { username: 'someone', permissions: '*' };
const reader = { username: 'reader', permissions: 'read' };
const users = [user, reader];
const otherSender = '+14155550199';

let host: Host;
beforeAll(async () => {
  host = await startNodeRed(undefined, {
    adminAuth: {
      type: 'credentials',
      users: async (name: string) => users.find(({ username }) => username === name) ?? null,
      authenticate: async () => null,
      tokens: async (token: string) => users.find(({ username }) => username === token) ?? null,
    },
  });
  await host.deploy([accountNode(host.sandbox)]);
  process.env.TELEPHONY_TEST_PASSWORD = host.sandbox.password;
  process.env.TELEPHONY_EMPTY = '';
  process.env.TELEPHONY_TEST_SENDER = otherSender;
});
afterAll(() => {
  delete process.env.TELEPHONY_TEST_SENDER;
  delete process.env.TELEPHONY_EMPTY;
  delete process.env.TELEPHONY_TEST_PASSWORD;
});
beforeEach(() => takeRequests(host.sandbox));

const post = async (id: string, headers: Record<string, string>, body: string) => {
  const url = `${host.url}/telephony/test-connection/${id}`;
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
};

async function testSettings(values: object, headers: Record<string, string>, id = 'account') {
  const { username, url: baseUrl } = host.sandbox;
  const body = JSON.stringify({ username, baseUrl, accountSid: '', ...values });
  return post(id, { 'Content-Type': 'application/json', ...headers }, body);
}

/** Returns a response with its sentence in English, as the editor writes it. */
function inWords(text: string) {
  const { said, ...report } = JSON.parse(text);
  return { ...report, message: inEnglish(said) };
}

const variable = (name: string) => `\${${name}}`;

const cases: [what: string, values: object, id: string, outcome: string, requests: number][] = [
  ['the stored password', { password: '__PWRD__' }, 'account', 'works', 1],
  ['a typed password', { password: 'wrong' }, 'account', 'wrong-credentials', 1],
  [
    'a variable as the password',
    { password: variable('TELEPHONY_TEST_PASSWORD') },
    'new',
    'works',
    1,
  ],
  [
    'an unset variable as the password',
    { password: variable('TELEPHONY_NONE') },
    'account',
    'wrong-settings',
    0,
  ],
  [
    'an empty variable in an optional setting',
    { password: '__PWRD__', accountSid: variable('TELEPHONY_EMPTY') },
    'account',
    'works',
    1,
  ],
  [
    'an unset variable in an optional setting',
    { password: 'x', baseUrl: variable('TELEPHONY_NONE') },
    'account',
    'wrong-settings',
    0,
  ],
  [
    "a variable as a sender that isn't the account's",
    { password: '__PWRD__', defaultSender: variable('TELEPHONY_TEST_SENDER') },
    'account',
    'other-sender',
    2,
  ],
  [
    'an unset variable as the sender',
    { password: '__PWRD__', defaultSender: variable('TELEPHONY_NONE') },
    'account',
    'wrong-settings',
    0,
  ],
  ['no password', { password: '' }, 'account', 'wrong-settings', 0],
  ['an account that is not deployed', { password: '__PWRD__' }, 'new', 'wrong-settings', 0],
  ['an invalid base URL', { password: 'x', baseUrl: 'ftp://x' }, 'account', 'wrong-settings', 0],
];

test.each(cases)('the connection test checks %s', async (_, values, id, outcome, requests) => {
  const { status, text } = await testSettings(values, { Authorization: 'Bearer someone' }, id);
  const { username: account, url } = host.sandbox;
  const reached = {
    ...{ account, host: new URL(url).host },
    ...(outcome === 'other-sender' && { sender: otherSender }),
  };
  const isReached = ['works', 'other-sender'].includes(outcome);
  expect([status, inWords(text)]).toEqual([
    200,
    { outcome, message: expect.any(String), ...(isReached && { reached }) },
  ]);
  expect(text).not.toContain(host.sandbox.password);
  expect(takeRequests(host.sandbox)).toHaveLength(requests);
});

describe('in a subflow', () => {
  const subflow = (env: object[]) => [
    { id: 'sub', type: 'subflow', name: 'Sub', z: '', in: [], out: [], env: [] },
    { id: 'use', type: 'subflow:sub', env },
    accountNode(host.sandbox, {
      ...{ id: 'inner', z: 'sub', username: variable('SUB_USER') },
      credentials: { password: variable('SUB_PASSWORD') },
    }),
  ];
  const values = {
    username: variable('SUB_USER'),
    password: variable('SUB_PASSWORD'),
  };
  const authorised = { Authorization: 'Bearer someone' };
  const given = (name: string, value: string) => ({ name, value, type: 'str' });

  afterAll(() => host.deploy([accountNode(host.sandbox)]));

  test('a variable has the value that the instance sets', async () => {
    const { username, password } = host.sandbox;
    await host.deploy(subflow([given('SUB_USER', username), given('SUB_PASSWORD', password)]));
    for (const typed of [values, { ...values, password: '__PWRD__' }]) {
      const { text } = await testSettings(typed, authorised, 'inner');
      expect(inWords(text).outcome).toBe('works');
    }
  });

  test('the error names a variable that the instance does not set', async () => {
    await host.deploy(subflow([given('SUB_USER', host.sandbox.username)]));
    const { text } = await testSettings(values, authorised, 'inner');
    expect(inWords(text)).toEqual({
      outcome: 'wrong-settings',
      message: `"password" is the variable SUB_PASSWORD, which has no value. Set it in the flow or in Node-RED's environment.`,
    });
  });

  test('the error says to deploy first if the account is not deployed', async () => {
    const { text } = await testSettings(values, authorised, 'new');
    expect(inWords(text)).toEqual({
      outcome: 'wrong-settings',
      message:
        '"username" is the variable SUB_USER, which has no value. If a flow sets it, deploy that flow first.',
    });
    expect(takeRequests(host.sandbox)).toEqual([]);
  });
});

describe('the stored password', () => {
  let other: Sandbox;
  beforeAll(async () => {
    other = await openSandbox({
      username: host.sandbox.username,
      password: host.sandbox.password,
    });
  });

  test('is sent only to the host it was entered for', async () => {
    const values = { password: '__PWRD__', baseUrl: other.url };
    const { text } = await testSettings(values, { Authorization: 'Bearer someone' });
    expect(inWords(text)).toEqual({
      outcome: 'wrong-settings',
      message: expect.stringContaining(
        `was entered for ${host.sandbox.url} and is sent nowhere else`,
      ),
    });
    expect(other.requests).toEqual([]);
  });

  const forms: [type: string, encode: (values: object) => string][] = [
    ['application/x-www-form-urlencoded', (values) => String(new URLSearchParams({ ...values }))],
    ['text/plain', JSON.stringify],
    ['multipart/form-data; boundary=x', JSON.stringify],
  ];
  test.each(forms)('cannot be used by a form on another site: %s', async (type, encode) => {
    const { username, url: baseUrl } = host.sandbox;
    const body = encode({ username, password: '__PWRD__', baseUrl, accountSid: '' });
    const headers = { 'Content-Type': type, Authorization: 'Bearer someone' };
    const { status } = await post('account', headers, body);
    expect(status).toBe(415);
    expect(takeRequests(host.sandbox)).toEqual([]);
  });
});

const strangers: [who: string, headers: Record<string, string>][] = [
  ['a visitor who is not logged in', {}],
  ['a user with read permission only', { Authorization: 'Bearer reader' }],
];

test.each(strangers)('%s cannot use the stored password', async (_, headers) => {
  const { status } = await testSettings({ password: '__PWRD__' }, headers);
  expect(status).toBe(401);
  expect(takeRequests(host.sandbox)).toEqual([]);
});
