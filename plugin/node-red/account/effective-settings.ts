import { secretKeys } from '../../../src/builder.ts';
import { accountType } from '../node/node-type.ts';
import type { NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { runningAccount } from './account.ts';
import { storedSecrets } from './stored-secrets.ts';
import { unchangedSecret } from './unchanged-secret.ts';
import { type SettingValues, settingsOf } from './variables.ts';

/** The settings of an account as they are typed, with what is stored of them. */
export interface EffectiveSettings {
  /** Without the secrets that were left as they are. */
  typed: SettingValues;
  /** Those secrets, and the base URL that they were given for. */
  stored: SettingValues;
}

/**
 * The settings of an account as a deployed flow has them: the values of variables instead of their names. Within a subflow
 * they are those of its first use.
 *
 * @param id the id of the configuration node
 * @param typed the values of its dialog
 * @throws {TelephonyError} with the `field` whose variable has no value
 */
export function effectiveSettings(RED: NodeRed, id: string, typed: object): EffectiveSettings {
  const node = runningAccount(id);
  const isKept = (key: string) =>
    secretKeys.includes(key) && Object(typed)[key] === unchangedSecret;
  const picked = (values: object, isWanted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => isWanted(key)));
  const properties = storedProperties(RED, id);
  // The request says which id, which can be that of any node.
  const credentials = properties?.type === accountType && RED.nodes.getCredentials(id);
  const kept = picked(credentials || {}, isKept);
  return {
    typed: settingsOf(
      RED,
      node,
      picked(typed, (key) => !isKept(key)),
    ),
    stored: storedSecrets(RED, node, kept, properties ?? {}),
  };
}
