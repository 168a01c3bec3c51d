import type { Media } from '../../generated/definition-types.ts';
import { recordShape } from '../definition/operation.ts';

/** Returns the keys of a record in the path of its media. */
export const mediaKeys = (media: Pick<Media, 'path'> | undefined): string[] =>
  [...(media?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key);

// No SID contains it.
const separator = '.';

/**
 * Returns the media key of a record, for a URL: the SIDs of the records that it belongs to, and its own. It is undefined if the record has
 * no media, or lacks one of these SIDs.
 *
 * @param shapeId the id of the record's shape
 * @param record the record
 */
export function mediaKey(shapeId: string, record: object): string | undefined {
  const { media } = recordShape(shapeId);
  const values = media ? mediaKeys(media).map((key) => Reflect.get(record, key)) : [];
  const isWhole = values.length > 0 && values.every((value) => value && typeof value === 'string');
  return isWhole ? values.join(separator) : undefined;
}

/** Returns the SIDs of a media key as a record; empty if it isn't a valid key. */
export function recordOfMediaKey(media: Pick<Media, 'path'>, text: string): object {
  const values = text.split(separator);
  const keys = mediaKeys(media);
  return values.length === keys.length
    ? Object.fromEntries(keys.map((key, index) => [key, values[index]]))
    : {};
}
