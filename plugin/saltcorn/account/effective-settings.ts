import { secretKeys } from '../../../src/builder.ts';
import { fixedSettings, isFixed, type SettingValues } from './fixed-settings.ts';

/** An account's settings in the form, and the stored secrets. */
export interface EffectiveSettings {
  /** Without secrets that the user left blank. */
  typed: SettingValues;
  /** Those secrets, and the settings that they were entered with. */
  stored: SettingValues;
}

/**
 * Replaces typed settings by those that are fixed at startup. A fixed secret is for the fixed host, not for one in the
 * form.
 *
 * @param typed the values of the form, or the stored ones
 * @param stored the stored secrets
 */
export function effectiveSettings(typed: SettingValues, stored: SettingValues): EffectiveSettings {
  const fixed = fixedSettings();
  const fixedSecrets = secretKeys.filter(isFixed);
  return {
    typed: { ...typed, ...fixed, ...Object.fromEntries(fixedSecrets.map((key) => [key, ''])) },
    stored: fixedSecrets.length > 0 ? fixed : stored,
  };
}
