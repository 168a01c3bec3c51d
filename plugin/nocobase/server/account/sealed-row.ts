import {
  isSealed,
  openSecrets,
  sealForOwner,
  sealSecrets,
  secretKeys,
} from '../../../../src/builder.ts';
import { allSecretKeys, authTokenKey } from '../../secrets.ts';
import type { Application, Model } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

type Values = Record<string, unknown>;

/** The settings without the secrets. */
export const withoutSecrets = (settings: Values): Values =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !secretKeys.includes(key)));

/** A sub-app is a tenant of its own. */
const ownerOf = ({ name }: Application, account: unknown) => [name, textOf(account)];

/**
 * Encrypts each secret of an account together with its name, host and account, because workflows can change the rows
 * of every table.
 *
 * @param account the account's key
 * @param secrets the secrets, and the `baseUrl` they were entered with
 * @returns the columns to store
 */
export const sealedRow = (app: Application, account: string, secrets: Values): Values =>
  Object.fromEntries(
    allSecretKeys.map((key) => {
      const bound = { [key]: secrets[key], baseUrl: textOf(secrets.baseUrl) };
      const owner = ownerOf(app, account);
      return [key, secrets[key] ? sealSecrets(bound, app.aesEncryptor.key, owner) : ''];
    }),
  );

function opened(app: Application, row: Model, key: string): Values {
  const owner = ownerOf(app, row.get('key'));
  return openSecrets(textOf(row.get(key)), app.aesEncryptor.key, owner) ?? {};
}

/**
 * Decrypts the secrets in an account's row, and the `baseUrl` they were entered with. Omits those that can't be
 * decrypted.
 */
export const openRow = (app: Application, row: Model): Values =>
  Object.assign({}, ...secretKeys.map((key) => opened(app, row, key)));

/** Decrypts the Auth Token that signs the account's webhooks. Empty if there is none that can be decrypted. */
export const openAuthToken = (app: Application, row: Model): string =>
  textOf(opened(app, row, authTokenKey)[authTokenKey]);

/** Decrypts a secret that version 0.1.0 stored. Without NocoBase's key of then, the administrator enters it again. */
const decrypted = ({ aesEncryptor }: Application, text: string): Promise<string> =>
  aesEncryptor.decrypt(text).catch(() => '');

/** Returns a secret of an older version as it is stored now; undefined if it needs no change. */
async function sealedAgain(app: Application, row: Model, key: string): Promise<unknown> {
  const text = textOf(row.get(key));
  const account = textOf(row.get('key'));
  if (isSealed(text)) return sealForOwner(text, app.aesEncryptor.key, ownerOf(app, account));
  return text ? sealedRow(app, account, { [key]: await decrypted(app, text) })[key] : undefined;
}

/**
 * Encrypts secrets again that an older version encrypted without their account or host. Those without a host are bound
 * to the default Base URL: a workflow may have written the one in the row.
 */
export async function sealOldRows(app: Application, rows: Model[]): Promise<void> {
  for (const row of rows) {
    const sealed = await Promise.all(
      allSecretKeys.map(async (key) => [key, await sealedAgain(app, row, key)]),
    );
    const changes = sealed.filter(([, value]) => value !== undefined);
    if (changes.length > 0) await row.update(Object.fromEntries(changes));
  }
}
