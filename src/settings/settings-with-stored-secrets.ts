import { definitions } from '../../generated/definitions.ts';
import { checkBaseUrl, settingsError, type TelephonySettings } from './check-settings.ts';
import { pickSettings } from './pick-settings.ts';

const { fields } = definitions.settings;
const defaultBaseUrl = fields.find(({ key }) => key === 'baseUrl')?.default ?? '';

const addressOf = ({ baseUrl }: TelephonySettings): string =>
  String(baseUrl ?? '').trim() || defaultBaseUrl;

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : address);

/**
 * The settings to use when people type settings again and leave a secret empty, since it is stored: the stored one takes its
 * place, but only for the host that it was given for. With another host it has to be typed again, or whoever may change
 * the address could have the secret sent to theirs.
 *
 * @param typed what is typed now, by key; an empty secret stands for the stored one
 * @param stored the secrets, and the `baseUrl` that was typed with them, by key
 * @returns settings for `connect`, which may still be incomplete
 * @throws {TelephonyError} with code `settings` and the `field` to fill in, when a stored secret is for another host
 */
export function settingsWithStoredSecrets(typed: object, stored: object): TelephonySettings {
  const settings = pickSettings(typed);
  const known = pickSettings(stored);
  const secrets = fields
    .filter(({ type }) => type === 'secret')
    .map(({ key }) => key as keyof TelephonySettings)
    .filter((key) => !settings[key] && known[key]);
  const [first] = secrets;
  if (!first) return settings;
  const wanted = checkBaseUrl(addressOf(settings)).origin;
  const given = hostOf(addressOf(known));
  if (wanted !== given)
    throw settingsError(
      first,
      `was given for ${given} and is sent nowhere else. Give it again, together with the Base URL ${wanted}.`,
    );
  return Object.assign(settings, Object.fromEntries(secrets.map((key) => [key, known[key]])));
}
