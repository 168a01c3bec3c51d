import {
  emptySenderField,
  type Operation,
  sentence,
  settingsLocation,
  TelephonyError,
} from '../../../src/builder.ts';
import type { AccountNode } from '../account/account.ts';
import { defaultSenderField } from '../settings/default-sender.ts';

/**
 * Adds the account's default sender to an input without a sender.
 *
 * @throws {TelephonyError} if there is none and the operation needs one
 */
export function withSender(
  operation: Operation,
  input: Record<string, unknown>,
  { defaultSender }: AccountNode,
): Record<string, unknown> {
  const field = emptySenderField(operation, (key) => Object.hasOwn(input, key));
  if (!field) return input;
  const sender = defaultSender();
  if (sender) return { [field.key]: sender, ...input };
  if (!field.required) return input;
  const values = {
    ...{ label: { text: field.label }, setting: { text: defaultSenderField.label } },
    settings: settingsLocation(),
  };
  throw new TelephonyError(
    'input',
    sentence('"{label}" is missing. Fill it in, or set "{setting}" in {settings}.', values),
    { field: field.key },
  );
}
