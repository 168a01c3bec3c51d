import { definitions, sentence, sentences, TelephonyError } from '../../../src/builder.ts';
import { variableName } from '../node/field-properties.ts';
import type { FlowNode, NodeRed } from '../node-red.ts';

/** The values of settings, by key. */
export type SettingValues = Record<string, unknown>;

/**
 * Returns the value of a setting, with a variable replaced by its value.
 *
 * @param node the node of the setting; undefined until it is deployed
 * @param field the setting's key and label, and whether it is required
 * @param typed the value in the editor or from Node-RED, which keeps the name of an unset variable
 * @throws {TelephonyError} with the `field` whose variable isn't set
 */
export function settingOf(
  RED: NodeRed,
  node: FlowNode | undefined,
  { key, label, required }: { key: string; label: string; required?: boolean },
  typed: unknown,
): unknown {
  // Node-RED doesn't replace a variable with spaces around it, but the check of the settings trims them.
  const name = variableName(String(typed).trim());
  if (!name) return typed;
  const value = RED.util.getSetting(node ?? null, name);
  if (value !== undefined && (value !== '' || !required)) return value;
  const advice = node
    ? sentence("Set it in the flow or in Node-RED's environment.")
    : sentence('If a flow sets it, deploy that flow first.');
  const values = { label: { text: label }, name };
  const problem = sentence('"{label}" is the variable {name}, which has no value.', values);
  throw new TelephonyError('settings', sentences(problem, advice), { field: key });
}

/** Picks the settings from these values, with variables replaced. */
export const settingsOf = (
  RED: NodeRed,
  node: FlowNode | undefined,
  values: SettingValues,
): SettingValues =>
  Object.fromEntries(
    definitions.settings.fields
      .filter(({ key }) => Object.hasOwn(values, key))
      .map((field) => [field.key, settingOf(RED, node, field, values[field.key])]),
  );

/**
 * Picks the limits from these values, with variables replaced.
 *
 * @throws {TelephonyError} with the `field` whose variable has no value
 */
export const limitsOf = (
  RED: NodeRed,
  node: FlowNode | undefined,
  values: SettingValues,
): SettingValues =>
  Object.fromEntries(
    definitions.settings.limits
      .filter(({ key }) => Object.hasOwn(values, key))
      .map((field) => [field.key, settingOf(RED, node, field, values[field.key])]),
  );
