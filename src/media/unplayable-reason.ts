import { recordShape } from '../definition/record-shape.ts';

/**
 * Returns the sentence that says why the audio of a record can't be played.
 *
 * @param shapeId the id of the record's shape
 * @param record the record
 * @returns undefined if it may be playable
 */
export function unplayableReason(shapeId: string, record: object): string | undefined {
  const { media } = recordShape(shapeId);
  return media?.unless && Reflect.get(record, media.unless) ? media.otherwise : undefined;
}
