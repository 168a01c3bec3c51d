import { takeRequests } from '../../support/take-requests.ts';
import { createNative, createView, forEveryone } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';
import { type CrashLog, openCrashLog } from './crash-log.ts';

const user = 80;
const url = '/telephony/choices';
const from = `${url}?operation=send-sms&field=from`;
const choices = [
  { value: '+14155550100', label: 'Front desk' },
  { value: '+14155550101', label: 'Support' },
];
const offered = { choices, ifFiltered: 'Clear this field to choose from a list.' };
const request = 'GET /IncomingPhoneNumbers.json?PageSize=1000';

let host: Host;
let website: Website;
let crashes: CrashLog;
let visitors: Record<'administrator' | 'user' | 'guest', Visitor>;
beforeAll(async () => {
  host = await startSaltcorn();
  website = await startWebsite();
  crashes = openCrashLog();
  visitors = {
    administrator: await website.user(),
    user: await website.user(user),
    guest: await website.guest(),
  };
});

const install = async (settings: object = {}) => {
  await installPlugin(artefact, { ...host.settings, ...settings });
  takeRequests(host.sandbox);
};
beforeEach(() => install());
afterEach(async () => expect(await crashes.messages()).toEqual([]));

test.each([from, url])("offers the account's numbers at %s, read once", async (path) => {
  for (const _ of 'ab') expect(JSON.parse(await visitors.administrator.get(path))).toEqual(offered);
  expect(takeRequests(host.sandbox)).toEqual([request]);
});

const rights: [who: keyof typeof visitors, minimumRole: string, isAllowed: boolean][] = [
  ['user', '1', false],
  ['user', '80', true],
  ['user', '100', true],
  ['guest', '80', false],
  ['guest', '100', false],
];

test.each(rights)(
  'a %s, if actions need role %s, sees numbers: %s',
  async (who, minimumRole, isAllowed) => {
    await install({ minimumRole });
    for (const path of [from, url])
      expect(JSON.parse(await visitors[who].get(path))).toEqual(
        isAllowed ? offered : { choices: [] },
      );
    expect(takeRequests(host.sandbox)).toEqual(isAllowed ? [request] : []);
  },
);

const problems: [what: string, settings: () => object, path: string, problem: string][] = [
  ['a wrong password', () => ({ password: 'x' }), from, 'The service rejected the credentials.'],
  [
    'a service that is down',
    () => ({ baseUrl: 'http://127.0.0.1:1' }),
    from,
    'cannot reach the service',
  ],
  ['a field without choices', () => ({}), from.replace('=from', '=to'), 'has no choices for "to"'],
  ['an unknown operation', () => ({}), from.replace('send-sms', 'x'), 'Unknown operation "x".'],
];

test.each(problems)(
  'reports %s to administrators only',
  async (_, settings, path, problem) => {
    await install({ ...settings(), minimumRole: '80' });
    const { administrator, user: other } = visitors;
    const seen = [administrator, other].map(async (who) => JSON.parse(await who.get(path)));
    expect(await Promise.all(seen)).toEqual([
      { choices: [], problem: expect.stringContaining(problem) },
      { choices: [] },
    ]);
  },
  60_000,
);

test('the fields of an action say where their choices are, and load nothing', async () => {
  const fields: Loose[] = await state().actions['Send SMS'].configFields();
  expect(fields.map(({ name, sublabel }) => [name, sublabel.match(/<span.*/)?.[0]])).toEqual([
    [
      'from',
      '<span data-telephony-choices="/telephony/choices?operation=send-sms&amp;field=from" role="status"></span>',
    ],
    ['to', undefined],
    ['body', undefined],
  ]);
  expect(takeRequests(host.sandbox)).toEqual([]);
});

const pages: [who: keyof typeof visitors, path: string, isThere: boolean][] = [
  ['administrator', '/plugins/configure/telephony', true],
  ['administrator', '/table', false],
  ['guest', '/auth/login', false],
];

test.each(pages)('for a %s, the script on %s: %s', async (who, path, isThere) => {
  expect((await visitors[who].get(path)).includes('window.telephonyChoices')).toBe(isThere);
});

test('a form on a page offers numbers in the field view own_number', async () => {
  const table = await createNative('Texts', { sender: 'String' }, [], forEveryone);
  const column = { type: 'Field', field_name: 'sender', fieldview: 'own_number' };
  const show = async (name: string, configuration: object) => {
    const view = await createView(name, 'Edit', table, {
      columns: [{ ...column, configuration }],
      layout: { above: [{ ...column, type: 'field', configuration }] },
    });
    const { mockReqRes } = saltcorn('data/tests/mocks');
    return view.run({}, mockReqRes);
  };
  expect(await show('Any', {})).toContain('data-telephony-choices="/telephony/choices"');
  const html = await show('One', { offers: 'make-a-call/from', placeholder: '"<b>' });
  expect(html).toContain(
    'data-telephony-choices="/telephony/choices?operation=make-a-call&amp;field=from"',
  );
  expect(html).not.toContain('"<b>');
  expect(takeRequests(host.sandbox)).toEqual([]);
});
