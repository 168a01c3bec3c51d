import type { Media } from '../../generated/definition-types.ts';
import { recordShape } from '../definition/operation.ts';
import { type Sentence, sentence } from '../text/sentence.ts';

interface MediaKind {
  /** The `Accept` header of the request. */
  accept: string;
  /** Whether a file of this type is safe in a browser, because it can't contain code. With a comma, a browser takes the last of its types. */
  isSafe(type: string): boolean;
  /** The largest file, in bytes, and what is wrong with a larger one. */
  most?: { bytes: number; said: Sentence };
  /** Why there is no media. */
  otherContent: Sentence;
  notAllowed: Sentence;
  missing: Sentence;
  unavailable: Sentence;
}

// No SVG, because it can contain code.
const pictures = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const mostMegabytes = 16;

/** The kinds of media that records have. */
export const mediaKinds: Record<Media['kind'], MediaKind> = {
  audio: {
    accept: 'audio/*',
    isSafe: (type) => /^\s*audio\/[^,]+$/i.test(type),
    otherContent: sentence('The service did not return audio.'),
    notAllowed: sentence('The service does not allow access to this recording.'),
    missing: sentence('This recording has no audio (yet).'),
    unavailable: sentence('The recording is currently unavailable.'),
  },
  picture: {
    accept: pictures.join(', '),
    isSafe: (type) =>
      !type.includes(',') && pictures.includes(type.replace(/;.*$/s, '').trim().toLowerCase()),
    most: {
      bytes: mostMegabytes * 1024 * 1024,
      said: sentence('This picture is larger than {most} MB.', { most: mostMegabytes }),
    },
    otherContent: sentence('The service did not return a picture.'),
    notAllowed: sentence('The service does not allow access to this picture.'),
    missing: sentence('There is no such picture (yet).'),
    unavailable: sentence('The picture is currently unavailable.'),
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
