import { openSecrets, pickAddresses, sealSecrets, secretKeys } from '../../../../src/builder.ts';
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
 * Encrypts each secret of an account together with its name, hosts and account, because workflows can change the rows
 * of every table.
 *
 * @param account the account's key
 * @param secrets the secrets, and the addresses they were entered with
 * @returns the columns to store
 */
export const sealedRow = (app: Application, account: string, secrets: Values): Values =>
  Object.fromEntries(
    allSecretKeys.map((key) => {
      const bound = { ...pickAddresses(secrets), [key]: secrets[key] };
      const owner = ownerOf(app, account);
      return [key, secrets[key] ? sealSecrets(bound, app.aesEncryptor.key, owner) : ''];
    }),
  );

function opened(app: Application, row: Model, key: string): Values {
  const owner = ownerOf(app, row.get('key'));
  return openSecrets(textOf(row.get(key)), app.aesEncryptor.key, owner) ?? {};
}

/**
 * Decrypts the secrets in an account's row, and the addresses they were entered with. Omits those that can't be
 * decrypted.
 */
export const openRow = (app: Application, row: Model): Values =>
  Object.assign({}, ...secretKeys.map((key) => opened(app, row, key)));

/** Decrypts the Auth Token that signs the account's webhooks. Empty if there is none that can be decrypted. */
export const openAuthToken = (app: Application, row: Model): string =>
  textOf(opened(app, row, authTokenKey)[authTokenKey]);
