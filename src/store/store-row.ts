import { createHash, randomUUID } from 'node:crypto';
import type { Entry, NewEntry } from './store.ts';

/** An entry as a database keeps it. Hashes fit in every column, whatever a key has in it. */
export interface StoreRow {
  id: string;
  kind: string;
  index: string;
  /** JSON, which escapes what some databases can't keep. */
  body: string;
  version: string;
  at: number;
}

/** A text of fixed length, different for different parts. */
export const storeHash = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** The index of a row; empty for an entry without one. */
export const storeIndex = (kind: string, index: string | undefined): string =>
  index === undefined ? '' : storeHash(kind, index);

/** The row of an entry that is written now, or was at another time. */
export function storeRow(kind: string, { key, index, value }: NewEntry, at = Date.now()): StoreRow {
  return {
    ...{ id: storeHash(kind, key), kind: storeHash(kind), index: storeIndex(kind, index) },
    ...{ body: JSON.stringify({ key, index, value }), version: randomUUID(), at },
  };
}

/** The entry of a row. */
export const storeEntry = ({
  body,
  version,
  at,
}: Pick<StoreRow, 'body' | 'version' | 'at'>): Entry => ({
  ...(JSON.parse(body) as NewEntry),
  ...{ version, at: Number(at) },
});
