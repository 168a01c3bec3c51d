import { TTLCache } from '@isaacs/ttlcache';

/** How many reads are remembered at most. */
const capacity = 100;

/** Pages that are read once, when first asked for, and can be gone through any number of times. */
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
 * Remembers reads while they are in progress, and for a few seconds from their newest page on, since Saltcorn asks the same
 * again and again while it shows one page: for every column that its builder previews, and for rows and their count.
 */
export class RecentReads<T> {
  readonly #reads = new TTLCache<string, Read<T>>({ max: capacity, checkAgeOnGet: true });
  readonly #freshFor: number;

  /** @param freshFor how long a read is remembered, in milliseconds; 0 for not at all */
  constructor(freshFor: number) {
    this.#freshFor = Math.ceil(freshFor);
  }

  /** How many are remembered. */
  get size() {
    return this.#reads.size;
  }

  /** The read of a key, which may be in progress. */
  find(key: string): Read<T> | undefined {
    return this.#reads.get(key);
  }

  /** Remembers a read from now on. */
  add(key: string, pages: AsyncGenerator<T>): Read<T> {
    const isCurrent = () => this.#reads.get(key) === read;
    const read: Read<T> = new Read(this.#watched(key, pages, isCurrent));
    if (this.#freshFor > 0) this.#reads.set(key, read, { ttl: Number.POSITIVE_INFINITY });
    return read;
  }

  /** Forgets everything, since something was changed. */
  clear() {
    this.#reads.clear();
  }

  // Meanwhile another read may have taken the place of this one, which is none of its business any more.
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
