/** How long what was read is shown again without asking the service, in milliseconds. */
const freshFor = 5_000;
/** How many reads are remembered at most. */
const capacity = 100;

/** Pages that are read once, when first asked for, and can be gone through any number of times. */
function replayable<T>(pages: AsyncGenerator<T>): AsyncIterable<T> {
  const read: Promise<IteratorResult<T>>[] = [];
  return {
    async *[Symbol.asyncIterator]() {
      for (let index = 0; ; index += 1) {
        read[index] ??= pages.next();
        const { done, value } = await (read[index] as Promise<IteratorResult<T>>);
        if (done) return;
        yield value;
      }
    },
  };
}

/**
 * Remembers reads for a few seconds, since Saltcorn asks the same again and again while it shows one page: for
 * every column that its builder previews, and for rows and their count.
 */
export class RecentReads<T> {
  readonly #reads = new Map<string, { pages: AsyncIterable<T>; until: number }>();

  /**
   * The pages of a read, also of one that is still under way.
   *
   * @param key the same for the same read
   * @param read starts it
   */
  async *pages(key: string, read: () => AsyncGenerator<T>): AsyncGenerator<T> {
    try {
      yield* this.#find(key) ?? this.#add(key, read());
    } catch (error) {
      this.#reads.delete(key);
      throw error;
    }
  }

  /** Forgets everything, since something was changed. */
  clear() {
    this.#reads.clear();
  }

  #find(key: string) {
    const found = this.#reads.get(key);
    return found && found.until > Date.now() ? found.pages : undefined;
  }

  #add(key: string, pages: AsyncGenerator<T>) {
    const shared = replayable(pages);
    this.#reads.delete(key);
    this.#reads.set(key, { pages: shared, until: Date.now() + freshFor });
    const [oldest] = this.#reads.keys();
    if (this.#reads.size > capacity && oldest !== undefined) this.#reads.delete(oldest);
    return shared;
  }
}
