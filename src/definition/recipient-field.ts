import type { Field } from '../../generated/definition-types.ts';
import type { Operation } from './operation.ts';
import { isSenderField } from './sender-field.ts';

/**
 * Returns the field for the number that gets a message or a call.
 *
 * @returns undefined if the operation has none, or several
 */
export function recipientField({ fields }: Pick<Operation, 'fields'>): Field | undefined {
  const [field, another] = fields.filter(
    (one) => one.type === 'phone' && one.required && !isSenderField(one),
  );
  return another ? undefined : field;
}
