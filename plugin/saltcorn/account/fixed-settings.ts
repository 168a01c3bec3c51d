import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
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

/** What is fixed where Saltcorn starts, for whichever tenant. */
const fixedAtStart = (): SettingValues =>
  db.connectObj.fixed_plugin_configuration?.[manifest.id] ?? {};

const storedByTenant = new Map<string, SettingValues>();

/** Remembers the configuration that a tenant stored, before Saltcorn writes what is fixed over it. */
export function rememberStored(configuration: SettingValues) {
  storedByTenant.set(db.getTenantSchema(), configuration);
}

/** A configuration as Saltcorn hands it to the plugin, with the tenant's own values instead of those that are fixed for others. */
export function ownConfiguration(configuration: SettingValues): SettingValues {
  const fixed = Object.keys(fixedAtStart());
  if (fixed.length === 0 || isFixedHere()) return configuration;
  const stored = storedByTenant.get(db.getTenantSchema()) ?? {};
  return { ...configuration, ...Object.fromEntries(fixed.map((key) => [key, stored[key]])) };
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
