import { definitions, secretKeys } from '../../../src/builder.ts';
import { variableName } from '../node/field-properties.ts';
import { accountType } from '../node/node-type.ts';
import type { FlowConfig, FlowNode, NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { type SettingValues, settingOf, settingsOf } from './variables.ts';

/** A secret among an account's credentials, with the base URL that it was entered for. */
interface Bound {
  secret: unknown;
  baseUrl: unknown;
}

const isBound = (value: unknown): value is Bound => typeof value === 'object' && value !== null;

const baseUrlField = definitions.settings.fields.find(({ key }) => key === 'baseUrl');

const variableOf = (value: unknown) => variableName(String(value).trim());

const isOfSubflow = (RED: NodeRed, { z }: FlowConfig) =>
  typeof z === 'string' && storedProperties(RED, z)?.type === 'subflow';

/**
 * Returns the current value of the base URL, because a flow can change its variable later; the variable itself if it
 * has no value. Within a subflow, always the variable: its value differs for each use.
 */
function workingBaseUrl(RED: NodeRed, node: FlowNode | undefined, account: FlowConfig): unknown {
  const { baseUrl: typed = '' } = account;
  if (!baseUrlField || isOfSubflow(RED, account)) return typed;
  try {
    return settingOf(RED, node, baseUrlField, typed);
  } catch {
    return typed;
  }
}

/**
 * Binds new secrets to the base URL that they were entered with. Node-RED keeps credentials whatever base URL someone deploys. A new
 * secret, from the editor or the admin API, is a text and replaces the bound one. A variable's name stays unbound, since every flow
 * can read its value.
 *
 * @param account the properties of the configuration node, as they were typed
 * @param node the configuration node, if it runs
 */
export function bindSecrets(RED: NodeRed, account: FlowConfig, node?: FlowNode): void {
  const given = RED.nodes.getCredentials(account.id);
  if (!given) return;
  const baseUrl = workingBaseUrl(RED, node, account);
  const bind = (key: string, value: unknown) => {
    // Its variable may have a value by now.
    if (isBound(value)) return value.baseUrl === account.baseUrl ? { ...value, baseUrl } : value;
    const isToBind = secretKeys.includes(key) && !variableOf(value);
    return isToBind ? { secret: value, baseUrl } : value;
  };
  const bound = Object.entries(given).map(([key, value]) => [key, bind(key, value)]);
  RED.nodes.addCredentials(account.id, Object.fromEntries(bound));
}

/** Binds the secrets of accounts that don't run, such as those of disabled flows: they may run with another base URL later. */
export function bindSecretsOfOthers(RED: NodeRed, isRunning: (id: string) => boolean): void {
  RED.nodes.eachNode((config) => {
    if (config.type === accountType && !isRunning(config.id)) bindSecrets(RED, config);
  });
}

/**
 * Returns the secrets in credentials with variables replaced, and the base URL that they are for: the account's, unless
 * they were entered for another one.
 *
 * @param node the configuration node, if it runs
 * @param credentials the credentials as Node-RED stores them
 * @param account the properties of the account as stored, with the names of variables
 * @throws {TelephonyError} with the `field` whose variable has no value
 */
export function storedSecrets(
  RED: NodeRed,
  node: FlowNode | undefined,
  credentials: SettingValues,
  account: SettingValues,
): SettingValues {
  const secrets: SettingValues = {};
  let { baseUrl } = account;
  for (const [key, value] of Object.entries(credentials)) {
    secrets[key] = isBound(value) ? value.secret : value;
    if (isBound(value)) baseUrl = value.baseUrl;
  }
  // Don't read a variable that the account no longer uses: anyone could set it to any value.
  const isSame = variableOf(baseUrl) === variableOf(account.baseUrl);
  return { baseUrl, ...settingsOf(RED, node, isSame ? { ...secrets, baseUrl } : secrets) };
}
