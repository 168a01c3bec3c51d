import { getState } from '@saltcorn/data/db/state';
import { definitions, secretKeys } from '../../../src/index.ts';
import type { Values } from './stored-secrets.ts';

const { manifest, settings } = definitions;

/** Whether a setting is fixed where Saltcorn starts, and therefore no field of the form. */
export const isFixed = (key: string) => getState().isFixedPluginConfig(manifest.id, key);

const chosen = (values: Values, keys: string[]): Values =>
  Object.fromEntries(keys.map((key) => [key, values[key]]));

function fixedSettings(): Values {
  const configuration = getState().plugin_cfgs[manifest.id] ?? {};
  return chosen(configuration, settings.fields.map(({ key }) => key).filter(isFixed));
}

/**
 * The settings as they work: what is typed, stored secrets where it was left blank, and what is fixed where Saltcorn
 * starts.
 *
 * @param typed the values of the form, or what was stored of them
 * @param secrets the stored secrets
 */
export const effectiveSettings = (typed: Values, secrets: Values): Values => ({
  ...typed,
  ...chosen(
    secrets,
    secretKeys.filter((key) => !typed[key]),
  ),
  ...fixedSettings(),
});
