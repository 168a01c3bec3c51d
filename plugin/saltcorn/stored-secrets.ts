import { getState } from '@saltcorn/data/db/state';
import { definitions } from '../../src/index.ts';

const { manifest, settings } = definitions;

/** The keys of the settings that are never shown again. */
export const secretKeys = settings.fields
  .filter((field) => field.type === 'secret')
  .map(({ key }) => key);

/** Whether there is a value for a setting already. */
export const isStored = (key: string) => Boolean(getState().plugin_cfgs[manifest.id]?.[key]);

/**
 * Puts the stored secrets where the form was left blank.
 *
 * @param values the values of the settings form
 */
export function withStoredSecrets(values: Record<string, unknown>): Record<string, unknown> {
  const blank = secretKeys.filter(
    (key) => !values[key] && !getState().isFixedPluginConfig(manifest.id, key),
  );
  const stored = getState().plugin_cfgs[manifest.id] ?? {};
  return { ...values, ...Object.fromEntries(blank.map((key) => [key, stored[key]])) };
}
