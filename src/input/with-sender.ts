import type { Operation } from '../definition/operation.ts';
import { emptySenderField } from '../definition/sender-field.ts';
import { isMissing } from './is-missing.ts';
import { withCountryCodes } from './with-country-codes.ts';

/** The input of an operation, from the sender of the account if it names none, with country codes if there is a default country. */
export function withSender(
  operation: Operation,
  { defaultSender, settings }: { defaultSender: string; settings: { defaultCountry?: unknown } },
  input: Record<string, unknown>,
): Record<string, unknown> {
  const sender = emptySenderField(operation, (key) => !isMissing(input[key]));
  const sent = sender && defaultSender ? { ...input, [sender.key]: defaultSender } : input;
  return withCountryCodes(operation, sent, settings.defaultCountry);
}
