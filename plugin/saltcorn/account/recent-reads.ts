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

  /** The pages that were asked for until now. */
  async soFar(): Promise<T[]> {
    const results = await Promise.all(this.#pages);
    return results.filter(({ done }) => !done).map(({ value }) => value);
  }
}

/**
 * Remembers reads for a few seconds, since Saltcorn asks the same again and again while it shows one page: for
 * every column that its builder previews, and for rows and their count.
 */
export class RecentReads<T> {
  readonly #reads = new Map<string, { read: Read<T>; until: number }>();
  readonly #freshFor: number;

  /** @param freshFor how long a read is remembered, in milliseconds */
  constructor(freshFor: number) {
    this.#freshFor = freshFor;
  }

  /** The read of a key, also one that is still under way. */
  find(key: string): Read<T> | undefined {
    const found = this.#reads.get(key);
    return found && found.until > Date.now() ? found.read : undefined;
  }

  /** Remembers a read from now on. */
  add(key: string, pages: AsyncGenerator<T>): Read<T> {
    const read = new Read(this.#forgetting(key, pages));
    this.#reads.delete(key);
    this.#reads.set(key, { read, until: Date.now() + this.#freshFor });
    const [oldest] = this.#reads.keys();
    if (this.#reads.size > capacity && oldest !== undefined) this.#reads.delete(oldest);
    return read;
  }

  /** Forgets everything, since something was changed. */
  clear() {
    this.#reads.clear();
  }

  async *#forgetting(key: string, pages: AsyncGenerator<T>) {
    try {
      yield* pages;
    } catch (error) {
      this.#reads.delete(key);
      throw error;
    }
  }
}
