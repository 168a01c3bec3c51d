import { takeRequests } from '../take-requests.ts';
import { accountNode, type Host, startNodeRed } from './host.ts';

const user = { username: 'someone', permissions: '*' };
const reader = { username: 'reader', permissions: 'read' };
const users = [user, reader];

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
});
afterAll(async () => {
  delete process.env.TELEPHONY_TEST_PASSWORD;
  await host.close();
});
beforeEach(() => takeRequests(host.sandbox));

async function ask(values: object, headers: Record<string, string>, id = 'account') {
  const { username, url: baseUrl } = host.sandbox;
  const response = await fetch(`${host.url}/telephony/test-connection/${id}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ username, baseUrl, accountSid: '', ...values }),
  });
  return { status: response.status, text: await response.text() };
}

const variable = (name: string) => `\${${name}}`;

const cases: [what: string, values: object, id: string, outcome: string, requests: number][] = [
  ['the stored password', { password: '__PWRD__' }, 'account', 'works', 1],
  ['a typed password', { password: 'wrong' }, 'account', 'wrong-credentials', 1],
  ['the name of a variable', { password: variable('TELEPHONY_TEST_PASSWORD') }, 'new', 'works', 1],
  [
    'the name of no variable',
    { password: variable('TELEPHONY_NONE') },
    'account',
    'wrong-settings',
    0,
  ],
  ['no password', { password: '' }, 'account', 'wrong-settings', 0],
  ['an account that was not deployed', { password: '__PWRD__' }, 'new', 'wrong-settings', 0],
  ['a wrong base URL', { password: 'x', baseUrl: 'ftp://x' }, 'account', 'wrong-settings', 0],
];

test.each(cases)('the button tries %s', async (_, values, id, outcome, requests) => {
  const { status, text } = await ask(values, { Authorization: 'Bearer someone' }, id);
  expect([status, JSON.parse(text)]).toEqual([200, { outcome, message: expect.any(String) }]);
  expect(text).not.toContain(host.sandbox.password);
  expect(takeRequests(host.sandbox)).toHaveLength(requests);
});

const strangers: [who: string, headers: Record<string, string>][] = [
  ['someone without a login', {}],
  ['someone who may not change flows', { Authorization: 'Bearer reader' }],
];

test.each(strangers)('%s cannot use the stored password', async (_, headers) => {
  const { status } = await ask({ password: '__PWRD__' }, headers);
  expect(status).toBe(401);
  expect(takeRequests(host.sandbox)).toEqual([]);
});
