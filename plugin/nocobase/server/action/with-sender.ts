import { type Action, emptySenderField, withCountryCodes } from '../../../../src/builder.ts';
import { isMissing } from '../../is-missing.ts';
import type { StoredAccount } from '../account/stored-account.ts';

type InputValues = Record<string, unknown>;

/** The input of an action, from the sender of the account where there is none, with country codes where these are known. */
export function withSender(
  action: Action,
  { defaultSender, settings }: Pick<StoredAccount, 'defaultSender' | 'settings'>,
  input: InputValues,
): InputValues {
  const sender = emptySenderField(action, (key) => !isMissing(input[key]));
  const sent = sender && defaultSender ? { ...input, [sender.key]: defaultSender } : input;
  return withCountryCodes(action, sent, settings.defaultCountry);
}
