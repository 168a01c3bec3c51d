import type { Media } from '../../generated/definition-types.ts';

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
