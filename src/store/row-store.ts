import { createHash, randomUUID } from 'node:crypto';
import type { Entry, LogStore, NewEntry } from './store.ts';

/** An entry as a database row. Hashes fit in every column, whatever characters a key has. */
export interface StoreRow {
  id: string;
  kind: string;
  /** The index; empty for an entry without one. */
  findBy: string;
  /** JSON, which escapes characters that some databases can't store. */
  body: string;
  version: string;
  at: number;
}

/** The table of a database. Each verb is one statement, and rows have the columns `body`, `version` and `at`. */
export interface RowTable {
  get(id: string): Promise<object | null | undefined>;
  /** Resolves to false if the id exists. */
  insert(row: StoreRow): Promise<boolean>;
  /** Replaces body, version and time of a row. Resolves to false if there is none with this version. */
  swap(row: StoreRow, version: string): Promise<boolean>;
  find(findBy: string): Promise<object[]>;
  clear(findBy: string): Promise<void>;
  expire(kind: string, before: number): Promise<void>;
}

const toRow = (kind: string, { key, index, value }: NewEntry, at = Date.now()): StoreRow => ({
  ...{ id: storeHash(kind, key), kind: storeHash(kind), version: randomUUID(), at },
  findBy: index === undefined ? '' : storeHash(kind, index),
  body: JSON.stringify({ key, index, value }),
});

function toEntry(row: object): Entry {
  const { body, version, at } = row as StoreRow;
  // Some databases return large numbers as text.
  return { ...(JSON.parse(body) as NewEntry), version, at: Number(at) };
}

/** Creates a store in the table of a database. */
export const rowStore = (table: RowTable): LogStore => ({
  async get(kind, key) {
    const row = await table.get(storeHash(kind, key));
    return row ? toEntry(row) : undefined;
  },
  insert: async (kind, entry) => table.insert(toRow(kind, entry)),
  swap: async (kind, read, value) => table.swap(toRow(kind, { ...read, value }), read.version),
  find: async (kind, index) => (await table.find(storeHash(kind, index))).map(toEntry),
  clear: async (kind, index) => table.clear(storeHash(kind, index)),
  expire: async (kind, before) => table.expire(storeHash(kind), before),
});

/** Returns a hash of some texts, of fixed length. */
export const storeHash = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');
