import { definitions } from '../../generated/definitions.ts';
import { parseUrl } from '../parse-url.ts';
import { checkBaseUrl, settingsError, type TelephonySettings } from './check-settings.ts';
import { pickSettings } from './pick-settings.ts';
import { secretKeys } from './secret-keys.ts';

const { fields } = definitions.settings;
const defaultBaseUrl = fields.find(({ key }) => key === 'baseUrl')?.default ?? '';
const neededBesides = fields.filter(({ key, required }) => required && !secretKeys.includes(key));

const valueIn = (settings: TelephonySettings, key: string) =>
  new Map(Object.entries(settings)).get(key);

/** Empty for what is no text, and so no address. */
function addressOf({ baseUrl }: { baseUrl?: unknown }): string {
  const typed = baseUrl ?? '';
  return typeof typed === 'string' ? typed.trim() || defaultBaseUrl : '';
}

const hostOf = (address: string) => parseUrl(address)?.origin ?? address;

/**
 * The settings to use when people type settings again and leave a secret empty, since it is stored: the stored one takes its
 * place, but only for the host that it was given for. With another host it has to be typed again, or whoever may change
 * the address could have the secret sent to theirs.
 *
 * @param typed what is typed now, by key; an empty secret stands for the stored one
 * @param stored the secrets, and the `baseUrl` that was typed with them, by key
 * @returns settings for `connect`; without stored secrets as long as anything else is missing
 * @throws {TelephonyError} with code `settings` and the `field` to fill in, when a stored secret is for another host
 */
export function settingsWithStoredSecrets(typed: object, stored: object): TelephonySettings {
  const [settings, known] = [pickSettings(typed), pickSettings(stored)];
  const wanted = secretKeys.filter((key) => !valueIn(settings, key) && valueIn(known, key));
  const [first] = wanted;
  if (!first || neededBesides.some(({ key }) => !valueIn(settings, key))) return settings;
  const here = checkBaseUrl(addressOf(settings)).origin;
  const there = hostOf(addressOf(known));
  if (here !== there)
    throw settingsError(
      first,
      `was entered for ${there} and is sent nowhere else. Enter it again to use the Base URL ${here}.`,
    );
  return Object.assign(
    settings,
    Object.fromEntries(wanted.map((key) => [key, valueIn(known, key)])),
  );
}
