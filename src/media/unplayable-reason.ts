import { recordShape } from '../definition/operation.ts';
import { mediaKinds } from './media-kinds.ts';

/**
 * Returns the sentence that says why the audio of a record can't be played, or its picture can't be shown.
 *
 * @param shapeId the id of the record's shape
 * @param record the record
 * @returns undefined if it may be playable
 */
export function unplayableReason(shapeId: string, record: object): string | undefined {
  const { media } = recordShape(shapeId);
  if (!media) return undefined;
  const without = media.without?.find(({ field, values }) =>
    values.includes(String(Reflect.get(record, field) ?? '')),
  );
  if (without) return without.message;
  const type = media.type && Reflect.get(record, media.type);
  const isOther = typeof type === 'string' && !mediaKinds[media.kind].isSafe(type);
  const isBarred = media.unless && Reflect.get(record, media.unless);
  return isOther || isBarred ? media.otherwise : undefined;
}
