import type { ServiceHost } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import type { Operation } from '../definition/operation.ts';
import { type CleanPhone, isCountry, phoneCleaner } from '../field-types/phone.ts';
import { checkValues } from '../input/check-values.ts';
import { type Problem, problemsError } from '../input/problem.ts';
import { TelephonyError } from '../telephony-error.ts';
import { parseUrl } from '../text/parse-url.ts';
import { type Said, type Sentence, sentence } from '../text/sentence.ts';
import { settingsLocation } from '../text/settings-location.ts';

/** The settings of the plugin, as the user entered them. */
export interface TelephonySettings {
  /** The Account SID, or an API key. */
  username: string | null | undefined;
  /** The Auth Token, or the API key's secret. */
  password: string | null | undefined;
  /** The Account SID, needed only if the username is an API key, or for a subaccount. */
  accountSid?: string | null | undefined;
  /** The URL of the service without the API version: https, or http on this machine. */
  baseUrl?: string | null | undefined;
  /** The two-letter code of the country whose national phone numbers are completed, such as US. */
  defaultCountry?: string | null | undefined;
  /** The URL of the service's message templates, needed only with the base URL of a compatible service. */
  contentUrl?: string | null | undefined;
  /** The URL at which the service looks up phone numbers, needed only with the base URL of a compatible service. */
  lookupsUrl?: string | null | undefined;
  /** The URL at which the service sends and checks one-time codes, needed only with the base URL of a compatible service. */
  verifyUrl?: string | null | undefined;
}

/** Where the requests of some operations go. */
export interface Address {
  /** The scheme and host that the credentials may be sent to. */
  origin: string;
  /** The path of the account; empty on a sister host. */
  accountPath: string;
  /** The URL to which each operation's path is appended: the account's, or that of a sister host. */
  root: string;
  /** What people call the setting that it comes from. */
  setting: Sentence;
}

/** Checked settings, with the address of the account. The password goes into requests only, never into errors, records or messages. */
export interface CheckedSettings extends Address {
  username: string;
  password: string;
  accountSid: string;
  /** The addresses of the known sister hosts, by id. */
  hosts: Readonly<Record<string, Address>>;
  /** Whether national phone numbers are completed. */
  hasDefaultCountry: boolean;
  /** Cleans phone numbers, and completes national ones of the default country. */
  cleanPhone: CleanPhone;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL is on this machine. */
export const isLoopback = ({ hostname }: URL) => loopback.has(hostname);

/** Whether a username is an API key, not an account. */
export const isApiKey = (username: string): boolean => username.startsWith('SK');

/** Returns the problem of a setting. The sentence begins with its label. */
function settingsProblem(key: string, problem: Said): Problem {
  const text = definitions.settings.fields.find((field) => field.key === key)?.label ?? '';
  const said = sentence('"{label}" in {settings} {problem}.', {
    ...{ label: { text }, settings: settingsLocation(), problem },
  });
  return { key, said };
}

/** Creates the error of a setting. The message begins with its label. */
export const settingsError = (key: string, problem: Said): TelephonyError =>
  problemsError('settings', [settingsProblem(key, problem)], key);

/** Returns why credentials may not be sent to a base URL, as the second half of a sentence. */
function baseUrlFault(url: URL | undefined): Sentence | undefined {
  if (!url) return sentence('must be a URL such as https://api.example.com');
  if (url.username || url.password || url.search || url.hash)
    return sentence('must not contain credentials, "?" or "#"');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))
    return sentence('must start with https://');
  return undefined;
}

/**
 * Parses the URL of a setting.
 *
 * @param key the key of the setting
 * @throws {TelephonyError} with code `settings` if it isn't a URL that credentials may be sent to
 */
export function checkUrl(text: string, key: string): URL {
  const url = parseUrl(text);
  const fault = baseUrlFault(url);
  if (!url || fault) throw settingsError(key, fault ?? '');
  return url;
}

const { hosts, fields } = definitions.settings;
const home = new URL(fields.find(({ key }) => key === 'baseUrl')?.default ?? '');

/**
 * Returns the URL of a sister host: that of the setting or, if the base URL is the service's own, also that of a region such as
 * `https://api.dublin.ie1.…`, the one next to it.
 *
 * @param values the settings by key
 * @returns undefined if it isn't known
 */
export function hostUrl(
  { url, setting }: ServiceHost,
  values: { [key: string]: unknown },
): string | undefined {
  const { [setting]: entered } = values;
  if (typeof entered === 'string' && entered.trim() !== '') return entered.trim();
  const base = parseUrl(String(values.baseUrl ?? ''));
  const [product = '', ...domain] = home.hostname.split('.');
  const ending = `.${domain.join('.')}`;
  const isOwn =
    base?.origin === `${home.protocol}//${base?.hostname}` &&
    base.hostname.startsWith(`${product}.`) &&
    base.hostname.endsWith(ending) &&
    withoutAccount(base.pathname.replace(/\/+$/, '')) === '';
  const region = base?.hostname.slice(product.length, -ending.length);
  return isOwn ? url.replace(ending, region + ending) : undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** Finds problems of settings that their types don't rule out. */
function furtherProblems(values: Record<string, unknown>): Problem[] {
  const { username, accountSid = username, defaultCountry } = values;
  const problems = definitions.settings.fields
    .filter(({ key, required }) => required && values[key] === undefined)
    .map(({ key }) => settingsProblem(key, sentence('is empty. Enter it first')));
  if (isApiKey(String(accountSid)))
    problems.push(
      settingsProblem(
        'accountSid',
        sentence('is required, because the username is an API key (SK…)'),
      ),
    );
  for (const key of ['baseUrl', ...hosts.map(({ setting }) => setting)]) {
    const isGiven = key === 'baseUrl' || values[key] !== undefined;
    const fault = isGiven ? baseUrlFault(parseUrl(textOf(values[key]))) : undefined;
    if (fault) problems.push(settingsProblem(key, fault));
  }
  if (/^[A-Z]{2}$/.test(String(defaultCountry)) && !isCountry(String(defaultCountry)))
    problems.push(
      settingsProblem(
        'defaultCountry',
        sentence(
          'is “{country}”, which is not a country with phone numbers. Enter a two-letter code, such as US',
          { country: String(defaultCountry) },
        ),
      ),
    );
  return problems;
}

/** Removes the API version and the account from the end of a path, because people paste them with the base URL. */
function withoutAccount(path: string): string {
  const [, version, accounts] = definitions.settings.accountPath.split('/');
  return path.replace(new RegExp(`/${version}(/${accounts}(/[^/]+)?)?$`), '');
}

function hostAddresses(values: Record<string, unknown>): CheckedSettings['hosts'] {
  const known = hosts.flatMap((host) => {
    const url = hostUrl(host, values);
    if (url === undefined) return [];
    const { origin, pathname } = new URL(url);
    const label = fields.find(({ key }) => key === host.setting)?.label ?? '';
    const setting = sentence('"{label}"', { label: { text: label } });
    return [
      [host.id, { origin, root: origin + pathname.replace(/\/+$/, ''), accountPath: '', setting }],
    ];
  });
  return Object.fromEntries(known);
}

/**
 * Returns where the requests of an operation go.
 *
 * @throws {TelephonyError} with code `settings` and the `field` to fill in, if the operation is on a sister host that isn't known
 */
export function addressOf(
  settings: CheckedSettings,
  { name, request: { host } }: Pick<Operation, 'name' | 'request'>,
): Address {
  if (!host) return settings;
  const address = settings.hosts[host];
  if (address) return address;
  const key = hosts.find(({ id }) => id === host)?.setting ?? '';
  throw settingsError(
    key,
    sentence('is empty. Enter it to use "{name}" with a compatible service', {
      name: { text: name },
    }),
  );
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
  const values = checkValues(form, settings, 'settings', undefined, furtherProblems) as Record<
    keyof TelephonySettings,
    string
  >;
  const { username, password, accountSid = username, defaultCountry } = values;
  const { origin, pathname } = new URL(values.baseUrl);
  const accountPath = form.accountPath.replace('{AccountSid}', () => accountSid);
  const root = origin + withoutAccount(pathname.replace(/\/+$/, '')) + accountPath;
  const clean = phoneCleaner(defaultCountry);
  return {
    ...{ username, password, accountSid, origin, accountPath, root, cleanPhone: clean },
    setting: sentence('the base URL'),
    hosts: hostAddresses(values),
    hasDefaultCountry: Boolean(defaultCountry),
  };
}
