import { definitions, openSecrets } from '../../../src/builder.ts';
import { acceptedBy } from '../../support/accepted-by.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createTable, findTable } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  model,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';

let host: Host;
beforeAll(async () => {
  host = await startSaltcorn();
});

const secret = 'stored-secret-5a5a';
const plugin = () => state().plugins.telephony;
const render = (form: Loose) => saltcorn('markup').renderForm(form, 'csrf');

const stored = () => ({ ...host.settings, password: secret });
const row = () => model('plugin').findOne({ name: 'telephony' });
const configuration = async () => (await row()).configuration;
const opened = async () =>
  (
    await plugin()
      .configuration_workflow()
      .run(await configuration())
  ).renderForm;

const secretRows = () => model('metadata').find({ type: 'Module secrets' });
const storedSecret = async () => {
  const [row] = await secretRows();
  return row && openSecrets(row.body.sealed, 'session', ['public'])?.password;
};

const postOf = (form: Loose, values: object) => ({
  stepName: form.values.stepName,
  contextEnc: form.values.contextEnc,
  ...host.settings,
  password: '',
  accountSid: '',
  minimumRole: '1',
  ...values,
});

beforeEach(() => installPlugin(artefact, stored()));

test('the form has the username first, then the password', async () => {
  const { fields } = await opened();
  expect(fields.slice(0, 2).map((field: Loose) => field.label)).toEqual(['username', 'password']);
});

test.each([
  ['is stored separately', () => configuration()],
  ['could not be moved', async () => stored()],
])('the settings page does not contain a password that %s', async (_, context) => {
  const { renderForm } = await plugin()
    .configuration_workflow()
    .run(await context());
  const html = render(renderForm);
  expect(html).toContain('type="password"');
  expect(html).toContain('placeholder="unchanged"');
  expect(decodeURIComponent(html)).not.toContain(secret);
});

test('a blank password keeps the stored one', async () => {
  const saved = await plugin()
    .configuration_workflow()
    .run(postOf(await opened(), { username: 'AC2' }));
  expect(saved).toMatchObject({ username: 'AC2' });
  expect(await storedSecret()).toBe(secret);
});

test('a new password replaces the stored one', async () => {
  const body = postOf(await opened(), { password: 'another-secret-1' });
  const saved = await plugin().configuration_workflow().run(body);
  expect(saved).not.toHaveProperty('password');
  expect(await storedSecret()).toBe('another-secret-1');
});

test('refuses invalid settings with a reason and shows no password', async () => {
  const body = postOf(await opened(), { baseUrl: 'ftp://x', password: 'another-secret-2' });
  const { renderForm } = await plugin().configuration_workflow().run(body);
  const html = render(renderForm);
  expect(renderForm.errors).toEqual({
    _form: `"Base URL" must start with https://.`,
  });
  expect(decodeURIComponent(html)).not.toContain('another-secret-2');
  expect(decodeURIComponent(html)).not.toContain(secret);
});

test.each<[values: object, error: string]>([
  [{ username: 'AC2' }, '"password" is empty. Enter it first.'],
  [{ username: '', password: 'another-secret-5' }, '"username" is empty. Enter it first.'],
  [
    { username: 'AC2', baseUrl: 'ftp://x' },
    '"password" is empty. Enter it first. "Base URL" must start with https://.',
  ],
])('saves %j while typing, but says what is missing on Finish', async (values, error) => {
  await installPlugin(artefact, {});
  await (await secretRows())[0]?.delete();
  const typing = plugin().configuration_workflow();
  const saved = await typing.singleStepForm(postOf(await opened(), values));
  expect(saved.renderForm.hasErrors).toBe(false);
  const { renderForm } = await plugin()
    .configuration_workflow()
    .run(postOf(await opened(), values));
  expect(renderForm.errors).toEqual({ _form: error });
});

test('finishes without an account', async () => {
  await installPlugin(artefact, {});
  await (await secretRows())[0]?.delete();
  const body = postOf(await opened(), { username: '', minimumRole: '40' });
  const saved = await plugin().configuration_workflow().run(body);
  expect(saved).toMatchObject({ username: '', minimumRole: '40' });
});

test('saving while typing keeps the stored password', async () => {
  const body = postOf(await opened(), { username: 'AC2' });
  const { renderForm } = await plugin().configuration_workflow().singleStepForm(body);
  expect(renderForm.hasErrors).toBe(false);
  expect(renderForm.values).toMatchObject({ username: 'AC2' });
  expect(renderForm.values).not.toHaveProperty('password');
  expect(await storedSecret()).toBe(secret);
});

test('a new password takes effect as soon as the user leaves its field, and the form says so', async () => {
  const form = await opened();
  await plugin()
    .configuration_workflow()
    .singleStepForm(postOf(form, { password: 'another-secret-6' }));
  expect(await storedSecret()).toBe('another-secret-6');
  expect(form.blurb).toBe(
    'The telephony account that all operations use. Saltcorn saves each field when you leave it: a value takes effect at once, even if you only want to test it.',
  );
});

test('does not save invalid settings while typing, and says why', async () => {
  const body = postOf(await opened(), { baseUrl: 'ftp://x', password: 'another-secret-4' });
  const { renderForm, savingErrors } = await plugin().configuration_workflow().singleStepForm(body);
  expect(renderForm.hasErrors).toBe(true);
  expect(savingErrors).toBe(`"Base URL" must start with https://.`);
  expect(await storedSecret()).toBe(secret);
});

test('stores a password while typing', async () => {
  const body = postOf(await opened(), { password: 'another-secret-3' });
  const { renderForm } = await plugin().configuration_workflow().singleStepForm(body);
  expect(renderForm.values).not.toHaveProperty('password');
  expect(await storedSecret()).toBe('another-secret-3');
});

test('emptying the settings deletes the stored secrets', async () => {
  const body = postOf(await opened(), { username: '', password: '' });
  await plugin().configuration_workflow().run(body);
  expect(await secretRows()).toEqual([]);
});

describe('a password in the configuration', () => {
  const calls = async () => (await findTable('calls').getRows({})).length;
  beforeAll(() => createTable('calls', 'Telephony: Account Calls'));

  it('moves to the secrets when a pack installs the module, and works', async () => {
    await installPlugin(artefact, {});
    expect(await storedSecret()).toBe(secret);
    await (await row()).delete();
    const { install_pack } = saltcorn('admin-models/models/pack');
    const pack = {
      ...{ tables: [], views: [], pages: [], triggers: [] },
      plugins: [
        {
          name: 'telephony',
          source: 'local',
          location: artefact,
          configuration: { ...host.settings },
        },
      ],
    };
    const install = (one: Loose) => model('plugin').loadAndSaveNewPlugin(one);
    await saltcorn('data/db').withTransaction(() => install_pack(pack, 'telephony', install));
    expect(await configuration()).not.toHaveProperty('password');
    expect(await storedSecret()).toBe(host.settings.password);
    expect(await calls()).toBeGreaterThan(0);
  });

  it('moves to the secrets at the next start, and works', async () => {
    const older = await row();
    older.configuration = { ...host.settings };
    await older.upsert();
    expect(await configuration()).toHaveProperty('password');
    await model('plugin').loadAllPlugins();
    expect(await configuration()).not.toHaveProperty('password');
    expect(await storedSecret()).toBe(host.settings.password);
    expect(await calls()).toBeGreaterThan(0);
  });

  it('moves to the secrets when a Saltcorn editor saves it', async () => {
    const typed: Loose = stored();
    const workflow = plugin().configuration_workflow();
    await workflow.onStepSave({}, {}, typed);
    await workflow.onDone(typed);
    expect(typed).not.toHaveProperty('password');
    expect(await storedSecret()).toBe(secret);
  });
});

describe('no password is in', () => {
  const outputs: [what: string, make: () => Promise<unknown>][] = [
    ['a pack', () => saltcorn('admin-models/models/pack').plugin_pack('telephony')],
    ['a backup', () => saltcorn('admin-models/models/backup').create_pack_json()],
    ['a snapshot', () => saltcorn('admin-models/models/backup').create_pack_json(true, true)],
    ['a message to other processes', async () => sentMessages],
  ];
  const sentMessages: unknown[] = [];
  beforeAll(async () => {
    jest.spyOn(state(), 'processSend').mockImplementation((message) => sentMessages.push(message));
    await installPlugin(artefact, stored());
  });
  afterAll(() => jest.restoreAllMocks());

  it.each(outputs)('%s', async (_, make) => {
    const text = JSON.stringify(await make());
    expect(text).toContain(host.settings.username);
    expect(text).not.toContain(secret);
  });
});

describe('advanced settings', () => {
  const limits = definitions.settings.limits.map(({ key }) => [key, 'Limits']);
  const tabs = async () => {
    const { fields } = await opened();
    const named = fields.map((field: Loose) => [field.name, field.tab]);
    return Object.fromEntries(named.filter(([, tab]: Loose) => tab));
  };

  it('are collapsed', async () => {
    await installPlugin(artefact, { ...stored(), baseUrl: undefined });
    expect(await tabs()).toEqual({
      accountSid: 'Advanced',
      baseUrl: 'Advanced',
      contentUrl: 'Advanced',
      lookupsUrl: 'Advanced',
      verifyUrl: 'Advanced',
      defaultCountry: 'Advanced',
      defaultSender: 'Advanced',
      freshSeconds: 'Advanced',
      readLimit: 'Advanced',
      ...{
        publicAddress: 'Events',
        authToken: 'Events',
        reported: 'Events',
        pollMinutes: 'Events',
      },
      ...Object.fromEntries(limits),
    });
    const html = render(await opened());
    expect(html).toMatch(/<button class="accordion-button collapsed" type="button"[^>]*>Advanced</);
  });

  it('stay where they are when they have a value', async () => {
    await installPlugin(artefact, { ...stored(), baseUrl: undefined });
    const before = await tabs();
    await installPlugin(artefact, {
      ...stored(),
      ...{ accountSid: 'AC1', defaultSender: '+14155550100', freshSeconds: 60, readLimit: 2000 },
      ...{ publicAddress: 'https://app.example.com', reported: true, pollMinutes: 5 },
    });
    expect(await tabs()).toEqual(before);
  });
});

test.each([
  ['1', false],
  ['80', false],
  ['100', true],
])('with the minimum role %s, a warning about the public shows: %s', async (minimumRole, warns) => {
  await installPlugin(artefact, { ...host.settings, minimumRole });
  expect(render(await opened()).includes('Anyone on the internet can now press')).toBe(warns);
});

test.each(['999', '20001'])('refuses a read limit of %s', async (readLimit) => {
  const body = postOf(await opened(), { readLimit });
  const { renderForm } = await plugin().configuration_workflow().run(body);
  expect(Object.keys(renderForm.errors)).toEqual(['readLimit']);
});

test.each([
  ['perHour', '0'],
  ['countries', 'US, ZZ'],
  ['quietHours', 'at night'],
])('refuses the limit %s of %s', async (key, value) => {
  const body = postOf(await opened(), { [key]: value });
  const saved = await plugin().configuration_workflow().singleStepForm(body);
  expect(saved.savingErrors ?? saved.renderForm.errors).toMatch(
    key === 'perHour' ? /1/ : /must be two/,
  );
});

describe('limits', () => {
  /** Runs a trigger, and returns its error. */
  const send = (to: string): Promise<string | undefined> =>
    state()
      .actions['Send SMS'].run({ configuration: { from: '+14155550100', to, body: 'Hello' } })
      .then(
        () => undefined,
        ({ message }: Error) => message.replace(/^Send SMS \([^)]*\): /, ''),
      );

  it('are those in the form, and shown with how much was sent', async () => {
    const body = postOf(await opened(), { perRecipientPerHour: '2', countries: 'us' });
    const saved = await plugin().configuration_workflow().run(body);
    expect(saved).toMatchObject({ perRecipientPerHour: 2, countries: 'us' });
    await installPlugin(artefact, { ...host.settings, perRecipientPerHour: 2, countries: 'us' });
    const to = '+12025550199';
    expect([await send(to), await send(to), await send(to), await send('+442079460000')]).toEqual([
      undefined,
      undefined,
      expect.stringMatching(
        /^The limit "Messages per recipient" \(2 an hour\) is reached\. Nothing was/,
      ),
      expect.stringMatching(/^"To" is \+442079460000, a number of GB\./),
    ]);
    const page = render(await opened());
    expect(page).toContain('Messages in the last hour: 2, in the last 24 hours');
    expect(page).toContain('The limit “Messages per recipient” (2) is reached until');
  });

  it('end everything once sending is stopped', async () => {
    await installPlugin(artefact, { ...host.settings, stopped: true });
    expect(await send('+12025550198')).toBe(
      `"Stop sending" is on. Nothing was sent. You can turn it off in the module's settings.`,
    );
  });
});

test('saves half-filled settings while typing', async () => {
  await installPlugin(artefact, {});
  const form = (await plugin().configuration_workflow().run({})).renderForm;
  const body = {
    stepName: form.values.stepName,
    contextEnc: form.values.contextEnc,
    username: 'AC1',
    baseUrl: host.settings.baseUrl,
    minimumRole: '1',
  };
  const { renderForm } = await plugin().configuration_workflow().singleStepForm(body);
  expect(renderForm.hasErrors).toBe(false);
});

describe('the connection test', () => {
  const test = async (typed: object, user?: object) => {
    const [{ callback }] = plugin().routes({});
    const answer: Loose = { code: 200 };
    const response = {
      status: (code: number) => Object.assign(answer, { code }) && response,
      json: (body: object) => Object.assign(answer, { body }),
    };
    await callback({ body: { ...host.settings, ...typed }, user }, response);
    return answer;
  };
  const admin = { role_id: 1 };
  const works = () => ({ notify_success: acceptedBy(host.sandbox) });

  const refused = /^The service rejected the credentials\. Check the username/;
  const outcomes: [what: string, typed: object, body: object][] = [
    [
      'tells that nothing responds at the base URL',
      { baseUrl: 'http://127.0.0.1:9' },
      { error: expect.stringContaining(' (ECONNREFUSED).') },
    ],
    [
      'refuses a wrong password',
      { password: 'wrong-password-1' },
      { error: expect.stringMatching(refused) },
    ],
    [
      'refuses a wrong stored password',
      { password: '' },
      { error: expect.stringMatching(refused) },
    ],
    [
      'refuses a base URL without a host',
      { baseUrl: 'https://' },
      {
        error: `"Base URL" must be a URL such as https://api.example.com.`,
      },
    ],
  ];
  it('accepts the right password', async () => {
    expect(await test({}, admin)).toEqual({ code: 200, body: works() });
  });

  it.each(outcomes)('%s', async (_, typed, body) => {
    expect(await test(typed, admin)).toEqual({ code: 200, body });
  });

  it('says that no service at the base URL has the account', async () => {
    expect(await test({ baseUrl: `${host.settings.baseUrl}/elsewhere` }, admin)).toEqual({
      code: 200,
      body: { error: expect.stringContaining('The service does not know this account.') },
    });
  });

  it('says that the password is empty if none is stored, either', async () => {
    await installPlugin(artefact, {});
    await (await secretRows())[0]?.delete();
    expect(await test({ password: '' }, admin)).toEqual({
      code: 200,
      body: { error: expect.stringContaining(`"password" is empty.`) },
    });
  });

  it('warns of a default sender that is not a number of the account', async () => {
    const text = `${acceptedBy(host.sandbox)} However, the default sender +14155550199 is not a number of this account, so the service may reject its messages.`;
    expect(await test({ defaultSender: '+1 415 555 0199' }, admin)).toEqual({
      code: 200,
      body: { notify: text, notify_type: 'warning' },
    });
  });

  it('reports a service without a test resource as a notice', async () => {
    const { url } = await serveHttp((_, response) =>
      response.writeHead(404).end('{"code":10005,"message":"No such resource"}'),
    );
    const { code, body } = await test({ baseUrl: url }, admin);
    expect([code, body]).toEqual([
      200,
      {
        notify: expect.stringMatching(/^The service responds, but offers nothing to test/),
        notify_type: 'warning',
      },
    ]);
  });

  it('uses the stored password if the field is blank', async () => {
    await installPlugin(artefact, host.settings);
    expect(await test({ password: '' }, admin)).toEqual({ code: 200, body: works() });
  });

  it('uses settings that are fixed at startup and have no fields', async () => {
    const { connectObj } = saltcorn('data/db');
    connectObj.fixed_plugin_configuration = { telephony: host.settings };
    await installPlugin(artefact, {});
    const [{ callback }] = plugin().routes({});
    const json = jest.fn();
    await callback({ body: {}, user: admin }, { json });
    connectObj.fixed_plugin_configuration = {};
    expect(json.mock.calls).toEqual([[works()]]);
  });

  it.each([undefined, { role_id: 40 }])('refuses the user %j', async (user) => {
    expect(await test({}, user)).toEqual({
      code: 403,
      body: { error: 'Only administrators can test the connection.' },
    });
  });
});

test('a setting is saved even if an environment variable sets others', async () => {
  const { connectObj } = saltcorn('data/db');
  const { minimumRole, ...posted } = postOf(await opened(), { freshSeconds: '60' });
  connectObj.fixed_plugin_configuration = { telephony: { minimumRole: '40', baseUrl: 'http://x' } };
  const { baseUrl: _, ...body } = posted;
  const saved = await plugin().configuration_workflow().singleStepForm(body);
  connectObj.fixed_plugin_configuration = {};
  expect(saved).toMatchObject({ savingErrors: null, renderForm: { hasErrors: false } });
  expect(saved.renderForm.values).toMatchObject({ freshSeconds: 60 });
  for (const key of ['minimumRole', 'baseUrl'])
    expect(saved.renderForm.values).not.toHaveProperty(key);
});

test('the package has no dependencies and installs offline', async () => {
  const { dependencies, devDependencies } = require(`${artefact}/package.json`);
  expect({ dependencies, devDependencies }).toEqual({});
  expect(await model('plugin').findOne({ name: 'telephony' })).toMatchObject({ source: 'local' });
});

describe('the cache', () => {
  // The clock never goes back: the plugin would wait for the time that it has seen.
  let passed = 0;
  beforeAll(() => {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  });
  afterAll(() => jest.restoreAllMocks());

  const requestsOfTwoReads = async (freshSeconds: unknown) => {
    await installPlugin(artefact, { ...host.settings, freshSeconds });
    const table = findTable('calls');
    takeRequests(host.sandbox);
    await table.getRows({}, { limit: 20 });
    passed += 10_000;
    await table.getRows({}, { limit: 20 });
    return takeRequests(host.sandbox).length;
  };
  const cases: [freshSeconds: unknown, requests: number][] = [
    [undefined, 2],
    [0, 2],
    [60, 1],
    ['60', 1],
    [301, 2],
    ['soon', 2],
    [null, 2],
  ];
  it.each(cases)('of %j seconds: two reads ten seconds apart send %i requests', async (...one) => {
    expect(await requestsOfTwoReads(one[0])).toBe(one[1]);
  });

  it.each(['-1', '301'])('cannot be set to %s seconds', async (freshSeconds) => {
    const body = postOf(await opened(), { freshSeconds });
    const { renderForm } = await plugin().configuration_workflow().run(body);
    expect(Object.keys(renderForm.errors)).toEqual(['freshSeconds']);
  });
});
