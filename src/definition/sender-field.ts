import type { Field } from '../../generated/definition-types.ts';
import type { Operation } from './operation.ts';

/** Whether a field is the sender of a message, or chooses it. */
export const isSenderField = ({ purpose }: Pick<Field, 'purpose'>): boolean =>
  purpose === 'sender' || purpose === 'sender-pool';

/**
 * The field that takes the usual sender of an account; undefined where an operation has none, or where something says already
 * who sends a message, or what chooses that.
 *
 * @param isGiven whether a field, by its key, has a value
 */
export function emptySenderField(
  { fields }: Pick<Operation, 'fields'>,
  isGiven: (key: string) => boolean,
): Field | undefined {
  const says = fields.filter(isSenderField);
  if (says.some(({ key }) => isGiven(key))) return undefined;
  return says.find(({ purpose }) => purpose === 'sender');
}
