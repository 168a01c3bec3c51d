import { TTLCache } from '@isaacs/ttlcache';
import { type DataSource, freePageSize, oncePer } from '../../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { ListReader } from './list-reader.ts';

/** How long a list is kept after its last use, in milliseconds, and how many lists are kept. */
const limits = { ttl: 5 * 60_000, max: 50, updateAgeOnGet: true };

/** The maximum number of rows in these lists together. Above it, the least recently used lists are dropped. */
const mostRows = 50_000;

/** The requested part of a list. */
interface Reading {
  /** The index of the first record. 0 reads the list again. */
  offset: number;
  /** The number of records. */
  limit: number;
  /** The user. Each user has separate lists. */
  reader: unknown;
}

/** The lists that users page through. Each page continues where the last one ended. */
export class ListReaders {
  readonly #source: DataSource;
  /** Changed settings create a new `Account`, and so new lists. */
  readonly #keptOf = oncePer((_: Account) => new TTLCache<string, ListReader>(limits));

  constructor(source: DataSource) {
    this.#source = source;
  }

  /**
   * Returns the list that is being read, or starts a new one.
   *
   * @param input the filters
   */
  of(account: Account, input: object, { offset, limit, reader }: Reading): ListReader {
    const kept = this.#keptOf(account);
    const key = JSON.stringify([reader, Object.entries(input).sort()]);
    // `get` on a missing key would record an age for it.
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

  /** Makes room for one more list. The cache iterates from the first to expire. */
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
