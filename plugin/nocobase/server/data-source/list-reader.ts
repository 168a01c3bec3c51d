import type { Page, TelephonyRecord } from '../../../../src/builder.ts';

/** A range of a list, and whether more rows follow. */
export interface Part {
  rows: TelephonyRecord[];
  more: boolean;
  /** Why the list is empty or lacks rows, and what to change. */
  hint?: string | undefined;
}

/**
 * Reads a list page by page, only as far as needed. Keeps the rows, so that page 50 costs only one request more than
 * page 49.
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

  /** @param open starts reading the list */
  constructor(open: (signal: AbortSignal) => AsyncGenerator<Page, void, void>) {
    this.#pages = open(this.#stop.signal);
  }

  /** The number of rows read. */
  get length(): number {
    return this.#rows.length;
  }

  /** Whether reading was stopped or failed, so that no more rows follow. */
  isOver = false;

  async #readTo(end: number) {
    // After a failure, later readers get the error rather than an empty list.
    if (this.#fault && this.#rows.length < end) throw this.#fault;
    while (this.#more && this.#rows.length < end) {
      const { done, value } = await this.#pages.next();
      if (done) this.#more = false;
      else {
        this.#rows.push(...value.records);
        this.#more = value.more;
        this.#hint = value.hint ?? this.#hint;
      }
    }
  }

  /**
   * Returns a range of rows. Reads no further than necessary.
   *
   * @param left aborts when the user leaves; reading stops once all readers have left
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
