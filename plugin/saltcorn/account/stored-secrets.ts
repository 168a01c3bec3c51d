import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import MetaData from '@saltcorn/data/models/metadata';
import Plugin from '@saltcorn/data/models/plugin';
import {
  definitions,
  openSecrets,
  pickAddresses,
  sealSecrets,
  secretKeys,
} from '../../../src/builder.ts';
import { retryWhileBusy } from '../database.ts';
import { fixedSettings, type SettingValues } from './fixed-settings.ts';
import { ownKey } from './own-key.ts';

const { manifest } = definitions;

// Saltcorn's packs, snapshots and editors contain a module's configuration, but not this table.
const place = { type: 'Module secrets', name: manifest.id };

/** Returns the stored text; empty if there is none. */
const newestSealed = async (): Promise<string> => {
  const newestFirst = { orderBy: 'id', orderDesc: true };
  const [newest] = await retryWhileBusy(() => MetaData.find<SettingValues>(place, newestFirst));
  return String(newest?.body.sealed ?? '');
};

/** A tenant has one account. All tenants share the key. */
const owner = () => [db.getTenantSchema()];

// The stored secrets that the log has reported.
const unreadable = new Set<string>();

/** The tenant's secrets, and the addresses that they were entered for. */
export async function storedSecrets(): Promise<SettingValues> {
  const sealed = await newestSealed();
  if (!sealed) return {};
  const secrets = openSecrets(sealed, await ownKey(), owner());
  if (!secrets && !unreadable.has(sealed))
    getState().log(
      1,
      "The stored password cannot be decrypted: Saltcorn's session secret has changed, or the password was stored for another tenant. Enter it again in the module's settings.",
    );
  if (!secrets) unreadable.add(sealed);
  return secrets ?? {};
}

const deleteStored = (where: object): Promise<void> =>
  retryWhileBusy(() => db.deleteWhere('_sc_metadata', where));

// Encrypts the secrets, because database dumps and Saltcorn's SQL log contain them.
async function storeSecrets(secrets: SettingValues) {
  const sealed = sealSecrets(secrets, await ownKey(), owner());
  const { id } = await retryWhileBusy(() => MetaData.create({ ...place, body: { sealed } }));
  // If two requests save at once, both delete the older entries, and the newest counts.
  await deleteStored({ ...place, id: { lt: id } });
}

/** Deletes the secrets. */
export const forgetSecrets = (): Promise<void> => deleteStored(place);

const secretsIn = (values: SettingValues, keys: readonly string[]): SettingValues =>
  Object.fromEntries(keys.filter((key) => values[key]).map((key) => [key, values[key]]));

const hasSecrets = (values: SettingValues, keys: readonly string[]) =>
  Object.keys(secretsIn(values, keys)).length > 0;

/** The key of the Auth Token that signs webhooks, if it isn't the password. */
export const authTokenKey = 'authToken';

/** The keys of all secrets: those of the account, which are for its host, and the Auth Token. */
export const allSecretKeys = [...secretKeys, authTokenKey];

/**
 * Removes the secrets from the body of a request: if anything fails, Saltcorn's crash log stores the body.
 *
 * @param body the body, which loses its secrets
 * @returns everything that was in it
 */
export function takeTyped(body: SettingValues): SettingValues {
  const typed = { ...body };
  for (const key of allSecretKeys) delete body[key];
  return typed;
}

const withAddresses = (secrets: SettingValues, settings: SettingValues): SettingValues => ({
  ...secrets,
  ...pickAddresses({ ...settings, ...fixedSettings() }),
});

/** The account's secrets replace each other together, because they are for one host. */
function withStored(values: SettingValues, known: SettingValues): SettingValues {
  const typed = secretsIn(values, allSecretKeys);
  if (!hasSecrets(values, secretKeys)) return { ...known, ...typed };
  return withAddresses({ ...secretsIn(known, [authTokenKey]), ...typed }, values);
}

/** Removes the secrets from settings, and stores those that aren't blank. */
export async function takeSecrets(values: SettingValues): Promise<void> {
  if (hasSecrets(values, allSecretKeys))
    await storeSecrets(withStored(values, await storedSecrets()));
  for (const key of allSecretKeys) delete values[key];
}

/**
 * Removes the secrets from a configuration that Saltcorn loads or installs, because it came with a pack.
 *
 * @param configuration from Saltcorn; during an installation, the object that it stores afterwards
 */
export async function moveSecrets(configuration: unknown): Promise<void> {
  const given: SettingValues =
    (typeof configuration === 'string' ? JSON.parse(configuration) : configuration) ?? {};
  const plugin = await Plugin.findOne({ name: manifest.id });
  if (plugin?.configuration && hasSecrets(plugin.configuration, allSecretKeys)) {
    await takeSecrets(plugin.configuration);
    await plugin.upsert();
  }
  await takeSecrets(given);
}
