import { TTLCache } from '@isaacs/ttlcache';
import { SharedPages } from '../../../src/builder.ts';

/** The maximum number of cached reads. */
const capacity = 100;

/**
 * Caches reads while they are in progress, and for a few seconds after their newest page. To render one page, Saltcorn
 * repeats the same read for every column that its builder previews, and for rows and their count.
 */
export class RecentReads<T> {
  readonly #reads = new TTLCache<string, SharedPages<T>>({ max: capacity, checkAgeOnGet: true });
  readonly #freshFor: number;

  /** @param freshFor how long a read is cached, in milliseconds; 0 turns the cache off */
  constructor(freshFor: number) {
    this.#freshFor = Math.ceil(freshFor);
  }

  /** The number of cached reads. */
  get size() {
    return this.#reads.size;
  }

  /** The cached read of a key. It may be in progress. */
  find(key: string): SharedPages<T> | undefined {
    return this.#reads.get(key);
  }

  /** Caches a read. */
  add(key: string, pages: AsyncGenerator<T>): SharedPages<T> {
    const isCurrent = () => this.#reads.get(key) === read;
    const read: SharedPages<T> = new SharedPages(this.#watched(key, pages, isCurrent));
    if (this.#freshFor > 0) this.#reads.set(key, read, { ttl: Number.POSITIVE_INFINITY });
    return read;
  }

  /** Clears the cache after a change. */
  clear() {
    this.#reads.clear();
  }

  // Another read may have replaced this one, whose entry must then stay untouched.
  async *#watched(key: string, pages: AsyncGenerator<T>, isCurrent: () => boolean) {
    try {
      for await (const page of pages) {
        if (isCurrent()) this.#reads.setTTL(key, this.#freshFor);
        yield page;
      }
    } catch (error) {
      if (isCurrent()) this.#reads.delete(key);
      throw error;
    }
  }
}
