import { recordShape } from '../definition/record-shape.ts';
import { mediaKinds } from './media-kinds.ts';

/**
 * Why the sound of a record cannot be played, or its picture not be shown, as a sentence; undefined where nothing is in the way.
 *
 * @param shapeId the id of the record's shape
 * @param record the record
 */
export function unplayableReason(shapeId: string, record: object): string | undefined {
  const { media } = recordShape(shapeId);
  if (!media) return undefined;
  const type = media.type && Reflect.get(record, media.type);
  const isOther = typeof type === 'string' && !mediaKinds[media.kind].isSafe(type);
  const isBarred = media.unless && Reflect.get(record, media.unless);
  return isOther || isBarred ? media.otherwise : undefined;
}
