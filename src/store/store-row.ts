import { createHash, randomUUID } from 'node:crypto';
import type { Entry, NewEntry } from './store.ts';

/** An entry as a database row. Hashes fit in every column, whatever characters a key has. */
export interface StoreRow {
  id: string;
  kind: string;
  index: string;
  /** JSON, which escapes characters that some databases can't store. */
  body: string;
  version: string;
  at: number;
}

/** Returns a hash of some texts, of fixed length. */
export const storeHash = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Returns the index of a row; empty for an entry without one. */
export const storeIndex = (kind: string, index: string | undefined): string =>
  index === undefined ? '' : storeHash(kind, index);

/**
 * Converts an entry to a row.
 *
 * @param at when it was written, in milliseconds since 1970; now if not given
 */
export function storeRow(kind: string, { key, index, value }: NewEntry, at = Date.now()): StoreRow {
  return {
    ...{ id: storeHash(kind, key), kind: storeHash(kind), index: storeIndex(kind, index) },
    ...{ body: JSON.stringify({ key, index, value }), version: randomUUID(), at },
  };
}

/** Converts a row to an entry. */
export const storeEntry = ({
  body,
  version,
  at,
}: Pick<StoreRow, 'body' | 'version' | 'at'>): Entry => ({
  ...(JSON.parse(body) as NewEntry),
  ...{ version, at: Number(at) },
});
