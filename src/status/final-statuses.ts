import type { FinalStatus } from '../../generated/definition-types.ts';
import { recordShape } from '../definition/record-shape.ts';
import { TelephonyError } from '../telephony-error.ts';

/** Returns the status field of a kind of record and its final values. */
export function finalStatusOf(shapeId: string): FinalStatus {
  const { final } = recordShape(shapeId);
  if (!final) throw new TelephonyError('input', `A record "${shapeId}" has no final status.`);
  return final;
}

/**
 * Returns the statuses after which a record doesn't change any more, such as `delivered` and `failed`. Makes no request.
 *
 * @param shapeId the id of the record's shape, such as `message`
 * @returns the service's own words; it may add more
 * @throws {TelephonyError} with code `input` for a record without statuses
 */
export const finalStatuses = (shapeId: string): readonly string[] => finalStatusOf(shapeId).values;
