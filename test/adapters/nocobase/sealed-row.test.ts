import { randomBytes } from 'node:crypto';
import { Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import { sealedRow } from '../../../plugin/nocobase/server/account/sealed-row.ts';
import { settingsOf } from '../../../plugin/nocobase/server/account/stored-account.ts';
import type { Application, Model } from '../../../plugin/nocobase/server/nocobase.ts';

type Values = Record<string, unknown>;

const baseUrl = 'https://api.example.com';
const secrets = { password: 'Open5aSesame', baseUrl };
const authToken = 'Shut5aSesame';
const row = { key: 'telephony', username: 'AC1', baseUrl };

/** A NocoBase app with one account, whose row a test can change. */
function open(
  values: Values,
  aesEncryptor: Application['aesEncryptor'] = { key: randomBytes(32) },
  name = 'main',
) {
  const model: Model = {
    get: (key) => values[key],
    toJSON: () => ({ ...values }),
    update: async (changes) => Object.assign(values, changes),
  };
  const rows = { find: async () => [model], findOne: async () => model };
  // The parts of NocoBase that an account uses.
  const app = { name, aesEncryptor, db: { getRepository: () => rows } } as unknown as Application;
  return { app, accounts: new Accounts(app), values };
}

const sealed = (others: Values = {}) => {
  const { app, accounts, values } = open({ ...row });
  Object.assign(values, sealedRow(app, row.key, { ...secrets, ...others }));
  return { app, accounts, values };
};
const settings = async (accounts: Accounts) => settingsOf(await accounts.get('telephony'));

test('opens what it stored', async () => {
  const { accounts, values } = sealed();
  expect(await settings(accounts)).toMatchObject({ username: 'AC1', ...secrets });
  expect(JSON.stringify(values)).not.toContain(secrets.password);
});

test.each(['https://evil.example.com', '', null, 'http://127.0.0.1:9'])(
  'sends a stored password to no host that was changed outside of the form: %s',
  async (other) => {
    const { accounts, values } = sealed();
    values.baseUrl = other;
    const account = await accounts.get('telephony');
    expect(() => account.telephony()).toThrow(
      /was entered for https:\/\/api\.example\.com and is sent/,
    );
  },
);

test('sends a stored password to no sister host that was changed outside of the form', async () => {
  const { accounts, values } = sealed({ lookupsUrl: 'https://lookups.example.com' });
  values.lookupsUrl = 'https://lookups.example.com/v2';
  expect(await settings(accounts)).toMatchObject({ password: secrets.password });
  values.lookupsUrl = 'https://evil.example.com';
  const account = await accounts.get('telephony');
  expect(() => account.telephony()).toThrow(/to use the Lookup URL https:\/\/evil\.example\.com/);
});

test('opens no secret that was changed, or that another NocoBase stored', async () => {
  const { accounts, values } = sealed();
  const { password } = values;
  values.password = String(password).replace(/\.(.)/, (_, first) => (first === 'A' ? '.B' : '.A'));
  expect((await settings(accounts)).password).toBe('');
  const other = open({ ...row, password });
  expect((await settings(other.accounts)).password).toBe('');
});

test('opens no secret under the name of another one', async () => {
  const { accounts, values } = sealed({ authToken });
  values.password = values.authToken;
  expect((await settings(accounts)).password).toBe('');
});

test.each([
  ['account', { key: 'telephony2' }, 'main'],
  ['sub-app', {}, 'shop'],
])('opens no secret of another %s', async (_, change, name) => {
  const { app, values } = sealed({ authToken });
  const { accounts } = open({ ...values, ...change }, app.aesEncryptor, name);
  const account = await accounts.get(undefined);
  expect([settingsOf(account).password, account.authToken]).toEqual(['', '']);
});

test('opens the other accounts and secrets if one cannot be decrypted', async () => {
  const { accounts, values } = sealed({ authToken });
  values.authToken = 'written by a workflow';
  expect(await accounts.all()).toMatchObject([{ key: 'telephony', authToken: '' }]);
  expect(await settings(accounts)).toMatchObject(secrets);
});
