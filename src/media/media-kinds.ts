import type { Media } from '../../generated/definition-types.ts';

interface MediaKind {
  /** What the service is asked for. */
  accept: string;
  /** Whether a browser can be given a file of this type: nothing in it can run. */
  isSafe(type: string): boolean;
  /** The most bytes of a file. */
  mostBytes?: number;
  /** What it is called, and what the service should have returned. */
  name: string;
  content: string;
  missing: string;
}

// An SVG can hold code, so it is none of them.
const pictures = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** The kinds of media that records have. */
export const mediaKinds: Record<Media['kind'], MediaKind> = {
  sound: {
    accept: 'audio/*',
    isSafe: (type) => /^\s*audio\/[^,]+$/i.test(type),
    name: 'recording',
    content: 'audio',
    missing: 'This recording has no audio (yet).',
  },
  picture: {
    accept: pictures.join(', '),
    isSafe: (type) => pictures.includes(type.replace(/;.*$/s, '').trim().toLowerCase()),
    mostBytes: 16 * 1024 * 1024,
    name: 'picture',
    content: 'a picture',
    missing: 'There is no such picture (yet).',
  },
};
