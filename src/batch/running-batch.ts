import { setTimeout } from 'node:timers/promises';
import type { Action } from '../../generated/definition-types.ts';
import { changeEntry } from '../store/change-entry.ts';
import type { Store } from '../store/store.ts';
import type { StoredBatch } from './batch.ts';
import { batchLimits } from './batch-limits.ts';
import { kinds } from './entry-kinds.ts';
import type { RowItem } from './row-item.ts';
import { abandon, type NotesOf, runItems } from './run-items.ts';
import type { RowsOptions } from './run-rows.ts';

/** How a batch runs. */
export interface BatchWork extends Pick<RowsOptions<never>, 'open'> {
  action: Action;
  /** The columns of the rows that record their outcomes. Throws if they no longer exist. */
  columns?(): NotesOf | undefined;
  /** Whether the builder no longer has the plugin. */
  isRemoved?(): boolean;
  /** Called with an error that isn't a `TelephonyError`. */
  report(error: unknown): unknown;
  /** Called when the batch has ended. */
  ended?(): void;
}

/** A batch that this process runs. */
export class RunningBatch {
  readonly #items: RowItem[];
  #isClosed = false;
  #run: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly key: string,
    items: RowItem[],
  ) {
    this.#items = structuredClone(items);
  }

  /** Runs the batch. After it has ended, rejects with an error that isn't a `TelephonyError`. */
  run(work: BatchWork): Promise<void> {
    this.#run = this.#execute(work);
    return this.#run;
  }

  /** Stops the batch and resolves when it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#run.catch(() => {});
  }

  async #execute({ action, open, columns, ended, isRemoved }: BatchWork): Promise<void> {
    try {
      const notesOf = columns?.();
      const isStopped = async () => isRemoved?.() || this.#isStopped();
      await runItems(action, this.#items, { open, isStopped, notesOf, save: () => this.#save() });
    } catch (error) {
      abandon(action, this.#items, error);
      throw error;
    } finally {
      await this.#end();
      ended?.();
    }
  }

  async #isStopped(): Promise<boolean> {
    return this.#isClosed || (await this.store.get(kinds.stops, this.key)) !== undefined;
  }

  /** Stores the progress and renews the lease. Rejects if another process has ended the batch meanwhile. */
  async #save(): Promise<void> {
    const entry = await this.store.get(kinds.batches, this.key);
    const batch = entry?.value as StoredBatch<unknown> | undefined | null;
    const isSaved =
      entry &&
      batch?.isRunning &&
      (await this.store.swap(kinds.batches, entry, { ...batch, items: this.#items }));
    if (!isSaved) throw new Error('The batch was interrupted for too long.');
  }

  /** Stores the outcomes, even if another process has ended the batch, because this one knows them. */
  async #recordEnd(): Promise<void> {
    await changeEntry(this.store, kinds.batches, this.key, (stored) => {
      if (!stored) return undefined;
      const { isInterrupted: _, ...batch } = stored as StoredBatch<unknown>;
      return { ...batch, items: this.#items, isRunning: false };
    });
  }

  /** Records the end as soon as the store is available. */
  async #end(): Promise<void> {
    const { recordEveryMs, recordForMs } = batchLimits;
    for (const from = Date.now(); ; ) {
      try {
        return await this.#recordEnd();
      } catch (error) {
        if (this.#isClosed || Date.now() - from > recordForMs) throw error;
        await setTimeout(recordEveryMs, undefined, { ref: false });
      }
    }
  }
}
