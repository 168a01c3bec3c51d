import { inEnglish } from '../../../src/builder.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { accountNode, type Host, startNodeRed } from '../host.ts';

const users = [
  { username: 'someone', permissions: '*' },
  { username: 'reader', permissions: 'read' },
];
const byName = async (name: string) => users.find(({ username }) => username === name) ?? null;

let host: Host;
let other: Sandbox;
beforeAll(async () => {
  const adminAuth = { type: 'credentials', users: byName, tokens: byName };
  host = await startNodeRed(undefined, {
    adminAuth: { ...adminAuth, authenticate: async () => null },
  });
  other = await openSandbox({ username: host.sandbox.username, password: host.sandbox.password });
  await host.deploy([accountNode(host.sandbox)]);
});
beforeEach(() => {
  takeRequests(host.sandbox);
  host.takeWarnings();
});

const json = { 'Content-Type': 'application/json' };
const someone = { ...json, Authorization: 'Bearer someone' };
const from = { operation: 'send-sms', field: 'from' };

async function readChoices(
  about: object,
  settings: object,
  headers: object = someone,
  id = 'account',
) {
  const { username, url: baseUrl } = host.sandbox;
  const typed = { username, password: '__PWRD__', baseUrl, accountSid: '', ...settings };
  const response = await fetch(`${host.url}/telephony/choices/${id}`, {
    method: 'POST',
    headers: { ...headers },
    body: JSON.stringify({ ...about, settings: typed }),
  });
  const text = await response.text();
  expect(text).not.toContain(host.sandbox.password);
  return { status: response.status, text };
}

const own = [
  { value: '+14155550100', label: 'Front desk' },
  { value: '+14155550101', label: 'Support' },
];
const request = 'GET /IncomingPhoneNumbers.json?PageSize=1000';
const password = () => ({ password: host.sandbox.password });

const offered: [what: string, about: object, settings: () => object, id: string][] = [
  ['the From of a node, of a deployed account', from, () => ({}), 'account'],
  ['the From of a node, of an account that is not deployed yet', from, password, 'new'],
  ['the sender of an account', {}, () => ({}), 'account'],
];

test.each(offered)("offers the account's numbers for %s", async (_, about, settings, id) => {
  const { status, text } = await readChoices(about, settings(), someone, id);
  expect([status, JSON.parse(text)]).toEqual([200, { choices: own }]);
  expect(takeRequests(host.sandbox)).toEqual([request]);
});

const problems: [what: string, about: object, settings: () => object, problem: string][] = [
  ['no password', from, () => ({ password: '' }), '"password" in the account node is empty.'],
  ['a wrong password', from, () => ({ password: 'x' }), 'The service rejected the credentials.'],
  [
    'the stored password and another host',
    from,
    () => ({ baseUrl: other.url }),
    'and is sent nowhere else',
  ],
  ['a field without choices', { ...from, field: 'to' }, () => ({}), 'has no choices for "to"'],
  ['an unknown operation', { ...from, operation: 'x' }, () => ({}), 'Unknown operation "x".'],
];

test.each(problems)('says why there are no choices: %s', async (_, about, settings, problem) => {
  const { status, text } = await readChoices(about, settings());
  const { choices, problem: said } = JSON.parse(text);
  expect([status, choices]).toEqual([200, []]);
  expect(inEnglish(said)).toContain(problem);
  expect(other.requests).toEqual([]);
  expect(host.takeWarnings()).toEqual([]);
});

const refused: [who: string, headers: object, status: number][] = [
  ['a visitor who is not logged in', json, 401],
  ['a user with read permission only', { ...json, Authorization: 'Bearer reader' }, 401],
  ['a form on another site', { ...someone, 'Content-Type': 'text/plain' }, 415],
];

test.each(refused)('shows no number to %s', async (_, headers, status) => {
  expect((await readChoices(from, {}, headers)).status).toBe(status);
  expect(takeRequests(host.sandbox)).toEqual([]);
});
