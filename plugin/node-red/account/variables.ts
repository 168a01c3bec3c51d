import { definitions, TelephonyError } from '../../../src/builder.ts';
import { variableName } from '../node/field-properties.ts';
import type { FlowNode, NodeRed } from '../node-red.ts';

/** Values of settings, by key. */
export type SettingValues = Record<string, unknown>;

/**
 * The value of a setting: of a variable, its value instead of its name.
 *
 * @param node whose setting it is; undefined while it is not deployed
 * @param field what the setting is called, and whether it may be empty
 * @param typed what was typed, or what Node-RED made of it: it leaves the name of a variable that is not set
 * @throws {TelephonyError} with the `field` whose variable is not set
 */
export function settingOf(
  RED: NodeRed,
  node: FlowNode | undefined,
  { key, label, required }: { key: string; label: string; required?: boolean },
  typed: unknown,
): unknown {
  // Node-RED itself takes no variable from a value with spaces around it, which checking the settings takes away.
  const name = variableName(String(typed).trim());
  if (!name) return typed;
  const value = RED.util.getSetting(node ?? null, name);
  if (value !== undefined && (value !== '' || !required)) return value;
  const where = node
    ? 'where this account is deployed.'
    : 'yet. If a flow gives it one, deploy it first.';
  const sentence = `"${label}" is the variable ${name}, which has no value ${where}`;
  throw new TelephonyError('settings', sentence, { field: key });
}

/** The settings among some values, with the values of variables instead of their names. */
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
