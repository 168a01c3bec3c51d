import { pickSettings, secretKeys, type TelephonySettings } from '../../../src/index.ts';
import type { NodeRed } from '../node-red.ts';

/** What the editor shows in place of a stored secret. */
const unchanged = '__PWRD__';

const isVariable = (text: string) => /^\$\{\S+\}$/.test(text);

/**
 * The settings as a deployed flow has them: what is typed, stored secrets where they were left as they are, and the values
 * of variables in place of their names.
 *
 * @param id the id of the configuration node
 * @param typed the values of its dialog
 */
export function effectiveSettings(RED: NodeRed, id: string, typed: object): TelephonySettings {
  const stored = RED.nodes.getCredentials(id) ?? {};
  const settle = (key: string, value: string) => {
    const text = secretKeys.includes(key) && value === unchanged ? (stored[key] ?? '') : value;
    const node = RED.nodes.getNode(id);
    return isVariable(text) ? RED.util.evaluateNodeProperty(text, 'env', node) : text;
  };
  const pairs = Object.entries(typed).map(([key, value]) => [key, settle(key, String(value))]);
  return pickSettings(Object.fromEntries(pairs));
}
