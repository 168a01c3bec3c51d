import { recordShape } from '../definition/record-shape.ts';

/**
 * Why the sound of a record cannot be played, as a sentence; undefined where nothing is in the way.
 *
 * @param shapeId the id of the record's shape
 * @param record the record
 */
export function unplayableReason(shapeId: string, record: object): string | undefined {
  const { media } = recordShape(shapeId);
  return media?.unless && Reflect.get(record, media.unless) ? media.otherwise : undefined;
}
