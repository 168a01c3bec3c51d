import { setTimeout } from 'node:timers/promises';
import type { Action } from '../../generated/definition-types.ts';
import { mapInSlices } from '../async/in-slices.ts';
import { changeEntry, type LogStore } from '../store/store.ts';
import { batchLimits, kinds, type StoredBatch, type StoredLog } from './batch.ts';
import { BatchLog, clearLog, newLog, storeResult, TakenOver } from './batch-log.ts';
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
  readonly #log: BatchLog;
  #renewedAt = Date.now();
  #isClosed = false;
  /** Whether its log could not be written for too long. Every further row would wait as long. */
  #isAbandoned = false;
  #run: Promise<void> = Promise.resolve();

  /** @param rows its items, which it changes */
  constructor(
    private readonly store: LogStore,
    private readonly key: string,
    value: StoredBatch<unknown>,
    private readonly rows: RowItem[],
  ) {
    this.#log = new BatchLog(store, { key, value }, rows);
  }

  /** Resolves to its items, as they are now. */
  items = (): Promise<RowItem[]> => mapInSlices(this.rows, (item) => ({ ...item }));

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
      await this.#log.open();
      const notesOf = columns?.();
      const isStopped = async () => isRemoved?.() || this.#isStopped();
      const abandoned = (error: unknown) => {
        this.#isAbandoned = true;
        throw error;
      };
      const log: ItemsLog = {
        changed: (item) => this.#log.changed(item),
        write: () => this.#retried(() => this.#write()).catch(abandoned),
      };
      await runItems(action, this.rows, { open, isStopped, isConfirmed, notesOf, log });
    } catch (error) {
      abandon(action, this.rows, error);
      throw error;
    } finally {
      await this.#end().finally(ended);
    }
  }

  async #isStopped(): Promise<boolean> {
    const read = () => this.store.get(kinds.stops, this.key);
    const isStopped = !this.#isAbandoned && (await this.#retried(read)) !== undefined;
    return isStopped || this.#isAbandoned || this.#isClosed;
  }

  /** Uses the store as soon as it is available. Rejects if it isn't for too long, another process has ended the batch, or this one closes it. */
  async #retried<Result>(
    use: () => Promise<Result>,
    forMs = batchLimits.waitForMs,
  ): Promise<Result> {
    for (const from = performance.now(); ; ) {
      try {
        return await use();
      } catch (error) {
        const isOver = this.#isClosed || performance.now() - from > forMs;
        if (isOver || error instanceof TakenOver) throw error;
        await setTimeout(batchLimits.retryEveryMs, undefined, { ref: false });
      }
    }
  }

  /** Stores the progress and, each second, renews the lease. Rejects if another process has ended the batch meanwhile. */
  async #write(): Promise<void> {
    await this.#log.write();
    const now = Date.now();
    if (now - this.#renewedAt < batchLimits.renewMs) return;
    const entry = await this.store.get(kinds.batches, this.key);
    const batch = entry?.value as StoredBatch<unknown> | undefined | null;
    if (!entry || !batch?.isRunning || !(await this.store.swap(kinds.batches, entry, batch)))
      throw new TakenOver();
    this.#renewedAt = now;
  }

  /** Stores the outcomes, even if another process has ended the batch, because this one knows them. */
  async #recordEnd(end: StoredLog): Promise<void> {
    const log = await storeResult(this.store, this.rows, end);
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

  #end(): Promise<void> {
    const end = newLog(this.rows);
    return this.#retried(() => this.#recordEnd(end), batchLimits.recordForMs);
  }
}
