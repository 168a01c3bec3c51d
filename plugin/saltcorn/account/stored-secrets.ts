import MetaData from '@saltcorn/data/models/metadata';
import Plugin from '@saltcorn/data/models/plugin';
import { definitions, secretKeys } from '../../../src/index.ts';

/** Values of settings, by key. */
export type Values = Record<string, unknown>;

const { manifest } = definitions;

// Packs, snapshots and Saltcorn's editors show the configuration of a module, but nothing of this table.
const place = { type: 'Module secrets', name: manifest.id };

async function findRecord() {
  const [record] = await MetaData.find(place, { orderBy: 'id' });
  return record;
}

const secretsIn = (values: Values): Values =>
  Object.fromEntries(secretKeys.filter((key) => values[key]).map((key) => [key, values[key]]));

/** The secrets of this Saltcorn, or of this tenant of it; none when none were stored yet. */
export const storedSecrets = async (): Promise<Values> => (await findRecord())?.body ?? {};

/** Takes the secrets out of settings, and stores those that are not blank. */
export async function takeSecrets(values: Values): Promise<void> {
  const secrets = secretsIn(values);
  if (Object.keys(secrets).length > 0) {
    const record = await findRecord();
    const body = { ...record?.body, ...secrets };
    if (record) await record.update({ body, written_at: new Date() });
    else await MetaData.create({ ...place, body });
  }
  for (const key of secretKeys) delete values[key];
}

/** Forgets the secrets. */
export async function forgetSecrets(): Promise<void> {
  await (await findRecord())?.delete();
}

/**
 * Takes the secrets out of a configuration that Saltcorn loads or installs: one that a pack brought, or an older
 * version stored.
 *
 * @param configuration what Saltcorn hands over; when it installs, the very object that it stores afterwards
 */
export async function moveSecrets(configuration: unknown): Promise<void> {
  const stored = await Plugin.findOne({ name: manifest.id });
  if (stored?.configuration && Object.keys(secretsIn(stored.configuration)).length > 0) {
    await takeSecrets(stored.configuration);
    await stored.upsert();
  }
  const given = typeof configuration === 'string' ? JSON.parse(configuration) : configuration;
  await takeSecrets(given ?? {});
}
