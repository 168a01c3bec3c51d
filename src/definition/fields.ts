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

/** Returns the field for the time at which the service sends something later, if an operation has one. */
export const laterField = ({ fields }: Pick<Operation, 'fields'>): Field | undefined =>
  fields.find(({ purpose }) => purpose === 'send-at');

/** Returns which end of a range a field is, by its wire name or its definition; undefined if it isn't part of a range. */
export function rangeEnd({
  name,
  range,
}: Pick<Field, 'name' | 'range'>): 'start' | 'end' | undefined {
  if (name.endsWith('>')) return 'start';
  return name.endsWith('<') ? 'end' : range;
}

/** Whether the service ends a range at the midnight with which its last day begins. A range of days includes its last day. */
export const endsAtMidnight = (field: Pick<Field, 'name' | 'range' | 'type'>): boolean =>
  rangeEnd(field) === 'end' && field.type === 'date';
