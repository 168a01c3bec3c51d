import { addressKeys, definitions, secretKeys } from '../../../src/builder.ts';
import { variableName } from '../node/field-properties.ts';
import { accountType } from '../node/node-type.ts';
import type { FlowConfig, FlowNode, NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { type SettingValues, settingOf, settingsOf } from './variables.ts';

/** A secret among an account's credentials, with the addresses that it was entered for, by the keys of their settings. */
interface Bound extends SettingValues {
  secret: unknown;
}

const isBound = (value: unknown): value is Bound => typeof value === 'object' && value !== null;

const addressFields = definitions.settings.fields.filter(({ key }) => addressKeys.includes(key));

const addressesIn = (values: SettingValues): SettingValues =>
  Object.fromEntries(addressKeys.map((key) => [key, values[key]]));

const variableOf = (value: unknown) => variableName(String(value).trim());

const isOfSubflow = (RED: NodeRed, { z }: FlowConfig) =>
  typeof z === 'string' && storedProperties(RED, z)?.type === 'subflow';

/**
 * Returns the current values of the addresses, because a flow can change their variables later; the variable itself if it
 * has no value. Within a subflow, always the variable: its value differs for each use.
 */
function workingAddresses(
  RED: NodeRed,
  node: FlowNode | undefined,
  account: FlowConfig,
): SettingValues {
  const working = (field: (typeof addressFields)[number]) => {
    const { [field.key]: typed = '' } = account;
    if (isOfSubflow(RED, account)) return typed;
    try {
      return settingOf(RED, node, field, typed);
    } catch {
      return typed;
    }
  };
  return Object.fromEntries(addressFields.map((field) => [field.key, working(field)]));
}

/**
 * Binds new secrets to the addresses that they were entered with. Node-RED keeps credentials whatever address someone deploys. A new
 * secret, from the editor or the admin API, is a text and replaces the bound one. A variable's name stays unbound, since every flow
 * can read its value.
 *
 * @param account the properties of the configuration node, as they were typed
 * @param node the configuration node, if it runs
 */
export function bindSecrets(RED: NodeRed, account: FlowConfig, node?: FlowNode): void {
  const given = RED.nodes.getCredentials(account.id);
  if (!given) return;
  const addresses = workingAddresses(RED, node, account);
  const bind = (key: string, value: unknown) => {
    if (isBound(value)) {
      // Their variables may have values by now.
      const same = Object.entries(addresses).filter(([one]) => value[one] === account[one]);
      return { ...value, ...Object.fromEntries(same) };
    }
    const isToBind = secretKeys.includes(key) && !variableOf(value);
    return isToBind ? { secret: value, ...addresses } : value;
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
 * Returns the secrets in credentials with variables replaced, and the addresses that they are for: the account's, unless
 * they were entered for others.
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
  let addresses = addressesIn(account);
  for (const [key, value] of Object.entries(credentials)) {
    secrets[key] = isBound(value) ? value.secret : value;
    if (isBound(value)) addresses = addressesIn(value);
  }
  // Don't read a variable that the account no longer uses: anyone could set it to any value.
  const used = Object.entries(addresses).filter(
    ([key, value]) => variableOf(value) === variableOf(account[key]),
  );
  return { ...addresses, ...settingsOf(RED, node, { ...secrets, ...Object.fromEntries(used) }) };
}
