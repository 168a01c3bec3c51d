import { createHash } from 'node:crypto';

/** Returns a short hash of a plain value, by which it is recognised after it was deleted. */
export const digestOf = (value: object): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
