import { SANDBOX_USERNAME } from '../../demo/sandbox/index.ts';
import { ask, basic, errorPayload, request, sandboxFor } from './client.ts';

const KEY = { sid: `SK${'1'.repeat(32)}`, secret: 'secret:with:colons' };
const OTHER = `AC${'0'.repeat(32)}`;

test.each([
  ['no credentials', '', 'No credentials provided'],
  ['another scheme', 'Bearer abc', 'No credentials provided'],
  [
    'a wrong password',
    basic({ username: 'AC', password: 'wrong' }).authorization,
    'invalid username',
  ],
])('the sandbox answers %s with status 401', async (_, authorization, reason) => {
  const sandbox = await sandboxFor();
  for (const path of ['/Calls.json', '/Recordings/RE0.wav', '/Nothing.json']) {
    const answer = await request(sandbox, 'GET', path, { headers: { authorization } });
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Sandbox API"');
    expect([answer.status, await answer.json()]).toEqual([
      401,
      {
        code: 20003,
        message: `Authentication Error - ${reason}`,
        more_info: 'https://www.twilio.com/docs/errors/20003',
        status: 401,
        detail: 'Your AccountSid or AuthToken was incorrect.',
      },
    ]);
  }
});

test('an API key opens its account, but is not an account itself', async () => {
  const sandbox = await sandboxFor({ apiKey: KEY });
  const headers = basic({ username: KEY.sid, password: KEY.secret });
  expect((await ask(sandbox, 'GET', '/Calls.json', { headers })).status).toBe(200);
  const path = `/2010-04-01/Accounts/${KEY.sid}/Calls.json`;
  const refused = errorPayload(21470, 400, `AccountSid ${KEY.sid} is not an Account SID`);
  expect(await ask(sandbox, 'GET', path, { headers })).toEqual(refused);
});

test.each([
  ['GET', `/2010-04-01/Accounts/${OTHER}/Calls.json`],
  ['GET', '/2010-04-01/Accounts/%zz/Calls.json'],
  ['GET', `/2010-04-01/Accounts/${SANDBOX_USERNAME}/Calls/CA${'0'.repeat(200)}.json`],
  ['GET', `/2010-04-01/Accounts/${SANDBOX_USERNAME}/Calls/..%2FCA0.json`],
  ['POST', '/2011-01-01/Accounts/x/Calls.json'],
])('%s %s gets status 404', async (method, path) => {
  const sandbox = await sandboxFor();
  expect(await ask(sandbox, method, path)).toEqual(
    errorPayload(20404, 404, `The requested resource ${path} was not found`),
  );
});

test.each(['PUT', 'DELETE', 'PATCH'])('%s /Calls.json gets status 404', async (method) => {
  const sandbox = await sandboxFor();
  const { status, body } = await ask(sandbox, method, '/Calls.json');
  expect([status, body.code]).toEqual([404, 20404]);
});

test('the sandbox accepts any account, password and base path as options', async () => {
  const username = '446e9986-0848-4d46-a617-48793c5f5e07';
  const sandbox = await sandboxFor({ username, password: 'pässword', basePath: '/api/laml' });
  const answer = await request(sandbox, 'GET', '/Calls.json');
  const { uri } = (await answer.json()) as { uri: string };
  expect(sandbox.url).toBe(`${sandbox.origin}/api/laml`);
  expect(uri).toBe(`/api/laml/2010-04-01/Accounts/${username}/Calls.json?PageSize=50&Page=0`);
  expect(answer.headers.get('twilio-request-id')).toMatch(/^RQ[0-9a-f]{32}$/);
});
