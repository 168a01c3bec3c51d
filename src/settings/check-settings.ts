import { definitions } from '../../generated/definitions.ts';
import type { CleanPhone } from '../field-types/clean-phone.ts';
import { isCountry, phoneCleaner } from '../field-types/complete-phone.ts';
import { checkValues } from '../input/check-values.ts';
import { parseUrl } from '../parse-url.ts';
import { TelephonyError } from '../telephony-error.ts';
import { settingsLocation } from './settings-location.ts';

/** The settings of the plugin, as the user entered them. */
export interface TelephonySettings {
  /** The Account SID, or an API key. */
  username: string | null | undefined;
  /** The Auth Token, or the API key's secret. */
  password: string | null | undefined;
  /** The Account SID, needed only when the username is an API key. */
  accountSid?: string | null | undefined;
  /** The URL of the service without the API version: https, or http on this machine. */
  baseUrl?: string | null | undefined;
  /** The two-letter code of the country whose national phone numbers are completed, such as US. */
  defaultCountry?: string | null | undefined;
}

/** Checked settings. The password goes into requests only, never into errors, records or messages. */
export interface CheckedSettings {
  username: string;
  password: string;
  accountSid: string;
  /** The scheme and host that the credentials may be sent to. */
  origin: string;
  /** The path of the account. */
  accountPath: string;
  /** The account's URL, to which each operation's path is appended. */
  root: string;
  /** Whether national phone numbers are completed. */
  hasDefaultCountry: boolean;
  /** Cleans phone numbers, and completes national ones of the default country. */
  cleanPhone: CleanPhone;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL is on this machine. */
export const isLoopback = ({ hostname }: URL) => loopback.has(hostname);

/** Creates the error of a setting. The message begins with its label. */
export function settingsError(key: string, sentence: string) {
  const label = definitions.settings.fields.find((field) => field.key === key)?.label;
  return new TelephonyError('settings', `"${label}" in ${settingsLocation()} ${sentence}`, {
    field: key,
  });
}

/**
 * Parses a base URL.
 *
 * @throws {TelephonyError} with code `settings` if it isn't a URL that credentials may be sent to
 */
export function checkBaseUrl(text: string): URL {
  const url = parseUrl(text);
  if (!url) throw settingsError('baseUrl', 'must be a URL such as https://api.example.com.');
  if (url.username || url.password || url.search || url.hash)
    throw settingsError('baseUrl', 'must not contain credentials, "?" or "#".');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))
    throw settingsError('baseUrl', 'must start with https://.');
  return url;
}

/** Removes the API version and the account from the end of a path, because people paste them with the base URL. */
function withoutAccount(path: string): string {
  const [, version, accounts] = definitions.settings.accountPath.split('/');
  return path.replace(new RegExp(`/${version}(/${accounts}(/[^/]+)?)?$`), '');
}

/**
 * Checks the settings and returns where requests go.
 *
 * @param settings the settings, as the user entered them
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function checkSettings(settings: TelephonySettings): CheckedSettings {
  const form = definitions.settings;
  if (typeof settings !== 'object' || settings === null)
    throw new TelephonyError(
      'settings',
      'The settings must be an object with a username and a password.',
    );
  for (const { key, required } of form.fields)
    if (required && !settings[key]) throw settingsError(key, 'is empty. Enter it there first.');

  const values = checkValues(form, settings, 'settings') as Record<keyof TelephonySettings, string>;
  const { username, password, accountSid = username, defaultCountry } = values;
  if (/^SK/.test(accountSid))
    throw settingsError('accountSid', 'is required, because the username is an API key (SK…).');

  if (defaultCountry && !isCountry(defaultCountry))
    throw settingsError(
      'defaultCountry',
      `is “${defaultCountry}”, which is not a country with phone numbers. Enter a two-letter code, such as US.`,
    );

  const { origin, pathname } = checkBaseUrl(values.baseUrl);
  const accountPath = form.accountPath.replace('{AccountSid}', () => accountSid);
  const root = origin + withoutAccount(pathname.replace(/\/+$/, '')) + accountPath;
  const clean = phoneCleaner(defaultCountry);
  return {
    ...{ username, password, accountSid, origin, accountPath, root, cleanPhone: clean },
    hasDefaultCountry: Boolean(defaultCountry),
  };
}
