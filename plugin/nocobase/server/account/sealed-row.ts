import { isSealed, openSecrets, sealSecrets, secretKeys } from '../../../../src/builder.ts';
import { allSecretKeys, authTokenKey } from '../../secrets.ts';
import type { Application, Model } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

type Values = Record<string, unknown>;

/** The settings without the secrets. */
export const withoutSecrets = (settings: Values): Values =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !secretKeys.includes(key)));

/**
 * Encrypts each secret of an account together with its name and host, because workflows can change the rows of every
 * table.
 *
 * @param secrets the secrets, and the `baseUrl` they were entered with
 * @returns the columns to store
 */
export const sealedRow = ({ aesEncryptor }: Application, secrets: Values): Values =>
  Object.fromEntries(
    allSecretKeys.map((key) => {
      const bound = { [key]: secrets[key], baseUrl: textOf(secrets.baseUrl) };
      return [key, secrets[key] ? sealSecrets(bound, aesEncryptor.key) : ''];
    }),
  );

const opened = ({ aesEncryptor }: Application, row: Model, key: string): Values => {
  const text = textOf(row.get(key));
  return (isSealed(text) && openSecrets(text, aesEncryptor.key)) || {};
};

/**
 * Decrypts the secrets in an account's row, and the `baseUrl` they were entered with. Omits those that can't be
 * decrypted.
 */
export const openRow = (app: Application, row: Model): Values =>
  Object.assign({}, ...secretKeys.map((key) => opened(app, row, key)));

/** Decrypts the Auth Token that signs the account's webhooks. Empty if there is none that can be decrypted. */
export const openAuthToken = (app: Application, row: Model): string =>
  textOf(opened(app, row, authTokenKey)[authTokenKey]);

/**
 * Encrypts secrets again that an older version encrypted without their host. They are bound to the default Base URL: a
 * workflow may have written the one in the row.
 */
export async function sealOldRows(app: Application, rows: Model[]): Promise<void> {
  for (const row of rows) {
    const old = allSecretKeys.filter((key) => row.get(key) && !isSealed(row.get(key)));
    if (old.length === 0) continue;
    const decrypted = old.map(async (key) => {
      // If NocoBase's key has changed, the administrator enters the secret again.
      const secret = await app.aesEncryptor.decrypt(textOf(row.get(key))).catch(() => '');
      return [key, secret];
    });
    const sealed = sealedRow(app, Object.fromEntries(await Promise.all(decrypted)));
    await row.update(Object.fromEntries(old.map((key) => [key, sealed[key]])));
  }
}
