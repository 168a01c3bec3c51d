import type { Store } from '../../store/store.ts';
import { LeaseLost } from './poll-state.ts';

/** Keeps earlier work from writing to a store. */
export class WriteFence {
  readonly #writing = new Set<Promise<boolean>>();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  #write(begin: () => Promise<boolean>): Promise<boolean> {
    if (this.#isClosed) return Promise.reject(new LeaseLost());
    const writing = begin();
    this.#writing.add(writing);
    return writing.finally(() => this.#writing.delete(writing));
  }

  /** Returns a store whose writes reject with `LeaseLost` once the fence is closed. */
  around(store: Store): Store {
    return {
      get: (...read) => store.get(...read),
      find: (...read) => store.find(...read),
      insert: (...write) => this.#write(() => store.insert(...write)),
      swap: (...write) => this.#write(() => store.swap(...write)),
      expire: (...write) => store.expire(...write),
    };
  }

  /** Closes the fence. Resolves when the writes in progress have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#writing);
  }
}
