import { hash } from 'node:crypto';
import { inSlices } from '../in-slices.ts';
import type { LogStore } from '../store/store.ts';
import type { StoredLog } from './batch.ts';
import { digestOfValues } from './digest-of.ts';
import { kinds } from './entry-kinds.ts';
import type { RowItem } from './row-item.ts';

/** Returns the hash of what an item sends. */
export const digestIn = ({ digest, values }: RowItem): string | undefined =>
  digest ?? (values && digestOfValues(values));

/** Returns a key that is equal for items that send the same, in any batch. */
export const whatKey = (item: RowItem): string => digestIn(item) ?? `who ${item.who}`;

const rowPrefix = 'row ';

/** Returns a key that is equal for items of the same row and recipient, in any batch. */
export const rowKey = ({ row, recipient = '' }: Pick<RowItem, 'row' | 'recipient'>): string =>
  `${rowPrefix}${row} ${recipient}`;

/** Returns a key that is equal for items whose recipient the service refuses. */
export const refusedKey = (refused: string): string => `refused ${refused}`;

/** Returns the keys by which a later batch recognises an item. */
const keysOf = (item: RowItem): string[] =>
  item.outcome === 'duplicate'
    ? []
    : [
        whatKey(item),
        ...(item.row ? [rowKey(item)] : []),
        ...(item.refused ? [refusedKey(item.refused)] : []),
      ];

/** Four bytes of a hash: two of 100,000 keys that aren't equal rarely match, and then a batch is only read in vain. */
const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer').subarray(0, 4);

/** How many hashes one entry holds. */
const hashesPerEntry = 20_000;

/**
 * Stores hashes of the keys of a batch that has ended, a tenth as long as its rows: most later batches send to none of them again, and
 * need not read them.
 *
 * @returns its log with their number
 */
export async function storeKeys(
  store: LogStore,
  items: RowItem[],
  log: StoredLog,
): Promise<StoredLog> {
  const hashes: Buffer[] = [];
  await inSlices(items, (item) => hashes.push(...keysOf(item).map(hashOf)));
  for (let from = 0; from < hashes.length; from += hashesPerEntry) {
    const value = Buffer.concat(hashes.slice(from, from + hashesPerEntry)).toString('base64');
    await store.insert(kinds.keys, { key: `${log.id} ${from}`, index: log.id, value });
  }
  return { ...log, keys: hashes.length };
}

/** The keys that the rows of a new batch look for in earlier batches. */
export class WantedKeys {
  readonly #rows = new Set<number>();
  readonly #others = new Set<number>();

  add(keys: string[]): void {
    for (const key of keys)
      (key.startsWith(rowPrefix) ? this.#rows : this.#others).add(hashOf(key).readUInt32LE());
  }

  /**
   * Returns whether a batch may have one of them.
   *
   * @param hasRows whether its rows count as the same, whatever they were sent
   */
  async mayBeIn(store: LogStore, { id, keys }: StoredLog, hasRows: boolean): Promise<boolean> {
    if (keys === undefined) return true;
    let count = 0;
    for (const { value } of await store.find(kinds.keys, id)) {
      const bytes = Buffer.from(String(value), 'base64');
      for (let at = 0; at + 4 <= bytes.length; at += 4) {
        const found = bytes.readUInt32LE(at);
        if (this.#others.has(found) || (hasRows && this.#rows.has(found))) return true;
        count += 1;
      }
    }
    // Some are lost, or the batch is being deleted.
    return count !== keys;
  }
}
