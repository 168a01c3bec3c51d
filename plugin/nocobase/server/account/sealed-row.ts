import { isSealed, openSecrets, sealSecrets, secretKeys } from '../../../../src/builder.ts';
import type { Application, Model } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

type Values = Record<string, unknown>;

/** Settings without the secrets. */
export const withoutSecrets = (settings: Values): Values =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !secretKeys.includes(key)));

/**
 * The columns of an account's secrets, each encrypted together with the host that it is for: workflows can change the rows of
 * every table.
 *
 * @param secrets the secrets, and the `baseUrl` that they were typed with
 */
export const sealedRow = ({ aesEncryptor }: Application, secrets: Values): Values =>
  Object.fromEntries(
    secretKeys.map((key) => {
      const bound = { [key]: secrets[key], baseUrl: textOf(secrets.baseUrl) };
      return [key, secrets[key] ? sealSecrets(bound, aesEncryptor.key) : ''];
    }),
  );

/** The secrets of an account's row, and the `baseUrl` that they were typed with. What cannot be decrypted is not there. */
export function openRow({ aesEncryptor }: Application, row: Model): Values {
  const sealed = secretKeys.map((key) => textOf(row.get(key))).filter(isSealed);
  return Object.assign({}, ...sealed.map((text) => openSecrets(text, aesEncryptor.key)));
}

/** Encrypts secrets that an older version has encrypted without their host. */
export async function sealOldRows(app: Application, rows: Model[]): Promise<void> {
  for (const row of rows) {
    const old = secretKeys.filter((key) => row.get(key) && !isSealed(row.get(key)));
    if (old.length === 0) continue;
    const decrypted = old.map(async (key) => {
      // NocoBase's key may have changed: then the password is typed again.
      const secret = await app.aesEncryptor.decrypt(textOf(row.get(key))).catch(() => '');
      return [key, secret];
    });
    const secrets = {
      baseUrl: row.get('baseUrl'),
      ...Object.fromEntries(await Promise.all(decrypted)),
    };
    const sealed = sealedRow(app, secrets);
    await row.update(Object.fromEntries(old.map((key) => [key, sealed[key]])));
  }
}
