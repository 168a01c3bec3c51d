import { secretKeys } from '../../../src/builder.ts';
import { accountType } from '../node/node-type.ts';
import type { NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { runningAccount } from './account.ts';
import { storedSecrets } from './stored-secrets.ts';
import { unchangedSecret } from './unchanged-secret.ts';
import { type SettingValues, settingsOf } from './variables.ts';

/** An account's settings in the dialog, and the stored secrets. */
export interface EffectiveSettings {
  /** Without secrets that the user left unchanged. */
  typed: SettingValues;
  /** The unchanged secrets, and the addresses that they were entered for. */
  stored: SettingValues;
}

/**
 * Returns the settings in a dialog with variables replaced, as a deployed flow would have them. Within a subflow, the
 * first use supplies the values.
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
  // The request could name any node, and so its credentials.
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
