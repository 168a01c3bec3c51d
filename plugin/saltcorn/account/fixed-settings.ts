import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import { definitions } from '../../../src/builder.ts';

/** The values of settings, by key. */
export type SettingValues = Record<string, unknown>;

const { manifest, settings } = definitions;

/** The environment variable that lists the tenants, besides the first one, whose settings are fixed. */
const tenantsVariable = `${manifest.id.toUpperCase()}_FIXED_TENANTS`;

/**
 * Whether the values fixed at startup apply to this tenant. Saltcorn itself applies them to every tenant, which would
 * give each the owner's account.
 */
function isFixedHere(): boolean {
  const tenant = db.getTenantSchema();
  const named = (process.env[tenantsVariable] ?? '').split(',').map((name) => name.trim());
  return tenant === db.connectObj.default_schema || named.includes(tenant);
}

/** Whether a setting is fixed at startup, so that the form has no field for it. */
export const isFixed = (key: string) =>
  isFixedHere() && getState().isFixedPluginConfig(manifest.id, key);

/** The values fixed at startup, for any tenant. */
const fixedAtStart = (): SettingValues =>
  db.connectObj.fixed_plugin_configuration?.[manifest.id] ?? {};

const storedByTenant = new Map<string, SettingValues>();

/** Remembers the configuration that a tenant stored, before Saltcorn overwrites it with fixed values. */
export function rememberStored(configuration: SettingValues) {
  storedByTenant.set(db.getTenantSchema(), configuration);
}

/** Restores the tenant's own values in a configuration that Saltcorn overwrote with values fixed for other tenants. */
export function ownConfiguration(configuration: SettingValues): SettingValues {
  const fixed = Object.keys(fixedAtStart());
  if (fixed.length === 0 || isFixedHere()) return configuration;
  const stored = storedByTenant.get(db.getTenantSchema()) ?? {};
  return { ...configuration, ...Object.fromEntries(fixed.map((key) => [key, stored[key]])) };
}

/** The tenant's settings as they are now. */
export const currentSettings = (): SettingValues =>
  ownConfiguration(getState().plugin_cfgs[manifest.id] ?? {});

/** The value of one of the plugin's own settings, if it is fixed at startup. */
export const fixedValue = (key: string): unknown =>
  isFixed(key) ? getState().plugin_cfgs[manifest.id]?.[key] : undefined;

/** The settings that are fixed at startup. */
export function fixedSettings(): SettingValues {
  const configuration = getState().plugin_cfgs[manifest.id] ?? {};
  const fixed = settings.fields.map(({ key }) => key).filter(isFixed);
  return Object.fromEntries(fixed.map((key) => [key, configuration[key]]));
}
