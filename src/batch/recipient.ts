import type { Action } from '../../generated/definition-types.ts';
import { isSenderField } from '../definition/sender-field.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { digestOf } from './digest-of.ts';

/** Returns the fields that say who a row is sent to, or which record it is about. */
export const recipientFields = ({ fields }: Pick<Action, 'fields'>): Action['fields'] =>
  fields.filter((field) => fieldTypes[field.type].identifies && !isSenderField(field));

/** Returns a row's recipient as text; empty if the values have none. */
export const recipientText = (action: Action, values: Record<string, unknown>): string =>
  recipientFields(action)
    .map(({ key }) => String(values[key] ?? ''))
    .filter((text) => text !== '')
    .join(', ');

/** Returns a hash of a row's recipient, whatever is sent and from where. */
export const recipientOf = (action: Action, values: Record<string, unknown>): string =>
  digestOf(recipientFields(action).map(({ key }) => values[key] ?? null));

/** Returns that hash; undefined if the values have no recipient. */
export const recipientIn = (action: Action, values: Record<string, unknown>): string | undefined =>
  recipientFields(action).some(({ key }) => values[key] !== undefined)
    ? recipientOf(action, values)
    : undefined;
