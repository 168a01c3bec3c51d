import { mapInSlices } from '../async/in-slices.ts';
import { startTimer } from '../async/timers.ts';
import { changeEntry, type Entry, type LogStore, type Store, writeEntry } from '../store/store.ts';
import {
  type Batch,
  type BatchPress,
  batchLimits,
  kinds,
  mostEarlierBatches,
  type SeenHistory,
  type StoredBatch,
  type StoredHistory,
  type StoredLog,
} from './batch.ts';
import {
  clearLog,
  clearRows,
  endLog,
  type ReadLog,
  readKeys,
  readLog,
  readOn,
  storeResult,
  type WantedKeys,
} from './batch-log.ts';
import { type EarlierBatch, interruptedItems, isRecent } from './continue-batch.ts';
import { type Deliveries, withDelivery } from './deliveries.ts';
import type { RowItem } from './row-item.ts';
import type { RunningBatch } from './running-batch.ts';

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

/** The index of all starts. */
const allStarts = 'all';

/** Stores that the rows of a batch are being stored, which then has no entry yet. */
export const noteStart = (store: Store, key: string, { id }: StoredLog): Promise<boolean> =>
  store.insert(kinds.starts, { key: id, index: allStarts, value: key });

/**
 * Deletes the rows of starts that failed or were killed before the entry of their batch was written.
 *
 * @param before only of starts before this time, in milliseconds since 1970
 */
export async function clearFailedStarts(store: LogStore, before: number): Promise<void> {
  for (const { key: id, value, at } of await store.find(kinds.starts, allStarts)) {
    if (at >= before) continue;
    const key = String(value);
    const entry = await store.get(kinds.batches, key);
    // A start that was only slow can then no longer write its entry.
    if (!entry?.value) await writeEntry(store, kinds.batches, entry, { key, value: null });
    const { value: batch } = (await store.get(kinds.batches, key)) ?? {};
    if ((batch as StoredBatch<unknown> | null)?.log.id !== id) await store.clear(kinds.rows, id);
  }
  await store.expire(kinds.starts, before);
}

/** Marks the waiting rows as started, so that the account's log is checked for them. */
const allStarted = (items: RowItem[], startedAt: number): RowItem[] =>
  items.map((item) =>
    item.outcome === 'waiting' ? { begun: new Date(startedAt).toISOString(), ...item } : item,
  );

/** How to read earlier batches. */
interface EarlierOptions {
  /** Whether to end interrupted ones for good. */
  isToEnd: boolean;
  /** What the rows of the new batch look for. Batches that have ended without it aren't read. */
  wanted: WantedKeys;
}

/** How long after a look at a batch its rows are kept in memory for the next one, in milliseconds. */
const lookMs = 30_000;

/** The most hashes of a batch that are kept in memory: a busy day has many small batches, and few large ones. */
const mostKeptHashes = 1_000;

/** The started batches in a store. */
export class StoredBatches<Context> {
  /** The logs of batches that other processes run, as they were read last. */
  readonly #read = new Map<string, { read: ReadLog; stopTimer(): void }>();
  /** The hashes of the keys of small batches that have ended, the newest last, and when these were started. */
  readonly #ended = new Map<string, { hashes: Uint32Array; startedAt: number }>();

  /**
   * @param isAlone whether no other process runs batches
   * @param running returns a batch that this process runs
   */
  constructor(
    private readonly store: LogStore,
    private readonly isAlone: () => boolean,
    private readonly running: (key: string) => RunningBatch | undefined,
  ) {}

  /** Reads the log of a batch that another process runs, after the first time only what was appended. */
  async #look(log: StoredLog): Promise<ReadLog | undefined> {
    const known = this.#read.get(log.id);
    const read = known ? await readOn(this.store, log, known.read) : await readLog(this.store, log);
    this.#forget(log);
    const stopTimer = startTimer(lookMs, () => this.#read.delete(log.id));
    if (read) this.#read.set(log.id, { read, stopTimer });
    return read;
  }

  #forget({ id }: StoredLog): void {
    this.#read.get(id)?.stopTimer();
    this.#read.delete(id);
  }

  /** Whether a batch that has ended may have sent to one of the rows that look for it. */
  async #mayHave(
    wanted: WantedKeys,
    key: string,
    { log, startedAt }: Pick<StoredBatch<Context>, 'log' | 'startedAt'>,
  ): Promise<boolean> {
    const hashes = await readKeys(this.store, log);
    if (!hashes) return true;
    if (hashes.length <= mostKeptHashes) this.#ended.set(key, { hashes, startedAt });
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > 2 * mostEarlierBatches && oldest) this.#ended.delete(oldest);
    return wanted.mayBeIn(hashes, isRecent(startedAt));
  }

  #isInterrupted(at: number): boolean {
    return this.isAlone() || Date.now() - at > batchLimits.leaseMs;
  }

  /**
   * Reads a batch. Resolves to undefined if there is none, it was deleted, or its rows are lost.
   *
   * @param options whether to end it for good if it was interrupted, and what to look for: without that, it counts as not found
   */
  async read(
    key: string,
    { isToEnd = false, wanted }: Partial<EarlierOptions> = {},
  ): Promise<Batch<Context> | undefined> {
    const ended = this.#ended.get(key);
    if (wanted && ended && !wanted.mayBeIn(ended.hashes, isRecent(ended.startedAt)))
      return undefined;
    for (;;) {
      const wasOwn = this.running(key) !== undefined;
      const entry = await this.store.get(kinds.batches, key);
      if (!entry?.value) return undefined;
      const { log, isRunning, isInterrupted, isDamaged, ...stored } =
        entry.value as StoredBatch<Context>;
      const own = isRunning ? this.running(key) : undefined;
      if (own) return { ...stored, key, items: await own.items(), state: 'running' };
      const { startedAt } = stored;
      if (!isRunning && wanted && !(await this.#mayHave(wanted, key, { log, startedAt })))
        return undefined;
      const isLook = isRunning && !wasOwn && !isToEnd;
      const read = await (isLook ? this.#look(log) : readLog(this.store, log));
      if (!read || isRunning) {
        const { value } = (await this.store.get(kinds.batches, key)) ?? {};
        const now = value as StoredBatch<Context> | undefined | null;
        // It has ended meanwhile, which moves its rows.
        if (now?.log.id !== log.id || now.isRunning !== isRunning) {
          this.#forget(log);
          continue;
        }
        if (!read) return undefined;
      }
      const { isEnded } = read;
      const items = isDamaged ? allStarted(read.items, stored.startedAt) : read.items;
      if (!isRunning)
        return { ...stored, key, items, state: isInterrupted ? 'interrupted' : 'ended' };
      if (!isEnded && !this.#isInterrupted(entry.at))
        return { ...stored, key, items, state: 'running' };
      const ended = interruptedItems(items, stored.isRecorded ?? false);
      if (!isToEnd || isEnded || (await endLog(this.store, log, read))) {
        if (isToEnd) await this.#storeEnd(entry, ended);
        return { ...stored, key, items: ended, state: 'interrupted' };
      }
    }
  }

  /** Stores the rows of an interrupted batch without their values. Readers before that see the same from its log. */
  async #storeEnd(entry: Entry, items: RowItem[]): Promise<void> {
    const batch = entry.value as StoredBatch<Context>;
    const log = await storeResult(this.store, items);
    const { isDamaged: _, ...known } = batch;
    const ended = { ...known, log, isRunning: false, isInterrupted: true };
    const isStored = await this.store.swap(kinds.batches, entry, ended);
    await (isStored ? clearRows(this.store, batch.log) : clearLog(this.store, log));
  }

  /** Records in the result of a batch which of its messages were delivered. */
  async noteDeliveries(key: string, deliveries: Deliveries): Promise<void> {
    const entry = await this.store.get(kinds.batches, key);
    const batch = entry?.value as StoredBatch<Context> | undefined | null;
    if (!entry || !batch || batch.isRunning) return;
    const read = await readLog(this.store, batch.log);
    if (!read) return;
    const noted = { ...batch, checkedAt: Date.now() };
    if (deliveries.size === 0) {
      await this.store.swap(kinds.batches, entry, noted);
      return;
    }
    const log = await storeResult(
      this.store,
      await mapInSlices(read.items, (item) => withDelivery(item, deliveries)),
    );
    const isStored = await this.store.swap(kinds.batches, entry, { ...noted, log });
    await clearLog(this.store, isStored ? batch.log : log);
  }

  /**
   * Reads the batches of a history, the newest first.
   *
   * @param button the button of the new batch
   */
  async *earlier(
    history: BatchHistory,
    button: string,
    options: EarlierOptions,
  ): AsyncGenerator<EarlierBatch> {
    for (const { key, button: of, isDeleted } of history.started) {
      const batch = isDeleted ? undefined : await this.read(key, options);
      if (batch)
        yield {
          items: batch.items,
          isRunning: batch.state === 'running',
          isInterrupted: batch.state === 'interrupted',
          startedAt: batch.startedAt ?? 0,
          isSameButton: of === button,
        };
    }
  }

  /** Deletes the content of a batch. */
  async empty(key: string): Promise<void> {
    let log: StoredBatch<Context>['log'] | undefined;
    await changeEntry(this.store, kinds.batches, key, (batch) => {
      log = (batch as StoredBatch<Context> | undefined | null)?.log;
      return batch ? null : undefined;
    });
    if (log) await clearLog(this.store, log);
  }
}
