import type { Field } from '../../generated/definition-types.ts';
import { fieldTypes } from './field-types.ts';

/** What a value is checked by. */
export type CheckedField = Pick<Field, 'type' | 'minimum' | 'maximum' | 'maxLength'>;

/** Whether a typed text can be the value of a field, for a form that marks it before it is used. */
export function isValidText(field: CheckedField, text: string): boolean {
  const { clean, schema } = fieldTypes[field.type];
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
  const { maxLength = schema.maxLength ?? Number.POSITIVE_INFINITY } = field;
  const value = clean(text);
  if (schema.type !== 'string')
    return typeof value === 'number' && minimum <= value && value <= maximum;
  const isMatch = typeof value === 'string' && new RegExp(schema.pattern ?? '', 'u').test(value);
  return isMatch && [...value].length <= maxLength;
}
