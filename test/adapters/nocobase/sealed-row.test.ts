import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import { sealedRow } from '../../../plugin/nocobase/server/account/sealed-row.ts';
import { settingsOf } from '../../../plugin/nocobase/server/account/stored-account.ts';
import type { Application, Model } from '../../../plugin/nocobase/server/nocobase.ts';
import { sealedWithoutOwner } from '../../support/sealed-without-owner.ts';

type Values = Record<string, unknown>;

const baseUrl = 'https://api.example.com';
const secrets = { password: 'Open5aSesame', baseUrl };
const authToken = 'Shut5aSesame';
const row = { key: 'telephony', username: 'AC1', baseUrl };

/** NocoBase's own encryption, which does not detect changes. */
function encryptor(key = randomBytes(32)): Application['aesEncryptor'] {
  return {
    key,
    encrypt: async (text) => {
      const iv = randomBytes(16);
      const cipher = createCipheriv('aes-256-cbc', key, iv);
      return iv.toString('hex') + cipher.update(text, 'utf8', 'hex') + cipher.final('hex');
    },
    decrypt: async (text) => {
      const cipher = createDecipheriv('aes-256-cbc', key, Buffer.from(text.slice(0, 32), 'hex'));
      return cipher.update(text.slice(32), 'hex', 'utf8') + cipher.final('utf8');
    },
  };
}

/** A NocoBase app with one account, whose row a test can change. */
function open(values: Values, aesEncryptor = encryptor(), name = 'main') {
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

test('opens no secret that was changed, or that another NocoBase stored', async () => {
  const { accounts, values } = sealed();
  const { password } = values;
  values.password = String(password).replace(/\.(.)/, (_, first) => (first === 'A' ? '.B' : '.A'));
  expect((await settings(accounts)).password).toBe('');
  const other = open({ ...row, password });
  expect((await settings(other.accounts)).password).toBe('');
});

const evil = 'https://evil.example.com';
const ofOlderVersion = async (values: Values) => {
  const aesEncryptor = encryptor();
  const encrypted = Object.entries({ password: secrets.password, authToken }).map(
    async ([key, secret]) => [key, await aesEncryptor.encrypt(secret)],
  );
  const stored = Object.fromEntries(await Promise.all(encrypted));
  return open({ ...row, ...stored, ...values }, aesEncryptor);
};

test('keeps the secrets of an older version for the default Base URL', async () => {
  const { accounts, values } = await ofOlderVersion({ baseUrl: '' });
  expect((await settings(accounts)).password).toBe('');
  await accounts.sealOld();
  expect((await settings(accounts)).password).toBe(secrets.password);
  expect((await accounts.get('telephony')).authToken).toBe(authToken);
  values.baseUrl = evil;
  await accounts.sealOld();
  await expect(settings(accounts)).rejects.toThrow('sent nowhere else');
});

test('requires the password of an older version again for another Base URL', async () => {
  const { accounts } = await ofOlderVersion({ baseUrl: evil });
  await accounts.sealOld();
  await expect(settings(accounts)).rejects.toThrow(
    `was entered for https://api.twilio.com and is sent nowhere else. Enter it again to use the Base URL ${evil}.`,
  );
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
  await accounts.sealOld();
  const account = await accounts.get(undefined);
  expect([settingsOf(account).password, account.authToken]).toEqual(['', '']);
});

test('keeps the secrets that version 0.2.0 encrypted without their account', async () => {
  const aesEncryptor = encryptor();
  const earlier = { password: secrets.password, authToken };
  const stored = Object.entries(earlier).map(([key, secret]) => [
    key,
    sealedWithoutOwner({ [key]: secret, baseUrl }, aesEncryptor.key),
  ]);
  const { accounts, values } = open({ ...row, ...Object.fromEntries(stored) }, aesEncryptor);
  expect((await settings(accounts)).password).toBe('');
  await accounts.sealOld();
  expect(await settings(accounts)).toMatchObject(secrets);
  expect((await accounts.get('telephony')).authToken).toBe(authToken);
  values.key = 'telephony2';
  await accounts.sealOld();
  expect(settingsOf(await accounts.get(undefined)).password).toBe('');
});

test('opens the other accounts and secrets if one cannot be decrypted', async () => {
  const { accounts, values } = sealed({ authToken });
  values.authToken = 'written by a workflow';
  expect(await accounts.all()).toMatchObject([{ key: 'telephony', authToken: '' }]);
  expect(await settings(accounts)).toMatchObject(secrets);
});

test('starts even if NocoBase has another key than an older version had', async () => {
  const password = await encryptor().encrypt(secrets.password);
  const { accounts } = open({ ...row, password });
  await accounts.sealOld();
  expect((await settings(accounts)).password).toBe('');
});
