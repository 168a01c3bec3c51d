import {
  type Page,
  type Said,
  SharedPages,
  sentenceOf,
  type TelephonyRecord,
} from '../../../../src/builder.ts';

/** A range of a list, and whether more rows follow. */
export interface Part {
  rows: TelephonyRecord[];
  more: boolean;
  /** Why the list is empty or lacks rows, and what to change. */
  hint?: Said | undefined;
}

/**
 * Reads a list page by page, only as far as needed. Keeps the rows, so that page 50 costs only one request more than
 * page 49.
 */
export class ListReader {
  readonly #stop = new AbortController();
  readonly #pages: SharedPages<Page>;
  readonly #readers = new Set<object>();

  /** The number of rows read. */
  length = 0;

  /** Whether reading was stopped or failed, so that no more rows follow. */
  isOver = false;

  /** @param open starts reading the list */
  constructor(open: (signal: AbortSignal) => AsyncGenerator<Page, void, void>) {
    this.#pages = new SharedPages(open(this.#stop.signal));
  }

  async #read(offset: number, end: number): Promise<Part> {
    const part: Part = { rows: [], more: false };
    let start = 0;
    for await (const page of this.#pages) {
      const { records, more } = page;
      const hint = sentenceOf(page) ?? page.hint ?? part.hint;
      part.rows.push(...records.slice(Math.max(offset - start, 0), Math.max(end - start, 0)));
      start += records.length;
      Object.assign(part, { more: more || start > end, hint });
      if (start >= end) break;
    }
    this.length = Math.max(this.length, start);
    return part;
  }

  /**
   * Returns a range of rows. Reads no further than necessary.
   *
   * @param left aborts when the user leaves; reading stops once all readers have left
   */
  async part(offset: number, limit: number, left?: AbortSignal): Promise<Part> {
    const reader = {};
    this.#readers.add(reader);
    const leave = () => this.#leave(reader);
    left?.addEventListener('abort', leave, { once: true });
    try {
      return await this.#read(offset, offset + limit);
    } catch (error) {
      this.isOver = true;
      throw error;
    } finally {
      this.#readers.delete(reader);
      left?.removeEventListener('abort', leave);
    }
  }

  #leave(reader: object): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.isOver = true;
    this.#stop.abort();
  }
}
