import { secretKeys } from '../../../src/builder.ts';
import { fixedSettings, isFixed, type SettingValues } from './fixed-settings.ts';

/** The settings of an account as they are typed, with what is stored of them. */
export interface EffectiveSettings {
  /** Without the secrets that were left blank. */
  typed: SettingValues;
  /** Those secrets, and the settings that they were given with. */
  stored: SettingValues;
}

/**
 * The settings as they work: what is fixed where Saltcorn starts replaces what is typed. A secret that is fixed
 * there is for the host that is fixed there, and not for one that is typed into the form.
 *
 * @param typed the values of the form, or what was stored of them
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
