import { setTimeout } from 'node:timers/promises';
import type { Action } from '../../generated/definition-types.ts';
import { changeEntry, type LogStore } from '../store/store.ts';
import { batchLimits, kinds, type StoredBatch, type StoredLog } from './batch.ts';
import { BatchLog, clearLog, newLog, storeResult } from './batch-log.ts';
import type { RowItem } from './row-item.ts';
import type { ItemsLog } from './row-notes.ts';
import { abandon, type NotesOf, runItems } from './run-items.ts';
import type { RowsOptions } from './run-rows.ts';

/** How a batch runs. */
export interface BatchWork extends Pick<RowsOptions<never>, 'open' | 'isConfirmed'> {
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
  readonly #log: BatchLog;
  #renewedAt = Date.now();
  #isClosed = false;
  #run: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: LogStore,
    private readonly key: string,
    value: StoredBatch<unknown>,
    items: RowItem[],
  ) {
    this.#items = structuredClone(items);
    this.#log = new BatchLog(store, { key, value }, this.#items);
  }

  /** Its items, as they are now. */
  get items(): RowItem[] {
    return this.#items.map((item) => ({ ...item }));
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

  async #execute({
    action,
    open,
    isConfirmed,
    columns,
    ended,
    isRemoved,
  }: BatchWork): Promise<void> {
    try {
      const notesOf = columns?.();
      const isStopped = async () => isRemoved?.() || this.#isStopped();
      const log: ItemsLog = {
        changed: (item) => this.#log.changed(item),
        write: () => this.#write(),
      };
      await runItems(action, this.#items, { open, isStopped, isConfirmed, notesOf, log });
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

  /** Stores the progress and, each second, renews the lease. Rejects if another process has ended the batch meanwhile. */
  async #write(): Promise<void> {
    await this.#log.write();
    const now = Date.now();
    if (now - this.#renewedAt < batchLimits.renewMs) return;
    const entry = await this.store.get(kinds.batches, this.key);
    const batch = entry?.value as StoredBatch<unknown> | undefined | null;
    if (!entry || !batch?.isRunning || !(await this.store.swap(kinds.batches, entry, batch)))
      throw new Error('The batch was interrupted for too long.');
    this.#renewedAt = now;
  }

  /** Stores the outcomes, even if another process has ended the batch, because this one knows them. */
  async #recordEnd(end: StoredLog): Promise<void> {
    const log = await storeResult(this.store, this.#items, end);
    let needless: StoredLog | undefined;
    await changeEntry(this.store, kinds.batches, this.key, (stored) => {
      needless = log;
      if (!stored) return undefined;
      const { isInterrupted: _, isDamaged: __, ...batch } = stored as StoredBatch<unknown>;
      // A store that failed may have recorded the end anyway.
      needless = batch.log.id === log.id ? undefined : batch.log;
      return needless && { ...batch, log, isRunning: false };
    });
    // What can't be deleted now expires.
    if (needless) await clearLog(this.store, needless).catch(() => {});
  }

  /** Records the end as soon as the store is available. */
  async #end(): Promise<void> {
    const { recordEveryMs, recordForMs } = batchLimits;
    const end = newLog(this.#items);
    for (const from = Date.now(); ; ) {
      try {
        return await this.#recordEnd(end);
      } catch (error) {
        if (this.#isClosed || Date.now() - from > recordForMs) throw error;
        await setTimeout(recordEveryMs, undefined, { ref: false });
      }
    }
  }
}
