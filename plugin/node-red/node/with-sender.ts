import { emptySenderField, type Operation } from '../../../src/builder.ts';
import type { AccountNode } from '../account/account.ts';

/** The input, from the sender of the account where its node names none. */
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
