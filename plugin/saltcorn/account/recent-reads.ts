import { TTLCache } from '@isaacs/ttlcache';

/** The maximum number of cached reads. */
const capacity = 100;

/** Reads each page once, when it is first needed. Can be iterated any number of times. */
export class Read<T> implements AsyncIterable<T> {
  readonly #source: AsyncGenerator<T>;
  readonly #pages: Promise<IteratorResult<T>>[] = [];

  constructor(source: AsyncGenerator<T>) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator]() {
    for (let index = 0; ; index += 1) {
      this.#pages[index] ??= this.#source.next();
      const { done, value } = await (this.#pages[index] as Promise<IteratorResult<T>>);
      if (done) return;
      yield value;
    }
  }
}

/**
 * Caches reads while they are in progress, and for a few seconds after their newest page. To render one page, Saltcorn
 * repeats the same read for every column that its builder previews, and for rows and their count.
 */
export class RecentReads<T> {
  readonly #reads = new TTLCache<string, Read<T>>({ max: capacity, checkAgeOnGet: true });
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
  find(key: string): Read<T> | undefined {
    return this.#reads.get(key);
  }

  /** Caches a read. */
  add(key: string, pages: AsyncGenerator<T>): Read<T> {
    const isCurrent = () => this.#reads.get(key) === read;
    const read: Read<T> = new Read(this.#watched(key, pages, isCurrent));
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
