import { inEnglish } from '../../../src/builder.ts';
import { parametersOf } from '../../events/fixtures.ts';
import { postEvent } from '../../events/post.ts';
import { account, signedForm } from '../../events/signed.ts';
import { accountNode, type Host, type Loose, startNodeRed } from '../host.ts';

const publicAddress = 'https://node-red.example.com';
const address = `${publicAddress}/telephony/events/account`;
const variable = (name: string) => `\${${name}}`;

let host: Host;
beforeAll(async () => {
  host = await startNodeRed();
});
beforeEach(() => {
  delete process.env.TEST_UNSET;
  host.takeWarnings();
});

/** Deploys an account with a node for incoming SMS. Returns the messages that the node sends. */
async function deploy(overrides: object): Promise<Loose[]> {
  const got: Loose[] = [];
  await host.deploy([
    accountNode(host.sandbox, { username: account.username, publicAddress, ...overrides }),
    { id: 'sms', type: 'telephony-sms-received', account: 'account', wires: [['got']] },
    { id: 'got', type: 'debug', active: false },
  ]);
  host.node('got').on('input', (message: Loose) => got.push(message));
  return got;
}

/** An SMS signed with a token. */
const post = (token: string) =>
  postEvent(
    `${host.url}/telephony/events/account`,
    signedForm(parametersOf('sms-received'), { token, url: address }),
  );

const whatIsUnset = (label: string) =>
  `"${label}" is the variable TEST_UNSET, which has no value. Set it in the flow or in Node-RED's environment.`;

test.each([
  ['Auth Token', variable('TEST_UNSET')],
  ['Auth Token', '$(TEST_UNSET)'],
  ['Auth Token', ` ${variable('TEST_UNSET')} `],
  ['password', variable('TEST_UNSET')],
  ['password', ` ${variable('TEST_UNSET')}`],
  ['password', `${variable('TEST_UNSET')}\n`],
])('refuses events signed by the name of an unset variable: %s %s', async (label, name) => {
  const { password } = account;
  const credentials =
    label === 'password' ? { password: name, authToken: '' } : { password, authToken: name };
  const got = await deploy({ credentials });
  expect(await post(name.trim())).toEqual({ status: 503, body: 'Not received yet' });
  expect(await post(name)).toMatchObject({ status: 503 });
  expect(got).toEqual([]);
  expect(host.takeWarnings()).toContain(whatIsUnset(label));
  const report = await fetch(`${host.url}/telephony/event-report/account`);
  const { problem } = (await report.json()) as Loose;
  expect(inEnglish(problem)).toBe(whatIsUnset(label));
});

test('receives events signed by the value of a variable', async () => {
  process.env.TEST_UNSET = '5a5a11111111111111111111111111a5';
  const authToken = variable('TEST_UNSET');
  const got = await deploy({ credentials: { password: account.password, authToken } });
  expect(await post(authToken)).toMatchObject({ status: 403 });
  expect(await post(process.env.TEST_UNSET)).toMatchObject({ status: 200 });
  expect(got).toHaveLength(1);
});

test('names the unset variable of the public URL', async () => {
  const got = await deploy({
    publicAddress: variable('TEST_UNSET'),
    credentials: { password: account.password, authToken: '' },
  });
  expect(await post(account.password)).toMatchObject({ status: 503 });
  expect(got).toEqual([]);
  expect(host.takeWarnings()).toContain(whatIsUnset('Public URL'));
});

test('sends an action without a status callback if a variable of the events is unset', async () => {
  await host.deploy([
    accountNode(host.sandbox, {
      publicAddress,
      reported: true,
      credentials: { password: host.sandbox.password, authToken: variable('TEST_UNSET') },
    }),
  ]);
  const { telephony } = host.node('account');
  const [from, to] = ['+14155550100', '+12025550143'];
  expect(await telephony().run('send-sms', { from, to, body: 'Hi' })).toMatchObject({ to });
  expect(host.takeWarnings()).toEqual([expect.stringContaining(whatIsUnset('Auth Token'))]);
});
