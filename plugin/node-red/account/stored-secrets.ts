import { definitions, secretKeys } from '../../../src/builder.ts';
import { variableName } from '../node/field-properties.ts';
import { editorId, type FlowConfig, type FlowNode, type NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { type SettingValues, settingOf } from './variables.ts';

/** A secret among the credentials of an account, with the base URL that it was given for. */
interface Bound {
  secret: unknown;
  baseUrl: unknown;
}

const isBound = (value: unknown): value is Bound => typeof value === 'object' && value !== null;

const baseUrlField = definitions.settings.fields.find(({ key }) => key === 'baseUrl');

/**
 * The base URL that works now, since a flow can give its variable another value later; undefined while the variable has none. Within
 * a subflow it stays the variable, which is another one for each use.
 */
function workingBaseUrl(RED: NodeRed, node: FlowNode, typed: unknown): unknown {
  if (!baseUrlField || editorId(node) !== node.id) return typed;
  try {
    return settingOf(RED, node, baseUrlField, typed);
  } catch {
    return undefined;
  }
}

/**
 * Binds new secrets to the base URL that they were entered with. Node-RED keeps credentials whatever base URL someone deploys. A new
 * secret, from the editor or the admin API, is a text and replaces the bound one. A variable's name stays unbound, since every flow
 * can read its value.
 *
 * @param node the configuration node
 * @param config its properties, for a node that no flow holds
 */
export function bindSecrets(RED: NodeRed, node: FlowNode, config: FlowConfig): void {
  const id = editorId(node);
  const given = RED.nodes.getCredentials(id);
  if (!given) return;
  const { baseUrl: typed = '' } = storedProperties(RED, id) ?? config;
  const baseUrl = workingBaseUrl(RED, node, typed);
  if (baseUrl === undefined) return;
  const isToBind = (key: string, secret: unknown) =>
    secretKeys.includes(key) && !isBound(secret) && !variableName(String(secret).trim());
  const bound = Object.entries(given).map(([key, secret]): [string, unknown] =>
    isToBind(key, secret) ? [key, { secret, baseUrl }] : [key, secret],
  );
  RED.nodes.addCredentials(id, Object.fromEntries(bound));
}

/**
 * The secrets among credentials, and the base URL that they are for: that of the account, unless they were given for another.
 *
 * @param credentials as Node-RED keeps them
 * @param account the properties of the account
 */
export function storedSecrets(credentials: SettingValues, account: SettingValues): SettingValues {
  const stored: SettingValues = { baseUrl: account.baseUrl };
  for (const [key, value] of Object.entries(credentials)) {
    stored[key] = isBound(value) ? value.secret : value;
    if (isBound(value)) stored.baseUrl = value.baseUrl;
  }
  return stored;
}
