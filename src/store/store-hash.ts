import { createHash } from 'node:crypto';

/** Returns a hash of some texts, of fixed length. */
export const storeHash = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');
