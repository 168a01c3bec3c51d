import { isSealed, openSecrets, sealSecrets, secretKeys } from '../../../../src/builder.ts';
import { allSecretKeys, authTokenKey } from '../../secrets.ts';
import type { Application, Model } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

type Values = Record<string, unknown>;

/** Settings without the secrets. */
export const withoutSecrets = (settings: Values): Values =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !secretKeys.includes(key)));

/**
 * The columns of an account's secrets, each encrypted together with its name and the host that it is for: workflows can change the
 * rows of every table.
 *
 * @param secrets the secrets, and the `baseUrl` that they were typed with
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

/** The secrets of an account's row, and the `baseUrl` that they were typed with. What cannot be decrypted is not there. */
export const openRow = (app: Application, row: Model): Values =>
  Object.assign({}, ...secretKeys.map((key) => opened(app, row, key)));

/** What the service signs the account's events by; empty where the row holds none that can be decrypted. */
export const openAuthToken = (app: Application, row: Model): string =>
  textOf(opened(app, row, authTokenKey)[authTokenKey]);

/**
 * Encrypts secrets that an older version has encrypted without their host. They are for the default Base URL from then on: the row's
 * may be one that a workflow has written there.
 */
export async function sealOldRows(app: Application, rows: Model[]): Promise<void> {
  for (const row of rows) {
    const old = allSecretKeys.filter((key) => row.get(key) && !isSealed(row.get(key)));
    if (old.length === 0) continue;
    const decrypted = old.map(async (key) => {
      // NocoBase's key may have changed: then the secret is typed again.
      const secret = await app.aesEncryptor.decrypt(textOf(row.get(key))).catch(() => '');
      return [key, secret];
    });
    const sealed = sealedRow(app, Object.fromEntries(await Promise.all(decrypted)));
    await row.update(Object.fromEntries(old.map((key) => [key, sealed[key]])));
  }
}
