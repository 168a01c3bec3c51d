import { emptySenderField, type Operation } from '../../../src/builder.ts';
import type { AccountNode } from '../account/account.ts';

/** Adds the account's default sender to an input without a sender. */
export function withSender(
  operation: Operation,
  input: Record<string, unknown>,
  { defaultSender }: AccountNode,
): Record<string, unknown> {
  const field = emptySenderField(operation, (key) => Object.hasOwn(input, key));
  if (!field) return input;
  const sender = defaultSender();
  return sender ? { [field.key]: sender, ...input } : input;
}
