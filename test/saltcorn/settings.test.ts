import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  model,
  saltcorn,
  startSaltcorn,
} from './host.ts';

let host: Host;
beforeAll(async () => {
  host = await startSaltcorn();
});
afterAll(() => host.close());

const secret = 'stored-secret-5a5a';
const plugin = () => saltcorn('data/db/state').getState().plugins.telephony;
const render = (form: Loose) => saltcorn('markup').renderForm(form, 'csrf');

const stored = () => ({ ...host.settings, password: secret });
const opened = async () => (await plugin().configuration_workflow().run(stored())).renderForm;

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

test('the form asks for username and password, in this order', async () => {
  const { fields } = await opened();
  expect(fields.slice(0, 2).map((field: Loose) => field.label)).toEqual(['username', 'password']);
});

test('the page of the settings does not hold the stored password', async () => {
  const html = render(await opened());
  expect(html).toContain('type="password"');
  expect(html).toContain('placeholder="unchanged"');
  expect(decodeURIComponent(html)).not.toContain(secret);
});

test('a blank password keeps the stored one', async () => {
  const saved = await plugin()
    .configuration_workflow()
    .run(postOf(await opened(), {}));
  expect(saved).toMatchObject(stored());
});

test('a password that is typed replaces the stored one', async () => {
  const body = postOf(await opened(), { password: 'another-secret-1' });
  const saved = await plugin().configuration_workflow().run(body);
  expect(saved).toMatchObject({ ...stored(), password: 'another-secret-1' });
});

test('settings that cannot work are refused with a sentence, without the password on the page', async () => {
  const body = postOf(await opened(), { baseUrl: 'ftp://x', password: 'another-secret-2' });
  const { renderForm } = await plugin().configuration_workflow().run(body);
  const html = render(renderForm);
  expect(renderForm.errors).toEqual({
    _form: `"Base URL" in the plugin's settings must start with https://.`,
  });
  expect(decodeURIComponent(html)).not.toContain('another-secret-2');
  expect(decodeURIComponent(html)).not.toContain(secret);
});

test('saving while typing keeps the stored password', async () => {
  const body = postOf(await opened(), { username: 'AC2' });
  const { renderForm } = await plugin().configuration_workflow().singleStepForm(body);
  expect(renderForm.hasErrors).toBe(false);
  expect(renderForm.values).toMatchObject({ username: 'AC2', password: secret });
});

test('half-filled settings can be saved while typing', async () => {
  await installPlugin(artefact, {});
  const form = (await plugin().configuration_workflow().run({})).renderForm;
  const body = {
    stepName: form.values.stepName,
    contextEnc: form.values.contextEnc,
    username: 'AC1',
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
  const works = { notify_success: 'The service accepts the username and the password.' };

  const outcomes: [typed: object, body: object][] = [
    [{}, works],
    [
      { password: 'wrong-password-1' },
      { error: expect.stringMatching(/^The service refused the credentials\. Check the username/) },
    ],
    [
      { password: '' },
      { error: expect.stringMatching(/^The service refused the credentials\. Check the username/) },
    ],
    [
      { baseUrl: 'https://' },
      {
        error: `"Base URL" in the plugin's settings must be an address such as https://api.example.com.`,
      },
    ],
  ];
  it.each(outcomes)('answers with %j typed: %j', async (typed, body) => {
    expect(await test(typed, admin)).toEqual({ code: 200, body });
  });

  it('uses the stored password where the field is blank', async () => {
    await installPlugin(artefact, host.settings);
    expect(await test({ password: '' }, admin)).toEqual({ code: 200, body: works });
  });

  it('uses what is fixed where Saltcorn starts, for which there are no fields', async () => {
    const { connectObj } = saltcorn('data/db');
    connectObj.fixed_plugin_configuration = { telephony: host.settings };
    await installPlugin(artefact, {});
    const [{ callback }] = plugin().routes({});
    const json = jest.fn();
    await callback({ body: {}, user: admin }, { json });
    connectObj.fixed_plugin_configuration = {};
    expect(json.mock.calls).toEqual([[works]]);
  });

  it.each([undefined, { role_id: 40 }])('is not for %j', async (user) => {
    expect(await test({}, user)).toEqual({
      code: 403,
      body: { error: 'Only administrators can test the connection.' },
    });
  });
});

test('the artefact has no dependencies and installed offline', async () => {
  const { dependencies, devDependencies } = require(`${artefact}/package.json`);
  expect({ dependencies, devDependencies }).toEqual({});
  expect(await model('plugin').findOne({ name: 'telephony' })).toMatchObject({ source: 'local' });
});
