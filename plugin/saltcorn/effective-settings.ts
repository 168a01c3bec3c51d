import { getState } from '@saltcorn/data/db/state';
import { definitions } from '../../src/index.ts';

/** The values of the settings, by key. */
type Values = Record<string, unknown>;

const { manifest, settings } = definitions;

/** The keys of the settings that are never shown again. */
export const secretKeys: string[] = settings.fields
  .filter((field) => field.type === 'secret')
  .map(({ key }) => key);

const stored = (): Values => getState().plugin_cfgs[manifest.id] ?? {};

/** Whether a setting is fixed where Saltcorn starts, and therefore no field of the form. */
export const isFixed = (key: string) => getState().isFixedPluginConfig(manifest.id, key);

/** Whether there is a value for a setting already. */
export const isStored = (key: string) => Boolean(stored()[key]);

const storedValues = (keys: string[]): Values =>
  Object.fromEntries(keys.map((key) => [key, stored()[key]]));

/** The stored secrets that a form left blank. */
export const blankSecrets = (typed: Values): Values =>
  storedValues(secretKeys.filter((key) => !typed[key] && !isFixed(key)));

/**
 * The settings as they work when a form is saved: what is typed, stored secrets where it was left blank, and what
 * is fixed where Saltcorn starts.
 *
 * @param typed the values of the form
 */
export const effectiveSettings = (typed: Values): Values => ({
  ...typed,
  ...blankSecrets(typed),
  ...storedValues(settings.fields.map(({ key }) => key).filter(isFixed)),
});
