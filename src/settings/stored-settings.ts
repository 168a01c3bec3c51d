import { definitions } from '../../generated/definitions.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { parseUrl } from '../text/parse-url.ts';
import { sentence } from '../text/sentence.ts';
import { checkUrl, hostUrl, settingsError, type TelephonySettings } from './check-settings.ts';

/** The keys of the secret settings, which are never shown again or stored readably. */
export const secretKeys: readonly string[] = definitions.settings.fields
  .filter(({ type }) => fieldTypes[type].isSecret)
  .map(({ key }) => key);

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

const { fields, hosts } = definitions.settings;
const defaultBaseUrl = fields.find(({ key }) => key === 'baseUrl')?.default ?? '';
const requiredFields = fields.filter(({ key, required }) => required && !secretKeys.includes(key));

/** The keys of the settings with the addresses that the secrets are sent to. */
export const addressKeys: readonly string[] = ['baseUrl', ...hosts.map(({ setting }) => setting)];

/** Picks the addresses that secrets are entered with, to be stored with them. Missing ones are empty. */
export const pickAddresses = (values: object): Record<string, unknown> =>
  Object.fromEntries(addressKeys.map((key) => [key, Reflect.get(values, key) ?? '']));

const valueIn = (settings: TelephonySettings, key: string) =>
  new Map(Object.entries(settings)).get(key);

/** Returns the base URL or its default; empty if it isn't text. */
function baseUrlOf({ baseUrl }: { baseUrl?: unknown }): string {
  const entered = baseUrl ?? '';
  return typeof entered === 'string' ? entered.trim() || defaultBaseUrl : '';
}

const originOf = (url: string) => parseUrl(url)?.origin ?? url;

/** Returns the addresses of settings, as far as they are known, by the keys of their settings. The first is the base URL. */
function addressesOf(settings: TelephonySettings): [key: string, url: string][] {
  const baseUrl = baseUrlOf(settings);
  const sisters = hosts.map((host) => [host.setting, hostUrl(host, { ...settings, baseUrl })]);
  return [['baseUrl', baseUrl], ...sisters].flatMap(([key = '', url]) =>
    url === undefined ? [] : [[key, url]],
  );
}

/**
 * Fills stored secrets into settings whose secret fields were left empty, but only for the host that the secrets were entered for. For
 * another host the user must enter them again. Otherwise, anyone who can change the base URL, or that of a sister host, could have the
 * secrets sent to their own host.
 *
 * @param typed the settings in the form, by key; an empty secret means the stored one
 * @param stored the secrets and the addresses that they were entered with, by key, such as the `baseUrl`
 * @returns settings for `connect`; without stored secrets if they are for another host and another required setting is missing, which
 *   is then the error to report
 * @throws {TelephonyError} with code `settings` and the `field` to fill in, if a stored secret is for another host
 */
export function settingsWithStoredSecrets(typed: object, stored: object): TelephonySettings {
  const [settings, known] = [pickSettings(typed), pickSettings(stored)];
  const missing = secretKeys.filter((key) => !valueIn(settings, key) && valueIn(known, key));
  const [first] = missing;
  if (!first) return settings;
  const entered = addressesOf(known).map(([, url]) => originOf(url));
  const [home = ''] = entered;
  const isIncomplete = requiredFields.some(({ key }) => !valueIn(settings, key));
  if (isIncomplete && !entered.includes(originOf(baseUrlOf(settings)))) return settings;
  for (const [key, url] of addressesOf(settings)) {
    const { origin } = checkUrl(url, key);
    if (!entered.includes(origin))
      throw settingsError(
        first,
        sentence(
          'was entered for {stored} and is sent nowhere else. Enter it again to use the {setting} {origin}',
          {
            ...{ stored: home, origin },
            setting: { text: fields.find((field) => field.key === key)?.label ?? '' },
          },
        ),
      );
  }
  return Object.assign(
    settings,
    Object.fromEntries(missing.map((key) => [key, valueIn(known, key)])),
  );
}
