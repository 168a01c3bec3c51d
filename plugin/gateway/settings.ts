import { readFileSync } from 'node:fs';
import {
  type ConnectOptions,
  definitions,
  operations,
  parseUrl,
  pickLimits,
  pickSettings,
  type SpendingLimits,
  secretKeys,
  TelephonyError,
  type TelephonySettings,
} from '../../src/builder.ts';

/** The settings of the gateway itself, by key, with what the help says of them. */
const ownSettings = {
  host: {
    usual: '127.0.0.1',
    help: 'The address that it listens on. Put a proxy with TLS in front of it.',
  },
  port: { usual: '8080', help: 'The port that it listens on.' },
  requestsPerMinute: {
    usual: '600',
    help: 'The most requests of a key, or of an address without one, in a minute and process.',
  },
  databaseUrl: {
    usual: '',
    help: 'A PostgreSQL, for several processes: postgres://user:password@host/database. Without it, a file of SQLite.',
  },
  databaseFile: { usual: 'telephony-gateway/gateway.sqlite', help: 'The file of SQLite.' },
  publicAddress: {
    usual: '',
    help: 'The public URL of this gateway, at which the service reports events.',
  },
  authToken: {
    usual: '',
    help: 'Only needed with an API key: the Auth Token that signs webhooks.',
  },
  privateWebhooks: {
    usual: 'false',
    help: 'Whether events may be sent to private addresses, such as a receiver on this machine: true or false.',
  },
  secretsKey: {
    usual: '',
    help: 'Encrypts the secrets of subscriptions. Without it, the password does.',
  },
  defaultSender: { usual: '', help: 'Used when an action has no sender.' },
  mcpTools: {
    usual: '',
    help: 'The ids of the operations that are MCP tools, with commas between them. Without it, up to 30.',
  },
  mcpTwoCalls: {
    usual: '',
    help: 'The ids of the operations that an MCP client which cannot ask the person confirms by a second call.',
  },
  mcpUnasked: {
    usual: '',
    help: 'The ids of the operations that MCP clients run without asking anyone, within the limits.',
  },
} as const;

type OwnSettings = Record<keyof typeof ownSettings, string>;

/** The settings that list operations. */
const idLists = ['mcpTools', 'mcpTwoCalls', 'mcpUnasked'] as const;
type IdLists = Record<(typeof idLists)[number], string[]>;

/** What the gateway runs with. */
export interface GatewaySettings
  extends Omit<OwnSettings, 'port' | 'requestsPerMinute' | 'privateWebhooks' | keyof IdLists>,
    IdLists {
  port: number;
  privateWebhooks: boolean;
  requestsPerMinute: number;
  account: TelephonySettings;
  spending: SpendingLimits;
  /** Limits of time, memory and requests, for tests. */
  limits?: ConnectOptions['limits'];
}

const accountFields = [...definitions.settings.fields, ...definitions.settings.limits];
const switches: readonly string[] = definitions.settings.limits
  .filter(({ type }) => type === 'switch')
  .map(({ key }) => key);
const keys: readonly string[] = [
  ...accountFields.map(({ key }) => key),
  ...Object.keys(ownSettings),
];

/** Names that programs share. All others begin with the plugin's name, in capital letters. */
const conventional: Record<string, string> = { DATABASE_URL: 'databaseUrl', PORT: 'port' };
const prefix = `${definitions.manifest.id.toUpperCase()}_`;
/** The variable that names the file with settings. */
const fileVariable = `${prefix}SETTINGS`;

/** The environment variable of a setting. */
export const variableOf = (key: string) =>
  Object.keys(conventional).find((name) => conventional[name] === key) ??
  prefix + key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const settingsError = (sentence: string, field?: string) =>
  new TelephonyError('settings', sentence, { field });

function readFileOf(path: string): Record<string, unknown> {
  let values: unknown;
  try {
    values = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // The message of a syntax error quotes the file, which has secrets.
    const reason = (error as NodeJS.ErrnoException).code ?? 'it is not JSON';
    throw settingsError(`The file with settings ${path} can't be read (${reason}).`);
  }
  const unknown = Object.keys(Object(values)).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw settingsError(
      `The file with settings ${path} has an unknown setting "${unknown}". Choose from: ${keys.join(', ')}.`,
    );
  return Object(values);
}

function readEnvironment(env: NodeJS.ProcessEnv): Record<string, unknown> {
  const known = new Map(keys.map((key) => [variableOf(key), key]));
  // A misspelt limit would otherwise limit nothing.
  const unknown = Object.keys(env).find(
    (name) => name.startsWith(prefix) && name !== fileVariable && !known.has(name),
  );
  if (unknown !== undefined)
    throw settingsError(
      `The environment variable ${unknown} is no setting. Choose from: ${[...known.keys()].join(', ')}.`,
    );
  return Object.fromEntries(
    [...known].flatMap(([name, key]) => (env[name] ? [[key, env[name]]] : [])),
  );
}

/** Returns values with the switches among them as booleans: a variable and an argument are text. */
export const withSwitches = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      switches.includes(key) && (value === 'true' || value === 'false') ? value === 'true' : value,
    ]),
  );

function readNumber(key: keyof OwnSettings, text: string, least: number, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw settingsError(
    `${variableOf(key)} must be a whole number from ${least} to ${most}, not "${text}".`,
    key,
  );
}

function readSwitch(key: keyof OwnSettings, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw settingsError(`${variableOf(key)} must be true or false, not "${text}".`, key);
}

/** A misspelt id would otherwise allow or forbid nothing. */
function readIds(own: OwnSettings, key: keyof IdLists): string[] {
  const ids = own[key].split(/[\s,]+/).filter((id) => id !== '');
  const unknown = ids.find((one) => !operations.some(({ id }) => id === one));
  if (unknown === undefined) return ids;
  throw settingsError(
    `${variableOf(key)} has "${unknown}", which is no operation. Choose from: ${operations.map(({ id }) => id).join(', ')}.`,
    key,
  );
}

/**
 * Reads the settings from the environment, and from the file that it names. The environment wins.
 *
 * @throws {TelephonyError} with code `settings` for a setting that doesn't exist or can't be read; its message contains no secret
 */
export function readSettings(env: NodeJS.ProcessEnv): GatewaySettings {
  const { [fileVariable]: file } = env;
  const values = withSwitches({ ...(file && readFileOf(file)), ...readEnvironment(env) });
  const own = Object.fromEntries(
    Object.entries(ownSettings).map(([key, { usual }]) => [key, String(values[key] ?? usual)]),
  ) as OwnSettings;
  if (own.publicAddress && !parseUrl(own.publicAddress))
    throw settingsError(
      'The public address must be a URL such as https://gateway.example.com.',
      'publicAddress',
    );
  const lists = idLists.map((key) => [key, readIds(own, key)]);
  return {
    ...own,
    ...(Object.fromEntries(lists) as IdLists),
    port: readNumber('port', own.port, 0, 65_535),
    requestsPerMinute: readNumber('requestsPerMinute', own.requestsPerMinute, 1, 1_000_000),
    privateWebhooks: readSwitch('privateWebhooks', own.privateWebhooks),
    account: pickSettings(values),
    spending: pickLimits(values),
  };
}

/** Lists the variables with their help, for people on a command line. */
export const settingsHelp = (): string =>
  [
    ...accountFields.map(({ key, help = '' }) => [variableOf(key), help]),
    ...Object.entries(ownSettings).map(([key, { usual, help }]) => [
      variableOf(key),
      usual ? `${help} Default: ${usual}` : help,
    ]),
    [fileVariable, 'A JSON file with settings by key, such as { "username": … }.'],
  ]
    .map(([name = '', help = '']) => `  ${name.padEnd(34)} ${help}`)
    .join('\n');

/** Returns the secrets in settings, which no log may contain. */
export const secretsOf = ({
  account,
  authToken,
  secretsKey,
  databaseUrl,
}: GatewaySettings): string[] =>
  [
    ...secretKeys.map((key) => Reflect.get(account, key)),
    authToken,
    secretsKey,
    parseUrl(databaseUrl)?.password,
  ].filter((text): text is string => typeof text === 'string' && text !== '');
