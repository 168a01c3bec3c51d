import { connect, sentence, setSettingsLocation, testSettings } from '../../src/builder.ts';
import { errorOf } from './errors.ts';
import { account, answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();
beforeAll(() => setSettingsLocation(sentence('the account node')));

const answers: [answer: ServiceAnswer, rest: string][] = [
  [{ status: 200, body: {} }, 'no list of calls. Check the base URL in the account node.'],
  [{ status: 200, body: '' }, 'could not be read. Check the base URL in the account node.'],
  [{ status: 302, body: '' }, 'a redirect. Check the base URL in the account node.'],
  [{ status: 401, body: '' }, 'and the password (the Auth Token) in the account node.'],
  [{ status: 403, body: '' }, "in the account node and the account's permissions."],
  [{ status: 404, body: '' }, '(the Account SID) and the base URL in the account node.'],
];

test.each(answers)(
  'the error for %j names where the settings are in the builder',
  async (answer, rest) => {
    answerWith([answer]);
    expect((await errorOf(telephony().run('account-calls', {}))).message).toContain(rest);
  },
);

test('the connection test, an unreachable service and a wrong setting name the same location', async () => {
  answerWith([404, 404].map((status) => ({ status, body: { message: 'No such path' } })));
  const { message } = await telephony().test();
  expect(message).toMatch(/the base URL in the account node\.$/);
  const nowhere = connect({
    ...account,
    baseUrl: 'http://127.0.0.1:1',
    limits: { maxAttempts: 1 },
  });
  expect((await errorOf(nowhere.run('account-calls', {}))).message).toContain(
    'Check the base URL in the account node and this server',
  );
  expect((await testSettings({ ...account, password: '' })).message).toBe(
    '"password" in the account node is empty. Enter it first.',
  );
});
