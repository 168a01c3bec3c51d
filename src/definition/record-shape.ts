import type { RecordShape } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { TelephonyError } from '../telephony-error.ts';

const byId = new Map(definitions.records.map((shape) => [shape.id, shape]));

/**
 * The shape of a kind of record. Its `key` is the key of the field that tells one record from all others.
 *
 * @param id such as the `of` of an operation's result
 * @throws {TelephonyError} with code `input` when there is none
 */
export function recordShape(id: string): RecordShape {
  const found = byId.get(id);
  if (found) return found;
  const ids = [...byId.keys()].join(', ');
  throw new TelephonyError('input', `Unknown record type "${id}". Choose one of: ${ids}.`);
}
