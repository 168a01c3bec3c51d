/** Reads each page once, when it is first needed. Can be iterated any number of times, even while it is read. */
export class SharedPages<Of> implements AsyncIterable<Of> {
  readonly #source: AsyncGenerator<Of, void, void>;
  readonly #pages: Promise<IteratorResult<Of, void>>[] = [];

  constructor(source: AsyncGenerator<Of, void, void>) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Of, void, void> {
    for (let index = 0; ; index += 1) {
      this.#pages[index] ??= this.#source.next();
      const page = await this.#pages[index];
      if (!page || page.done) return;
      yield page.value;
    }
  }
}
