import { changeEntry, writeEntry } from '../store/change-entry.ts';
import type { Entry, Store } from '../store/store.ts';
import type { BatchPress, SeenHistory, StoredHistory } from './batch.ts';
import { mostEarlierBatches } from './batch-limits.ts';
import { kinds } from './entry-kinds.ts';

/** Batches of one action and scope have one history. */
export const historyKey = ({
  scope = '',
  actionId,
}: Pick<BatchPress<unknown>, 'scope' | 'actionId'>): string => JSON.stringify([scope, actionId]);

/** The history of the batches of an action. */
export class BatchHistory {
  readonly started: StoredHistory;

  private constructor(
    private readonly store: Store,
    private readonly press: BatchPress<unknown>,
    private readonly entry: Entry | undefined,
  ) {
    this.started = (entry?.value ?? []) as StoredHistory;
  }

  /** Reads the history that a batch belongs to. */
  static async read(store: Store, press: BatchPress<unknown>): Promise<BatchHistory> {
    return new BatchHistory(store, press, await store.get(kinds.history, historyKey(press)));
  }

  /** Returns the last batch of the same button. */
  get last() {
    return this.started.find(({ button }) => button === this.press.button);
  }

  /** Returns the part of the history that a preview depends on. */
  get seen(): SeenHistory {
    const deleted = this.started.filter(({ isDeleted }) => isDeleted).length;
    return { ...(this.last && { last: this.last.key }), deleted };
  }

  /** Adds a batch. Resolves to false if the history has changed since it was read. */
  add(key: string): Promise<boolean> {
    const started = [{ key, button: this.press.button }, ...this.started];
    return writeEntry(this.store, kinds.history, this.entry, {
      ...{ key: historyKey(this.press), value: started.slice(0, mostEarlierBatches) },
    });
  }
}

/** Marks a batch as deleted in the history that it belongs to. */
export const markDeleted = (store: Store, press: BatchPress<unknown>, key: string) =>
  changeEntry(store, kinds.history, historyKey(press), (value) => {
    const started = (value ?? []) as StoredHistory;
    if (!started.some((one) => one.key === key)) return undefined;
    return started.map((one) => (one.key === key ? { ...one, isDeleted: true } : one));
  });
