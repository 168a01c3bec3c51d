import { definitions } from '../../generated/definitions.ts';
import type { TelephonySettings } from './check-settings.ts';

/**
 * Picks the plugin's settings from the values that a builder stores. Missing settings are empty.
 *
 * @param values the stored values, by key; nothing if the builder stored none
 */
export const pickSettings = (values: object | null | undefined): TelephonySettings => {
  const stored = new Map(Object.entries(values ?? {}));
  const pairs = definitions.settings.fields.map(({ key }) => [key, stored.get(key) ?? '']);
  return Object.fromEntries(pairs);
};
