import type { Media } from '../../generated/definition-types.ts';
import { recordShape } from '../definition/operation.ts';

interface MediaKind {
  /** The `Accept` header of the request. */
  accept: string;
  /** Whether a file of this type is safe in a browser, because it can't contain code. With a comma, a browser takes the last of its types. */
  isSafe(type: string): boolean;
  /** The largest file, in bytes. */
  mostBytes?: number;
  /** The words for sentences. */
  name: string;
  content: string;
  missing: string;
}

// No SVG, because it can contain code.
const pictures = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** The kinds of media that records have. */
export const mediaKinds: Record<Media['kind'], MediaKind> = {
  audio: {
    accept: 'audio/*',
    isSafe: (type) => /^\s*audio\/[^,]+$/i.test(type),
    name: 'recording',
    content: 'audio',
    missing: 'This recording has no audio (yet).',
  },
  picture: {
    accept: pictures.join(', '),
    isSafe: (type) =>
      !type.includes(',') && pictures.includes(type.replace(/;.*$/s, '').trim().toLowerCase()),
    mostBytes: 16 * 1024 * 1024,
    name: 'picture',
    content: 'a picture',
    missing: 'There is no such picture (yet).',
  },
};

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
