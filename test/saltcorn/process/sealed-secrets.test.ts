import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { startWebsite, type Visitor } from '../website.ts';
import { type CrashLog, openCrashLog } from './crash-log.ts';

const authToken = 'Signing5aToken5a';

let host: Host;
let password: string;
let logged: string[];
let crashLog: CrashLog;
let admin: Visitor;
beforeAll(async () => {
  host = await startSaltcorn();
  password = host.settings.password;
  await createTable('calls', 'Telephony: Account Calls');
  crashLog = openCrashLog();
  admin = await (await startWebsite()).user();
});
beforeEach(() => {
  logged = [];
  for (const method of ['log', 'error', 'warn'] as const)
    jest.spyOn(console, method).mockImplementation((...texts) => void logged.push(texts.join(' ')));
});
afterEach(() => {
  process.env.SALTCORN_SESSION_SECRET = 'session';
  saltcorn('data/db').set_sql_logging(false);
  jest.restoreAllMocks();
});

/** The contents of the tables of settings, like in a database dump. */
const dump = async () => {
  const tables = ['_sc_metadata', '_sc_plugins', '_sc_config'];
  const rows = tables.map((table) => saltcorn('data/db').select(table, {}));
  return JSON.stringify(await Promise.all(rows));
};
const keyFile = () => join(saltcorn('data/db').connectObj.file_store, '.telephony-key');
const settings = () => ({ ...host.settings, minimumRole: '1', authToken });
const callCount = async () => (await findTable('calls').getRows({})).length;

async function saveSettings() {
  const workflow = state().plugins.telephony.configuration_workflow();
  const { renderForm } = await workflow.run({});
  const { stepName, contextEnc } = renderForm.values;
  await workflow.singleStepForm({ stepName, contextEnc, ...settings() });
  await installPlugin(artefact, await workflow.run({ stepName, contextEnc, ...settings() }));
}

test('keeps the password out of the database and its log', async () => {
  state().setVerboseLogging?.(true);
  saltcorn('data/db').set_sql_logging(true);
  await saveSettings();
  expect(logged.join('\n')).toContain('_sc_metadata');
  for (const text of [logged.join('\n'), await dump()])
    for (const secret of [password, authToken]) expect(text).not.toContain(secret);
  expect(await callCount()).toBeGreaterThan(0);
});

test('requires the password again if the session secret has changed', async () => {
  await saveSettings();
  process.env.SALTCORN_SESSION_SECRET = 'another';
  await installPlugin(artefact, { ...host.settings, password: '' });
  const empty = `"password" in the module's settings is empty. Enter it first.`;
  await expect(callCount()).rejects.toThrow(empty);
  await expect(callCount()).rejects.toThrow(empty);
  const said = logged.filter((text) => text.includes("Saltcorn's session secret has changed"));
  expect(said).toHaveLength(1);
  await saveSettings();
  expect(await callCount()).toBeGreaterThan(0);
});

test('encrypts with a key in a file if no session secret is set', async () => {
  process.env.SALTCORN_SESSION_SECRET = '';
  await saveSettings();
  expect(await callCount()).toBeGreaterThan(0);
  expect(await dump()).not.toContain(readFileSync(keyFile(), 'utf8'));
  expect((statSync(keyFile()) as Loose).mode & 0o777).toBe(0o600);
  rmSync(keyFile());
  await installPlugin(artefact, { ...host.settings, password: '' });
  await expect(callCount()).rejects.toThrow('"password"');
});

const form = { stepName: 'Account', contextEnc: '%7B%7D' };
test.each([
  ['saves a field', '/plugins/saveconfig/telephony', form],
  ['saves all settings', '/plugins/configure/telephony', form],
  ['tests the connection', '/telephony/test-connection', {}],
])(
  'keeps the password out of the crash log if Saltcorn fails while someone %s',
  async (_, path, fields) => {
    await crashLog.clear();
    jest.spyOn(model('metadata'), 'find').mockRejectedValue(new Error('The disk is full.'));
    await admin.post(path, { ...fields, ...settings() });
    const entries = await crashLog.entries();
    expect(entries.map(({ message, url }: Loose) => [message, url])).toEqual([
      ['The disk is full.', path],
    ]);
    const { username } = host.settings;
    expect(JSON.stringify(entries)).toContain(username);
    for (const secret of [password, authToken])
      expect(JSON.stringify(entries)).not.toContain(secret);
  },
);

test('makes a new key if a full disk left an incomplete one', async () => {
  process.env.SALTCORN_SESSION_SECRET = '';
  await saveSettings();
  writeFileSync(keyFile(), 'abc');
  await saveSettings();
  expect(await callCount()).toBeGreaterThan(0);
  expect(readFileSync(keyFile(), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
});
