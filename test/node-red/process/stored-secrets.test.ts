import { inEnglish } from '../../../src/builder.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import { accountNode, type Host, type Loose, type Node, startNodeRed } from '../host.ts';
import { nodeOf } from '../node-of.ts';

let host: Host;
let other: Sandbox;
beforeAll(async () => {
  host = await startNodeRed();
  const { username, password } = host.sandbox;
  other = await openSandbox({ username, password });
});
beforeEach(async () => {
  await host.deploy([]);
  for (const sandbox of [host.sandbox, other]) takeRequests(sandbox);
});

const list = {
  ...{ id: 'node', ...nodeOf('account-calls'), account: 'account', limit: '1' },
  wires: [['sent']],
};
const flow = (...nodes: Node[]): Node[] => [
  ...nodes,
  { id: 'errors', type: 'catch', wires: [['caught']] },
  ...['sent', 'caught'].map((id) => ({ id, type: 'debug', active: false })),
];

const variable = (name: string) => `\${${name}}`;
const account = (overrides: object = {}) => accountNode(host.sandbox, overrides);
/** What the editor deploys if the user left the password unchanged. */
const keptPassword = { credentials: { password: '__PWRD__' } };
const moved = (credentials: object = keptPassword) =>
  account({ baseUrl: other.url, ...credentials });

const deploy = (one: Node, type?: 'full' | 'nodes') => host.deploy(flow(one, list), type);

/** The outcome of a message, and the number of requests to each host. */
async function read() {
  const came = new Promise<Loose>((resolve) => {
    host.node('sent').on('input', () => resolve('records'));
    host.node('caught').on('input', ({ error }: Loose) => resolve(error));
  });
  host.node('node').receive({});
  const { code, message } = Object(await came);
  const requests = [host.sandbox, other].map((sandbox) => takeRequests(sandbox).length);
  return { ...(code && { code, message }), requests };
}

const refusal = () => ({
  code: 'settings',
  message: `"password" in the account node was entered for ${host.sandbox.url} and is sent nowhere else. Enter it again to use the Base URL ${other.url}.`,
  requests: [0, 0],
});

test.each(['full', 'nodes'] as const)(
  'a deploy never sends the stored password to another host: %s',
  async (type) => {
    await deploy(account());
    await deploy(moved(), type);
    expect(await read()).toEqual(refusal());
    await deploy(account(keptPassword), type);
    expect(await read()).toEqual({ requests: [1, 0] });
  },
);

test('a restart of Node-RED never sends the stored password to another host', async () => {
  await deploy(account());
  await deploy(moved());
  await host.reload();
  expect(await read()).toEqual(refusal());
});

test('an account saved by the first release works, and its password goes to no other host', async () => {
  await deploy(account());
  // Until the next deploy, the file contains the credential as the first release wrote it.
  await host.reload();
  expect(await read()).toEqual({ requests: [1, 0] });
  await deploy(moved());
  expect(await read()).toEqual(refusal());
});

test('a flow that gives the variable of the Base URL another value gets no password', async () => {
  process.env.TELEPHONY_TEST_URL = host.sandbox.url;
  const baseUrl = variable('TELEPHONY_TEST_URL');
  await deploy(account({ baseUrl }));
  expect(await read()).toEqual({ requests: [1, 0] });
  const env = [{ name: 'TELEPHONY_TEST_URL', value: other.url, type: 'str' }];
  const tab = { id: 'evil', type: 'tab', label: 'Evil', env };
  await host.deploy(flow(account({ baseUrl, z: 'evil', ...keptPassword }), tab, list));
  expect(await read()).toEqual(refusal());
  delete process.env.TELEPHONY_TEST_URL;
});

const off = { id: 'off', type: 'tab', label: 'Off', disabled: true };
const notRunning: [what: string, account: object, ...tabs: Node[]][] = [
  ['whose Base URL is a variable without a value', { baseUrl: variable('TELEPHONY_TEST_UNSET') }],
  ['that is disabled', { d: true }],
  ['in a disabled flow', { z: 'off' }, off],
];
test.each(notRunning)(
  'a deploy never sends the password of an account %s to another host',
  async (_, overrides, ...tabs) => {
    await host.deploy(flow(account(overrides), ...tabs, list));
    process.env.TELEPHONY_TEST_UNSET = other.url;
    await deploy(moved());
    const { baseUrl = host.sandbox.url } = Object(overrides);
    const message = refusal().message.replace(host.sandbox.url, () => baseUrl);
    expect(await read()).toEqual({ ...refusal(), message });
    await host.reload();
    expect(await read()).toEqual({ ...refusal(), message });
    delete process.env.TELEPHONY_TEST_UNSET;
  },
);

test('a variable of the Base URL can get its value after the password was entered', async () => {
  const name = 'TELEPHONY_TEST_LATE';
  const late = { baseUrl: variable(name) };
  await deploy(account(late));
  expect(await read()).toMatchObject({ code: 'settings', requests: [0, 0] });
  process.env[name] = host.sandbox.url;
  await deploy(account({ ...late, ...keptPassword }));
  expect(await read()).toEqual({ requests: [1, 0] });
  process.env[name] = other.url;
  await deploy(account({ ...late, ...keptPassword }));
  expect(await read()).toEqual(refusal());
  delete process.env[name];
});

const together: [what: string, credentials: () => object][] = [
  ['the same password', () => ({ password: host.sandbox.password })],
  ['a variable as the password', () => ({ password: variable('TELEPHONY_TEST_SECRET') })],
];
test.each(together)('another host works if the user enters it with %s', async (_, credentials) => {
  process.env.TELEPHONY_TEST_SECRET = host.sandbox.password;
  await deploy(account());
  await deploy(moved({ credentials: credentials() }));
  expect(await read()).toEqual({ requests: [0, 1] });
  await host.reload();
  expect(await read()).toEqual({ requests: [0, 1] });
  delete process.env.TELEPHONY_TEST_SECRET;
});

test('the path of the base URL can change without entering the password again', async () => {
  await deploy(account());
  await deploy(account({ baseUrl: `${host.sandbox.url}/2010-04-01`, ...keptPassword }));
  expect(await read()).toEqual({ requests: [1, 0] });
});

/** Tests the values of an account's dialog, with an unchanged password and another host. */
async function testConnection(id: string) {
  const { username } = host.sandbox;
  const body = { username, baseUrl: other.url, accountSid: '', password: '__PWRD__' };
  const response = await fetch(`${host.url}/telephony/test-connection/${id}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { said, ...report } = (await response.json()) as Loose;
  return { ...report, message: inEnglish(said) };
}

test('the connection test never sends the stored password to another host, even a deployed one', async () => {
  await deploy(account());
  await deploy(moved());
  expect(await testConnection('account')).toEqual({
    outcome: 'wrong-settings',
    message: refusal().message,
  });
  expect(takeRequests(other)).toEqual([]);
});

test('the connection test never sends the password of another node', async () => {
  const credentials = { user: 'someone', password: 'A-secret-of-MQTT-1' };
  await host.deploy([
    { ...{ id: 'broker', type: 'mqtt-broker', z: '', baseUrl: other.url }, credentials },
  ]);
  expect(await testConnection('broker')).toMatchObject({ outcome: 'wrong-settings' });
  expect(takeRequests(other)).toEqual([]);
});

test('in a subflow, each instance uses its own value of a variable', async () => {
  const inner = { z: 'sub', wires: [] };
  const uses = (['sandbox', 'other'] as const).map((id) => {
    const value = id === 'other' ? other.url : host.sandbox.url;
    return { id, type: 'subflow:sub', env: [{ name: 'SUB_URL', value, type: 'str' }] };
  });
  const way = (id: string) => ({ id: `to-${id}`, type: 'change', rules: [], wires: [[id]] });
  const nodes = (credentials: object) => [
    {
      ...{ id: 'sub', type: 'subflow', name: 'Sub', z: '', env: [] },
      ...{ in: [{ wires: [{ id: 'inner-node' }] }], out: [] },
    },
    account({ id: 'inner', z: 'sub', baseUrl: variable('SUB_URL'), ...credentials }),
    { ...list, ...inner, id: 'inner-node', account: 'inner', wires: [[]] },
    ...uses,
    ...uses.map(({ id }) => way(id)),
  ];
  for (const credentials of [{}, keptPassword]) {
    await host.deploy(nodes(credentials));
    for (const [id, sandbox] of [
      ['sandbox', host.sandbox],
      ['other', other],
    ] as const) {
      host.takeStatuses();
      host.node(`to-${id}`).receive({});
      await until(() => host.takeStatuses().some(([, text]) => text?.includes('record')));
      expect(takeRequests(sandbox)).toHaveLength(1);
    }
  }
});
