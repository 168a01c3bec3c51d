import type { RecordShape } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { TelephonyError } from '../telephony-error.ts';

const byId = new Map(definitions.records.map((shape) => [shape.id, shape]));

/**
 * Returns the shape of a kind of record. Its `key` names the field that identifies a record.
 *
 * @param id the shape's id, such as the `of` of an operation's result
 * @throws {TelephonyError} with code `input` if there is none
 */
export function recordShape(id: string): RecordShape {
  const found = byId.get(id);
  if (found) return found;
  const ids = [...byId.keys()].join(', ');
  throw new TelephonyError('input', `Unknown record type "${id}". Choose one of: ${ids}.`);
}
