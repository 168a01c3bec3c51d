import { createHash } from 'node:crypto';
import { oncePer } from '../once-per.ts';

/** Returns a short hash of a plain value, by which it is recognised after it was deleted. */
export const digestOf = (value: object): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

/** Returns the digest of a row's values, which several parts of a plan need. */
export const digestOfValues = oncePer((values: Record<string, unknown>) => digestOf(values));
