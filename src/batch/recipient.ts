import type { Action } from '../../generated/definition-types.ts';
import { isSenderField } from '../definition/sender-field.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { digestOf } from './digest-of.ts';

/** Returns the fields that say who a row is sent to, or which record it is about. */
export const recipientFields = ({ fields }: Pick<Action, 'fields'>): Action['fields'] =>
  fields.filter((field) => fieldTypes[field.type].identifies && !isSenderField(field));

/** Whether a row has a value that says who it is sent to, or which record it is about. */
export const hasRecipient = (action: Action, values: Record<string, unknown>): boolean =>
  recipientFields(action).some(({ key }) => values[key] !== undefined);

/** Returns a hash of a row's recipient, whatever is sent and from where. */
export const recipientOf = (action: Action, values: Record<string, unknown>): string =>
  digestOf(recipientFields(action).map(({ key }) => values[key] ?? null));
