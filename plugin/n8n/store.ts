import type { Values } from 'n8n-workflow';
import { type Entry, type MemoryStore, memoryStore, type Store } from '../../src/builder.ts';

const stores = new Map<string, MemoryStore>();

// As text: n8n watches objects by proxies, which can't be cloned.
const stored = (data: Values): [kind: string, entry: Entry][] =>
  JSON.parse(String(data.entries ?? '[]'));

/** Loads what another process has written since. */
async function load(store: MemoryStore, data: Values) {
  for (const [kind, entry] of stored(data)) {
    const known = await store.get(kind, entry.key);
    if (!known || known.at < entry.at) store.set(kind, entry);
  }
}

/**
 * Opens the store of a trigger: a store in memory that all executions of this process share, and that n8n saves with the workflow. n8n has
 * nothing that several processes can swap: two that receive the same event at the same moment both deliver it.
 *
 * @param id the trigger's id
 * @param data the static data of the trigger
 * @param maxEntries how many entries of a kind it keeps, which n8n reads and writes as a whole
 */
export async function openStore(id: string, data: Values, maxEntries = 1_000): Promise<Store> {
  const store = stores.get(id) ?? memoryStore(maxEntries);
  stores.set(id, store);
  await load(store, data);
  const saved =
    <Args extends unknown[], Result>(verb: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      const result = await verb(...args);
      data.entries = JSON.stringify(store.entries());
      return result;
    };
  return {
    get: store.get,
    find: store.find,
    insert: saved(store.insert),
    swap: saved(store.swap),
    expire: saved(store.expire),
  };
}
