import { getState } from '@saltcorn/data/db/state';
import Plugin from '@saltcorn/data/models/plugin';
import {
  definitions,
  isSealed,
  openSecrets,
  sealSecrets,
  secretKeys,
} from '../../../src/builder.ts';
import { findStored, forget, store } from '../metadata.ts';
import { fixedSettings, type SettingValues } from './fixed-settings.ts';
import { ownKey } from './own-key.ts';

const { manifest } = definitions;

// Packs, snapshots and Saltcorn's editors show the configuration of a module, but nothing of this table.
const place = { type: 'Module secrets', name: manifest.id };

const newestBody = async (): Promise<SettingValues> => {
  const [newest] = await findStored<SettingValues>(place, { orderBy: 'id', orderDesc: true });
  return newest?.body ?? {};
};

// Of which the log has said so.
const unreadable = new Set<string>();

/** The secrets of this Saltcorn, or of this tenant of it, and the base URL that they were given for. */
export async function storedSecrets(): Promise<SettingValues> {
  const body = await newestBody();
  if (!isSealed(body.sealed)) return body;
  const secrets = openSecrets(body.sealed, await ownKey());
  if (!secrets && !unreadable.has(body.sealed))
    getState().log(
      1,
      "The stored password cannot be decrypted, because Saltcorn's session secret has changed. Enter the password again in the module's settings.",
    );
  if (!secrets) unreadable.add(body.sealed);
  return secrets ?? {};
}

// Dumps of the database and its log of SQL hold what is stored here. Two may be saved at once: both delete the older ones, and
// the newest counts.
async function storeSecrets(secrets: SettingValues) {
  const sealed = sealSecrets(secrets, await ownKey());
  const { id } = await store({ ...place, body: { sealed } });
  await forget({ ...place, id: { lt: id } });
}

/** Forgets the secrets. */
export const forgetSecrets = (): Promise<void> => forget(place);

const secretsIn = (values: SettingValues, keys: readonly string[]): SettingValues =>
  Object.fromEntries(keys.filter((key) => values[key]).map((key) => [key, values[key]]));

const hasSecrets = (values: SettingValues, keys: readonly string[]) =>
  Object.keys(secretsIn(values, keys)).length > 0;

/** The key of what events are signed by, where that is not the password. */
export const authTokenKey = 'authToken';

/** The keys of all secrets: those of the account, which are for its host, and what events are signed by. */
export const allSecretKeys = [...secretKeys, authTokenKey];

/**
 * Takes what was typed out of the body of a request, and leaves no secret in it: if anything fails, Saltcorn's crash log gets the body.
 *
 * @param body the body, which loses its secrets
 * @returns all that was in it
 */
export function takeTyped(body: SettingValues): SettingValues {
  const typed = { ...body };
  for (const key of allSecretKeys) delete body[key];
  return typed;
}

const withAddress = (secrets: SettingValues, settings: SettingValues): SettingValues => ({
  ...secrets,
  baseUrl: { ...settings, ...fixedSettings() }.baseUrl ?? '',
});

/** Those of the account replace each other together, since they are for one host. */
function withStored(values: SettingValues, known: SettingValues): SettingValues {
  const typed = secretsIn(values, allSecretKeys);
  if (!hasSecrets(values, secretKeys)) return { ...known, ...typed };
  return withAddress({ ...secretsIn(known, [authTokenKey]), ...typed }, values);
}

/** Takes the secrets out of settings, and stores those that are not blank. */
export async function takeSecrets(values: SettingValues): Promise<void> {
  if (hasSecrets(values, allSecretKeys))
    await storeSecrets(withStored(values, await storedSecrets()));
  for (const key of allSecretKeys) delete values[key];
}

/**
 * Takes the secrets out of a configuration that Saltcorn loads or installs: one that a pack brought, or an older
 * version stored. Secrets that were stored in clear are encrypted, and those that were stored without the base URL that they
 * are for get the one that they were used with.
 *
 * @param configuration what Saltcorn hands over; when it installs, the very object that it stores afterwards
 */
export async function moveSecrets(configuration: unknown): Promise<void> {
  const given: SettingValues =
    (typeof configuration === 'string' ? JSON.parse(configuration) : configuration) ?? {};
  const plugin = await Plugin.findOne({ name: manifest.id });
  const known = await newestBody();
  if (hasSecrets(known, allSecretKeys)) {
    const isBound = !hasSecrets(known, secretKeys) || known.baseUrl !== undefined;
    await storeSecrets(isBound ? known : withAddress(known, plugin?.configuration ?? given));
  }
  if (plugin?.configuration && hasSecrets(plugin.configuration, allSecretKeys)) {
    await takeSecrets(plugin.configuration);
    await plugin.upsert();
  }
  await takeSecrets(given);
}
