import { randomUUID } from 'node:crypto';
import type { Entry, LogStore, NewEntry } from './store.ts';

/** A store in memory, whose entries can be loaded from a file and saved to it. */
export interface MemoryStore extends LogStore {
  /** Adds or replaces an entry. */
  set(kind: string, entry: Entry): void;
  /** Returns all entries, the ones written first at the front. */
  entries(): [kind: string, entry: Entry][];
}

/**
 * Creates a store that lasts as long as the process.
 *
 * @param maxEntries how many entries of a kind it keeps; it drops those that were written first
 */
export function memoryStore(maxEntries = 10_000): MemoryStore {
  const kinds = new Map<string, Map<string, Entry>>();

  function set(kind: string, entry: Entry) {
    const entries = kinds.get(kind) ?? new Map<string, Entry>();
    kinds.set(kind, entries);
    // A rewritten entry moves to the end.
    entries.delete(entry.key);
    entries.set(entry.key, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  }

  const write = (kind: string, entry: NewEntry) =>
    set(kind, { ...structuredClone(entry), at: Date.now(), version: randomUUID() });

  return {
    set,
    entries: () =>
      [...kinds].flatMap(([kind, all]) =>
        [...all.values()].map((one) => [kind, one] as [string, Entry]),
      ),
    async get(kind, key) {
      return structuredClone(kinds.get(kind)?.get(key));
    },
    async insert(kind, entry) {
      if (kinds.get(kind)?.has(entry.key)) return false;
      write(kind, entry);
      return true;
    },
    async swap(kind, { key, version }, value) {
      const known = kinds.get(kind)?.get(key);
      if (known?.version !== version) return false;
      write(kind, { ...known, value });
      return true;
    },
    async find(kind, index) {
      const entries = [...(kinds.get(kind)?.values() ?? [])];
      return structuredClone(entries.filter((one) => one.index === index));
    },
    async clear(kind, index) {
      const entries = kinds.get(kind);
      for (const [key, one] of entries ?? []) if (one.index === index) entries?.delete(key);
    },
    async expire(kind, before) {
      const entries = kinds.get(kind);
      for (const [key, { at }] of entries ?? []) if (at < before) entries?.delete(key);
    },
  };
}
