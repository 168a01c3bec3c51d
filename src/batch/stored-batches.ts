import { changeEntry } from '../store/change-entry.ts';
import type { Entry, Store } from '../store/store.ts';
import type { Batch, StoredBatch } from './batch.ts';
import type { BatchHistory } from './batch-history.ts';
import { batchLimits } from './batch-limits.ts';
import { type EarlierBatch, interruptedItems } from './continue-batch.ts';
import { kinds } from './entry-kinds.ts';

/** The started batches in a store. */
export class StoredBatches<Context> {
  /**
   * @param isAlone whether no other process runs batches
   * @param isOwn whether this process runs a batch
   */
  constructor(
    private readonly store: Store,
    private readonly isAlone: () => boolean,
    private readonly isOwn: (key: string) => boolean,
  ) {}

  /** Returns the stored batch, and whether this process ran it while it was read. */
  async #readEntry(key: string): Promise<{ entry: Entry | undefined; isOwn: boolean }> {
    for (;;) {
      const isOwn = this.isOwn(key);
      const entry = await this.store.get(kinds.batches, key);
      // If the batch ended in between, the entry still says that it runs, but no process seems to run it. Read it
      // again.
      if (isOwn === this.isOwn(key)) return { entry, isOwn };
    }
  }

  #isInterrupted({ value, at }: Entry, isOwn: boolean): boolean {
    if (!(value as StoredBatch<Context>).isRunning || isOwn) return false;
    return this.isAlone() || Date.now() - at > batchLimits.leaseMs;
  }

  /**
   * Reads a batch. Resolves to undefined if there is none, or it was deleted.
   *
   * @param isToEnd whether to end it for good if it was interrupted
   */
  async read(key: string, isToEnd = false): Promise<Batch<Context> | undefined> {
    for (;;) {
      const { entry, isOwn } = await this.#readEntry(key);
      if (!entry?.value) return undefined;
      const { isRunning, isInterrupted, ...stored } = entry.value as StoredBatch<Context>;
      if (!this.#isInterrupted(entry, isOwn))
        return {
          ...{ ...stored, key },
          state: isRunning ? 'running' : isInterrupted ? 'interrupted' : 'ended',
        };
      const items = interruptedItems(stored.items, stored.isRecorded ?? false);
      const ended = { ...stored, items, isRunning: false, isInterrupted: true };
      if (!isToEnd || (await this.store.swap(kinds.batches, entry, ended)))
        return { ...stored, key, items, state: 'interrupted' };
    }
  }

  /**
   * Reads the batches of a history, the newest first.
   *
   * @param button the button of the new batch
   * @param isToEnd whether to end interrupted ones for good
   */
  async earlier(history: BatchHistory, button: string, isToEnd: boolean): Promise<EarlierBatch[]> {
    const earlier: EarlierBatch[] = [];
    for (const { key, button: of, isDeleted } of history.started) {
      const batch = isDeleted ? undefined : await this.read(key, isToEnd);
      if (batch)
        earlier.push({
          items: batch.items,
          isRunning: batch.state === 'running',
          isInterrupted: batch.state === 'interrupted',
          startedAt: new Date(batch.startedAt ?? 0),
          isSameButton: of === button,
        });
    }
    return earlier;
  }

  /** Deletes the content of a batch. */
  async empty(key: string): Promise<void> {
    await changeEntry(this.store, kinds.batches, key, (batch) => (batch ? null : undefined));
  }
}
