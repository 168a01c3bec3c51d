import type { Media } from '../../generated/definition-types.ts';
import { recordShape } from '../definition/record-shape.ts';

/** The keys of a record that the path of its media names. */
export const mediaKeys = ({ path }: Pick<Media, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key);

// No SID has one.
const separator = '.';

/**
 * A text by which the media of a record is found, such as in a URL: its SID, behind those of the records that it belongs to. It is
 * undefined if the record has no media, or lacks one of these.
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

/** What such a text says of a record. */
export function recordOfMediaKey(media: Pick<Media, 'path'>, text: string): object {
  const values = text.split(separator);
  const keys = mediaKeys(media);
  return values.length === keys.length
    ? Object.fromEntries(keys.map((key, index) => [key, values[index]]))
    : {};
}
