import { fieldTypes } from '../field-types/field-types.ts';
import { TelephonyError } from '../telephony-error.ts';
import { recordShape } from './record-shape.ts';

const { requirement, schema } = fieldTypes.sid;
const format = new RegExp(schema.pattern ?? '');
const isSid = (value: unknown): value is string =>
  typeof value === 'string' && format.test(value) && value.length <= (schema.maxLength ?? 0);

/**
 * Returns the SID of a record.
 *
 * @param shapeId the id of the record's shape
 * @param record the record, or its SID
 * @param key the field with the SID, or with that of another record
 * @throws {TelephonyError} with code `input` if it isn't valid
 */
export function sidOf(
  shapeId: string,
  record: string | object,
  key = recordShape(shapeId).key,
): string {
  if (typeof record !== 'string' && (typeof record !== 'object' || record === null))
    throw new TelephonyError('input', 'The record must be an object, or the SID of one.');
  const value: unknown = typeof record === 'string' ? record : Reflect.get(record, key);
  if (!isSid(value)) throw new TelephonyError('input', `The SID of a record ${requirement({})}.`);
  return value;
}
