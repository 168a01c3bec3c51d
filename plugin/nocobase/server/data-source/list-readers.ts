import { TTLCache } from '@isaacs/ttlcache';
import { type DataSource, freePageSize } from '../../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { ListReader } from './list-reader.ts';

/** How long a list is kept after it was last asked for, in milliseconds, and how many are. */
const limits = { ttl: 5 * 60_000, max: 50, updateAgeOnGet: true };

/** The most rows that these hold together. Beyond it, the least recently used are dropped. */
const mostRows = 50_000;

/** The requested part of a list. */
interface Reading {
  /** The index of its first record. At 0 the list is read again. */
  offset: number;
  /** How many records are wanted. */
  limit: number;
  /** Who reads it: each reader has pages of their own. */
  reader: unknown;
}

/** The lists of a data source that users page through, so that each page continues where the last one ended. */
export class ListReaders {
  readonly #source: DataSource;
  /** By account: one whose settings were changed is another one. */
  readonly #kept = new WeakMap<Account, TTLCache<string, ListReader>>();

  constructor(source: DataSource) {
    this.#source = source;
  }

  /**
   * The list that is being read, or a new one.
   *
   * @param input what it is filtered by
   */
  of(account: Account, input: object, { offset, limit, reader }: Reading): ListReader {
    const kept = this.#kept.get(account) ?? new TTLCache<string, ListReader>(limits);
    this.#kept.set(account, kept);
    const key = JSON.stringify([reader, Object.entries(input).sort()]);
    // The cache would note the age of one that is not there.
    const known = kept.has(key) ? kept.get(key) : undefined;
    if (known && !known.isOver && offset > 0) return known;
    this.#makeRoom(kept);
    const whole = this.#withPageSize(input, offset + limit);
    const list = new ListReader((signal) =>
      account.telephony().pages(this.#source.id, whole, { signal }),
    );
    kept.set(key, list);
    return list;
  }

  /** Makes room for one more list. The cache names those first that end first. */
  #makeRoom(kept: TTLCache<string, ListReader>) {
    const lists = [...kept];
    let rows = lists.reduce((sum, [, list]) => sum + list.length, 0);
    for (const [key, list] of lists) {
      if (rows <= mostRows) return;
      rows -= list.length;
      kept.delete(key);
    }
  }

  #withPageSize(input: object, size: number): object {
    const field = freePageSize(this.#source);
    if (!field) return input;
    return { ...input, [field.key]: Math.min(size, field.maximum ?? size) };
  }
}
