import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import Plugin from '@saltcorn/data/models/plugin';
import { definitions } from '../../../src/builder.ts';

/** Values of settings, by key. */
export type SettingValues = Record<string, unknown>;

const { manifest, settings } = definitions;

/** The variable that names the tenants, besides the first one, for which settings are fixed. */
const tenantsVariable = `${manifest.id.toUpperCase()}_FIXED_TENANTS`;

/** Whether what is fixed where Saltcorn starts is for this tenant. Saltcorn itself gives it to all, and so the owner's account. */
function isFixedHere(): boolean {
  const tenant = db.getTenantSchema();
  const named = (process.env[tenantsVariable] ?? '').split(',').map((name) => name.trim());
  return tenant === db.connectObj.default_schema || named.includes(tenant);
}

/** Whether a setting is fixed where Saltcorn starts, and therefore no field of the form. */
export const isFixed = (key: string) =>
  isFixedHere() && getState().isFixedPluginConfig(manifest.id, key);

/**
 * A configuration as Saltcorn hands it to the plugin, without what is fixed for other tenants: Saltcorn has written that over the
 * tenant's own.
 */
export async function ownConfiguration(configuration: SettingValues): Promise<SettingValues> {
  if (isFixedHere()) return configuration;
  return (await Plugin.findOne({ name: manifest.id }))?.configuration ?? {};
}

/** A value of this plugin's own that is fixed where Saltcorn starts. */
export const fixedValue = (key: string): unknown =>
  isFixed(key) ? getState().plugin_cfgs[manifest.id]?.[key] : undefined;

/** The settings that are fixed where Saltcorn starts. */
export function fixedSettings(): SettingValues {
  const configuration = getState().plugin_cfgs[manifest.id] ?? {};
  const fixed = settings.fields.map(({ key }) => key).filter(isFixed);
  return Object.fromEntries(fixed.map((key) => [key, configuration[key]]));
}
