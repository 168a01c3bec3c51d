import type { Field } from '../../generated/definition-types.ts';
import type { Operation } from './operation.ts';

/** Whether a field is the sender of a message, or selects one, such as a messaging service. */
export const isSenderField = ({ purpose }: Pick<Field, 'purpose'>): boolean =>
  purpose === 'sender' || purpose === 'sender-pool';

/**
 * Returns the field to fill with the account's default sender.
 *
 * @param isGiven whether a field, by its key, has a value
 * @returns undefined if the operation has no sender, or a field already selects one
 */
export function emptySenderField(
  { fields }: Pick<Operation, 'fields'>,
  isGiven: (key: string) => boolean,
): Field | undefined {
  const senders = fields.filter(isSenderField);
  if (senders.some(({ key }) => isGiven(key))) return undefined;
  return senders.find(({ purpose }) => purpose === 'sender');
}
