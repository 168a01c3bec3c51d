import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { acceptedBy } from '../../support/accepted-by.ts';
import { closeAfterwards } from '../../support/close-afterwards.ts';
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
let elsewhere: string;
const receivedCredentials: (string | undefined)[] = [];
beforeAll(async () => {
  host = await startSaltcorn();
  await createTable('calls', 'Telephony: Account Calls');
  const listener = closeAfterwards(
    createServer(({ headers }, response) => {
      receivedCredentials.push(headers.authorization);
      response.end('{"calls":[]}');
    }),
  ).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  elsewhere = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  fix({});
  await installPlugin(artefact, host.settings);
  receivedCredentials.length = 0;
});

/** Settings that are fixed at Saltcorn's start. */
function fix(settings: object) {
  saltcorn('data/db').connectObj.fixed_plugin_configuration = { telephony: settings };
}

const place = { type: 'Module secrets', name: 'telephony' };
const secretRows = (): Promise<Loose[]> => model('metadata').find(place);
const forgetRows = async () => {
  for (const row of await secretRows()) await row.delete();
};

const row = () => model('plugin').findOne({ name: 'telephony' });
const workflow = () => state().plugins.telephony.configuration_workflow();

async function typed(values: object) {
  const { renderForm } = await workflow().run((await row()).configuration ?? {});
  const { stepName, contextEnc } = renderForm.values;
  const form = { accountSid: '', minimumRole: '1', ...host.settings, password: '' };
  return { stepName, contextEnc, ...form, ...values };
}

/** The request of *Finish* on the settings page. */
async function finish(values: object): Promise<Loose> {
  const result = await workflow().run(await typed(values));
  if (result.renderForm) return result.renderForm.errors;
  await installPlugin(artefact, result);
  return undefined;
}

/** The request when a field loses the focus. */
async function leaveField(values: object): Promise<Loose> {
  const { renderForm } = await workflow().singleStepForm(await typed(values));
  if (renderForm.hasErrors) return renderForm.errors;
  await installPlugin(artefact, { ...(await row()).configuration, ...renderForm.values });
  return undefined;
}

async function testConnection(values: object): Promise<Loose> {
  const [{ callback }] = state().plugins.telephony.routes({});
  const json = jest.fn();
  const body = { ...host.settings, password: '', ...values };
  await callback({ body, user: { role_id: 1 } }, { json });
  return json.mock.calls[0][0];
}

const works = () => ({ notify_success: acceptedBy(host.sandbox) });
const calls = () => findTable('calls').getRows({});
/** What the settings page says. */
const requiredAgain = (given: string, wanted: string) =>
  `"password" was entered for ${given} and is sent nowhere else. Enter it again to use the Base URL ${wanted}.`;
/** The same sentence on other pages. */
const onOtherPages = (sentence: string) =>
  sentence.replace('"password"', `"password" in the module's settings`);

describe('a stored password is not sent to another host', () => {
  const sentence = () => requiredAgain(host.sandbox.url, elsewhere);

  it('by the connection test', async () => {
    expect(await testConnection({})).toEqual(works());
    expect(await testConnection({ baseUrl: elsewhere })).toEqual({ error: sentence() });
    expect(receivedCredentials).toEqual([]);
  });

  it.each([
    ['when the user saves the settings', finish],
    ['when the user leaves a field', leaveField],
  ])('%s', async (_, save) => {
    expect(await save({ baseUrl: elsewhere })).toEqual({ _form: sentence() });
    expect((await calls()).length).toBeGreaterThan(0);
    expect(receivedCredentials).toEqual([]);
  });

  it('when something else changes the settings, such as a pack', async () => {
    const { username } = host.settings;
    await installPlugin(artefact, { username, baseUrl: elsewhere });
    await expect(calls()).rejects.toThrow(onOtherPages(sentence()));
    expect(await testConnection({ baseUrl: elsewhere })).toEqual({ error: sentence() });
    expect(receivedCredentials).toEqual([]);
  });

  it('unless the user enters it for that host', async () => {
    expect(await finish({ baseUrl: elsewhere, password: 'for-elsewhere' })).toBeUndefined();
    expect(await calls()).toEqual([]);
    const credentials = `${host.settings.username}:for-elsewhere`;
    expect(receivedCredentials).toEqual([`Basic ${Buffer.from(credentials).toString('base64')}`]);
    expect(await finish({})).toEqual({ _form: requiredAgain(elsewhere, host.sandbox.url) });
  });

  it('but to another path of its host', async () => {
    const baseUrl = `${host.sandbox.url}/2010-04-01`;
    expect(await finish({ baseUrl })).toBeUndefined();
    expect((await calls()).length).toBeGreaterThan(0);
  });
});

describe('a password that is fixed at startup is not sent to another host', () => {
  const start = async (fixed: (settings: Host['settings']) => object, configuration: object) => {
    await forgetRows();
    fix(fixed(host.settings));
    await installPlugin(artefact, configuration);
  };

  it('than the one fixed at startup', async () => {
    await start((settings) => settings, {});
    expect((await calls()).length).toBeGreaterThan(0);
    expect(await testConnection({ baseUrl: elsewhere })).toEqual(works());
    expect(await testConnection({ baseUrl: elsewhere, password: 'typed' })).toEqual(works());
    expect(receivedCredentials).toEqual([]);
  });

  it('than the default host if none is fixed', async () => {
    await start(({ username, password }) => ({ username, password }), { baseUrl: elsewhere });
    const error = requiredAgain('https://api.twilio.com', elsewhere);
    await expect(calls()).rejects.toThrow(onOtherPages(error));
    expect(await testConnection({ baseUrl: elsewhere })).toEqual({ error });
    expect(await testConnection({ baseUrl: elsewhere, password: 'typed' })).toEqual({ error });
    expect(await finish({ baseUrl: elsewhere })).toEqual({ _form: error });
    expect(receivedCredentials).toEqual([]);
  });

  it('and a stored password is not sent to a host fixed at startup', async () => {
    fix({ baseUrl: elsewhere });
    const { username } = host.settings;
    await installPlugin(artefact, { username });
    await expect(calls()).rejects.toThrow(onOtherPages(requiredAgain(host.sandbox.url, elsewhere)));
    expect(receivedCredentials).toEqual([]);
  });
});

describe('two simultaneous saves, as by a password manager,', () => {
  const saveTwice = () =>
    Promise.all([
      leaveField({ password: 'first-secret' }),
      leaveField({ password: 'second-secret' }),
    ]);

  beforeEach(forgetRows);

  it('store one password', async () => {
    await saveTwice();
    expect(await secretRows()).toHaveLength(1);
  });

  it('leave no password after it is deleted', async () => {
    await saveTwice();
    expect(await finish({ username: '' })).toBeUndefined();
    expect(await secretRows()).toEqual([]);
    expect(await testConnection({})).toEqual({
      error: '"password" is empty. Enter it first.',
    });
  });

  it('use the newest password, also while both are stored', async () => {
    await finish({ password: 'wrong-secret' });
    const [wrong] = await secretRows();
    await finish({ password: host.settings.password });
    const [right] = await secretRows();
    await forgetRows();
    for (const { body } of [wrong, right]) await model('metadata').create({ ...place, body });
    expect(await testConnection({})).toEqual(works());
    await finish({ password: host.settings.password });
    expect(await secretRows()).toHaveLength(1);
  });
});
