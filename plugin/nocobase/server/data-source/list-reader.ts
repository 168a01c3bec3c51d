import type { Page, TelephonyRecord } from '../../../../src/builder.ts';

/** Some rows of a list, and whether there are more after them. */
export interface Part {
  rows: TelephonyRecord[];
  more: boolean;
  /** Why the list is empty, and what to change. */
  hint?: string | undefined;
}

/**
 * A list that is read page by page, as far as it was requested, so that its fiftieth page costs one request more than
 * its forty-ninth.
 */
export class ListReader {
  readonly #stop = new AbortController();
  readonly #pages: AsyncGenerator<Page, void, void>;
  #rows: TelephonyRecord[] = [];
  #more = true;
  #hint: string | undefined;
  #fault: unknown;
  #last: Promise<unknown> = Promise.resolve();
  readonly #readers = new Set<object>();

  /** @param open opens the list */
  constructor(open: (signal: AbortSignal) => AsyncGenerator<Page, void, void>) {
    this.#pages = open(this.#stop.signal);
  }

  /** How many rows were read. */
  get length(): number {
    return this.#rows.length;
  }

  /** Whether it was stopped or failed, so that nothing more can come. */
  isOver = false;

  async #readTo(end: number) {
    // What failed for one is not empty for the next one.
    if (this.#fault && this.#rows.length < end) throw this.#fault;
    while (this.#more && this.#rows.length < end) {
      const { done, value } = await this.#pages.next();
      if (done) this.#more = false;
      else {
        this.#rows.push(...value.records);
        this.#more = value.more;
        this.#hint = value.hint;
      }
    }
  }

  /**
   * Gives some of its rows, and reads no further than it has to.
   *
   * @param left aborts when the user who waits for them leaves; when no one waits any more, the reading stops
   */
  part(offset: number, limit: number, left?: AbortSignal): Promise<Part> {
    const end = offset + limit;
    const reader = {};
    this.#readers.add(reader);
    const leave = () => this.#leave(reader);
    left?.addEventListener('abort', leave, { once: true });
    const part = this.#last.then(async () => {
      await this.#readTo(end);
      const more = this.#more || this.#rows.length > end;
      return { rows: this.#rows.slice(offset, end), more, hint: this.#hint };
    });
    const ended = part.catch((error: unknown) => {
      this.#fault ??= error;
      this.isOver = true;
    });
    this.#last = ended.finally(() => {
      this.#readers.delete(reader);
      left?.removeEventListener('abort', leave);
    });
    return part;
  }

  #leave(reader: object): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.isOver = true;
    this.#stop.abort();
  }
}
