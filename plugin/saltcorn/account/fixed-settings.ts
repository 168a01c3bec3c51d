import { getState } from '@saltcorn/data/db/state';
import { definitions } from '../../../src/index.ts';

/** Values of settings, by key. */
export type SettingValues = Record<string, unknown>;

const { manifest, settings } = definitions;

/** Whether a setting is fixed where Saltcorn starts, and therefore no field of the form. */
export const isFixed = (key: string) => getState().isFixedPluginConfig(manifest.id, key);

/** A value of this plugin's own that is fixed where Saltcorn starts. */
export const fixedValue = (key: string): unknown =>
  isFixed(key) ? getState().plugin_cfgs[manifest.id]?.[key] : undefined;

/** The settings that are fixed where Saltcorn starts. */
export function fixedSettings(): SettingValues {
  const configuration = getState().plugin_cfgs[manifest.id] ?? {};
  const fixed = settings.fields.map(({ key }) => key).filter(isFixed);
  return Object.fromEntries(fixed.map((key) => [key, configuration[key]]));
}
