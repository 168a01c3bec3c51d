import type { FinalStatus, RecordShape } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import type { FinalRecords } from '../../generated/operations.ts';
import { finder } from '../definition/finder.ts';
import type { IdOf, KeysOf } from '../definition/id-of.ts';

const hasFinal = (shape: RecordShape): shape is RecordShape & { final: FinalStatus } =>
  shape.final !== undefined;

const find = finder('record type with a final status', definitions.records.filter(hasFinal));

/** Returns the status field of a kind of record and its final values. */
export const finalStatusOf = (shapeId: string): FinalStatus => find(shapeId).final;

/**
 * Returns the statuses after which a record doesn't change any more, such as `delivered` and `failed`. Makes no request.
 *
 * @param shapeId the id of the record's shape, such as `message`
 * @returns the service's own words; it may add more
 * @throws {TelephonyError} with code `input` for a record without statuses
 */
export const finalStatuses = <Shape extends string>(
  shapeId: IdOf<KeysOf<FinalRecords>, Shape>,
): readonly string[] => finalStatusOf(shapeId).values;
