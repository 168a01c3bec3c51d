import { randomUUID } from 'node:crypto';
import type { Action } from '../../generated/definition-types.ts';
import { inSlices, mapInSlices } from '../async/in-slices.ts';
import { actionOf, hasAction } from '../definition/operation.ts';
import { type IsOptedOut, optedOutReason, readOptOuts } from '../limits/opt-outs.ts';
import { type ChoiceGap, type ChoiceText, choiceTexts } from '../list/field-choices.ts';
import {
  changeEntry,
  type Entry,
  type LogStore,
  storeProblem,
  writeEntry,
} from '../store/store.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { sentence } from '../text/sentence.ts';
import { connectionOf } from '../wire/connection.ts';
import {
  type Batch,
  type BatchPress,
  type BatchRows,
  batchLimits,
  kinds,
  type SkipChoice,
  type StoredBatch,
  type StoredPreview,
  type StoredReading,
} from './batch.ts';
import { batchCostInSlices } from './batch-cost.ts';
import type { BatchLimits } from './batch-limits.ts';
import { clearLog, newLog, readRows, storeRows, WantedKeys } from './batch-log.ts';
import { Continuation, isLeftToBatch, RefusedRecipients, sentFirst } from './continue-batch.ts';
import { readDeliveries } from './deliveries.ts';
import { isMarked, isToSend, type RowItem } from './row-item.ts';
import { type BatchWork, RunningBatch } from './running-batch.ts';
import { readSingleSends, singleSendMarks } from './single-sends.ts';
import {
  BatchHistory,
  clearFailedStarts,
  markDeleted,
  noteStart,
  StoredBatches,
} from './stored-batches.ts';

/** The last batch of the same button. */
export interface PreviousBatch<Context> {
  batch?: Batch<Context>;
  /** Whether its result was deleted. */
  isDeleted?: boolean;
  /** What the values of the first row mean, such as the text of a template with its variables, while the batch is previewed. */
  texts?: ChoiceText[];
  /** What its rows lack of it. */
  gaps?: ChoiceGap[];
  /** The limits that the batch itself exceeds or uses, while it is previewed. */
  limits?: BatchLimits | undefined;
  /** How many of the batch's own messages weren't delivered, as its rows record it. */
  undelivered?: number | undefined;
}

export interface BatchesOptions<Context> {
  /** Whether no other process runs batches, so that all batches that this one doesn't run are interrupted. */
  isAlone?: () => boolean;
  /** Returns the account that a batch sends with, whose store knows who opted out. */
  account?: (press: BatchPress<Context>) => Telephony | undefined | Promise<Telephony | undefined>;
}

/** A preview as it is stored, and its rows. */
interface ReadPreview<Context> {
  entry: Entry;
  value: StoredPreview<Context>;
  rows?: BatchRows;
}

const isWaiting = ({ outcome }: RowItem) => outcome === 'waiting';

/** What a preview shows of its rows, which a start compares. */
async function seenIn(items: RowItem[]) {
  const seen = { skipped: [] as number[], again: [] as number[] };
  await inSlices(items.entries(), ([index, item]) => {
    if (!isWaiting(item)) seen.skipped.push(index);
    else if (isMarked(item)) seen.again.push(index);
  });
  return seen;
}

/** Returns a row as it is left if its recipient opted out. One that may have been sent is still checked in the account's log. */
function withoutOptedOut(item: RowItem, isOptedOut: IsOptedOut): RowItem {
  const { values, ...rest } = item;
  return isToSend(item) && values && isOptedOut(values)
    ? { ...rest, outcome: 'opted-out', message: optedOutReason }
    : item;
}

/** Returns the rows of a preview and their cost. */
const withCost = async ({ actionId }: BatchPress<unknown>, items: RowItem[]) =>
  hasAction(actionId)
    ? { items, cost: await batchCostInSlices(actionOf(actionId), items) }
    : { items };

const removed = ({ actionId, startedAt }: Batch<unknown>) => {
  const values = { action: actionId };
  return new TelephonyError(
    'not-found',
    startedAt === undefined
      ? sentence(
          'This version of the plugin doesn\'t have the batch\'s action "{action}", so nothing was sent.',
          values,
        )
      : sentence(
          "This version of the plugin doesn't have the batch's action \"{action}\", so its result can't be shown.",
          values,
        ),
  );
};

/**
 * Batches over rows: preview, start, progress, stop, resume and result, for all processes that share a store.
 *
 * Exactly one process runs a batch: the one that wrote its entry, which it renews as a lease. To resume an interrupted batch, another
 * process first ends its log, so that a process that was only slow sends nothing more.
 *
 * Deleting a batch empties its entry with a swap, and `expire` deletes that later. A verb that deletes could delete a batch that another
 * process has just started; a swap can't.
 */
export class Batches<Context> {
  readonly #store: LogStore;
  readonly #stored: StoredBatches<Context>;
  /** The batches that this process runs. */
  readonly #running = new Map<string, RunningBatch>();
  /** The calls that start a batch. */
  readonly #starting = new Map<string, Promise<boolean>>();
  #isClosed = false;

  constructor(
    store: LogStore,
    private readonly options: BatchesOptions<Context> = {},
  ) {
    const { isAlone = () => false } = options;
    this.#store = store;
    this.#stored = new StoredBatches(store, isAlone, (key) => this.#running.get(key));
  }

  /** Opens a batch for a pressed button and resolves to its key. Its rows aren't known yet. */
  async press(press: BatchPress<Context>): Promise<string> {
    const key = randomUUID();
    await this.#store.insert(kinds.previews, { key, value: press }).catch(storeProblem);
    return key;
  }

  /** Notes how far the rows of a pressed button have been read, for the page that waits for its preview. */
  async noteReading(key: string, reading: StoredReading): Promise<void> {
    await changeEntry(this.#store, kinds.previews, key, (value) => {
      const { rows } = (value ?? {}) as StoredPreview<Context>;
      return value && !rows ? { ...value, reading } : undefined;
    });
  }

  /**
   * Stores the rows of a batch and shows its preview. The batch will run for exactly these rows.
   *
   * @returns the batch; undefined if its preview has expired
   */
  async preview(
    key: string,
    rows: BatchRows,
    context: Context,
  ): Promise<Batch<Context> | undefined> {
    const entry = await this.#store.get(kinds.previews, key);
    const { reading: _, ...press } = (entry?.value ?? {}) as StoredPreview<Context>;
    if (!entry?.value) return undefined;
    const history = await BatchHistory.read(this.#store, press);
    const left = await this.#remaining(history, press, rows);
    const shown = { ...press, context, seen: history.seen, ...(await seenIn(left)) };
    if (!(await this.#show(entry, shown, rows))) return this.#previewed(key);
    return { ...press, ...rows, ...(await withCost(press, left)), context, key, state: 'preview' };
  }

  /** Returns the rows that are left after earlier batches of the action. */
  async remaining(press: BatchPress<Context>, rows: BatchRows) {
    return this.#remaining(await BatchHistory.read(this.#store, press), press, rows);
  }

  /** @param isToEnd whether to end interrupted batches for good */
  async #remaining(
    history: BatchHistory,
    press: BatchPress<Context>,
    rows: BatchRows,
    isToEnd = false,
  ): Promise<RowItem[]> {
    const { items, isRecorded } = rows;
    if (!hasAction(press.actionId)) return items;
    const action = actionOf(press.actionId);
    const continuation = new Continuation(rows);
    const refused = new RefusedRecipients(action);
    const wanted = new WantedKeys();
    await inSlices(items, (item) => {
      wanted.add([...continuation.want(item), ...refused.want(item)]);
    });
    const options = { isToEnd, wanted };
    for await (const batch of this.#stored.earlier(history, press.button, options)) {
      // The rows themselves record what earlier batches sent, but not that one which is in progress will send to them.
      const isOwn = !isRecorded || (batch.isRunning && batch.isSameButton);
      await inSlices(sentFirst(batch.items), (item) => {
        if (isOwn) continuation.add(item, batch);
        refused.add(item);
      });
    }
    const left = await continuation.decide();
    const marked = singleSendMarks(action, await readSingleSends(this.#store, press, items), rows);
    const after = await mapInSlices(items, (item) => refused.left(marked(left(item))));
    return this.#withoutOptedOut(press, action, after);
  }

  async #withoutOptedOut(press: BatchPress<Context>, action: Action, items: RowItem[]) {
    // Of an account that can't be opened, nothing is known, and sending says what is wrong.
    const open = async () => this.options.account?.(press);
    const telephony = await open().catch(() => undefined);
    const connection = telephony && connectionOf(telephony);
    if (!connection) return items;
    const values = items.flatMap((item) => (isToSend(item) && item.values ? [item.values] : []));
    const isOptedOut = await readOptOuts(connection, action, values);
    return mapInSlices(items, (item) => withoutOptedOut(item, isOptedOut));
  }

  /** Returns a batch of an owner; undefined if it doesn't exist or belongs to someone else. */
  async find(key: string, owner: string): Promise<Batch<Context> | undefined> {
    const batch = (await this.#stored.read(key)) ?? (await this.#previewed(key));
    if (batch?.owner !== owner) return undefined;
    const isStopping = batch.state === 'running' && (await this.#store.get(kinds.stops, key));
    return isStopping ? { ...batch, isStopping: true } : batch;
  }

  /**
   * Returns a batch of an owner.
   *
   * @throws {TelephonyError} if it doesn't exist, belongs to someone else, or its action was removed
   */
  async open(key: string, owner: string): Promise<Batch<Context>> {
    const batch = await this.find(key, owner);
    if (!batch)
      throw new TelephonyError(
        'not-found',
        sentence('This batch has ended or belongs to someone else. Preview it again.'),
      );
    if (!hasAction(batch.actionId)) throw removed(batch);
    return batch;
  }

  /** Opens a batch for a pressed button whose rows are known, and shows its preview. */
  async openPreview(press: BatchPress<Context>, rows: BatchRows): Promise<Batch<Context>> {
    const key = await this.press(press);
    return (await this.preview(key, rows, press.context)) ?? this.open(key, press.owner);
  }

  /**
   * Opens another preview of the same rows, with or without those of earlier batches. The first one stays as it was shown, because
   * another tab may show it.
   *
   * @throws {TelephonyError} as `open`
   */
  async openOther(key: string, owner: string, choice: SkipChoice): Promise<Batch<Context>> {
    const { actionId, scope, button, context } = await this.open(key, owner);
    const { rows } = (await this.#readPreview(key)) ?? {};
    if (!rows) return this.open(key, owner);
    const press = { owner, actionId, button, context, ...(scope !== undefined && { scope }) };
    return this.openPreview(press, { ...rows, ...choice });
  }

  /** Returns the last batch of the same button, and what the values of the first row mean, for a preview. */
  previousOf = async (batch: Batch<Context>): Promise<PreviousBatch<Context>> =>
    batch.state === 'preview'
      ? { ...(await this.previous(batch)), ...(await this.#textsOf(batch)) }
      : {};

  async #textsOf(batch: Batch<Context>): Promise<Pick<PreviousBatch<Context>, 'texts' | 'gaps'>> {
    const toSend = batch.items.flatMap((item) => {
      const { who, values } = item;
      return values && isToSend(item) ? [{ who, values }] : [];
    });
    const open = async () => this.options.account?.(batch);
    const telephony = toSend.length > 0 && (await open().catch(() => undefined));
    return telephony ? choiceTexts(telephony, actionOf(batch.actionId), toSend) : {};
  }

  /** Returns the last batch of the same button. */
  async previous(press: BatchPress<Context>): Promise<PreviousBatch<Context>> {
    const { last } = await BatchHistory.read(this.#store, press);
    const batch = last && (await this.#stored.read(last.key));
    return { ...(batch && { batch }), ...(last?.isDeleted && { isDeleted: true }) };
  }

  /**
   * Starts a batch, once however many clicks, tabs and processes start it. It runs on after the call. If its button started another batch
   * since the preview, a result was deleted, another batch now sends its rows, or it would send rows that the preview skipped, the preview is
   * shown again.
   *
   * @returns whether this call started it
   */
  async start(key: string, owner: string, work: BatchWork): Promise<boolean> {
    const other = this.#starting.get(key);
    // It has to wait: until the other call has stored the batch, readers would still see the preview.
    if (other) return other.then(() => false);
    const starting = this.#start(key, owner, work).catch(storeProblem);
    this.#starting.set(key, starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(key);
    }
  }

  async #start(key: string, owner: string, work: BatchWork): Promise<boolean> {
    while (!this.#isClosed) {
      const { entry, value, rows } = (await this.#readPreview(key)) ?? {};
      if (!entry || !value || !rows) return false;
      const { rows: _, seen, skipped = [], again = [], isShownAgain, ...press } = value;
      if (press.owner !== owner || press.actionId !== work.action.id) return false;
      if (isShownAgain && Date.now() - entry.at < batchLimits.doubleClickMs) return false;
      const history = await BatchHistory.read(this.#store, press);
      const items = await this.#remaining(history, press, rows, true);
      const now = await seenIn(items);
      const [stillSkipped, seenAgain] = [new Set(now.skipped), new Set(again)];
      // Such as the rows of a batch that was in progress, which another press may send again.
      const hasMore =
        skipped.some((index) => !stillSkipped.has(index)) ||
        now.again.some((index) => !seenAgain.has(index));
      const seenSkipped = new Set(skipped);
      const isBusy = items.some((item, index) => isLeftToBatch(item) && !seenSkipped.has(index));
      const isEmpty = now.skipped.length === items.length;
      if (isEmpty || hasMore || isBusy || JSON.stringify(history.seen) !== JSON.stringify(seen)) {
        await this.#show(entry, { ...value, seen: history.seen, ...now, isShownAgain: true }, rows);
        return false;
      }
      const { items: __, ...choice } = rows;
      const batch = { ...press, ...choice, isRunning: true, startedAt: Date.now() };
      const isStarted = await this.#take(key, batch, items, history, work);
      if (isStarted !== undefined) {
        // The preview contains texts. If it can't be emptied now, it expires within the hour.
        if (isStarted) await this.#emptyPreview(entry).catch(() => {});
        return isStarted;
      }
    }
    return false;
  }

  /**
   * Takes the lease of a batch and runs it.
   *
   * @returns undefined if another batch was started meanwhile; false if this one was
   */
  async #take(
    key: string,
    batch: Omit<StoredBatch<Context>, 'log'>,
    items: RowItem[],
    history: BatchHistory,
    work: BatchWork,
  ): Promise<boolean | undefined> {
    const known = await this.#store.get(kinds.batches, key);
    if (known?.value || this.#running.has(key)) return false;
    const log = newLog(items);
    await noteStart(this.#store, key, log);
    await storeRows(this.#store, items, { log });
    const value = { ...batch, log };
    const running = new RunningBatch(this.#store, key, value, items);
    // Set before the write, because a reader in between would consider the batch interrupted.
    this.#running.set(key, running);
    let isStarted: boolean | undefined = false;
    try {
      if (!(await writeEntry(this.#store, kinds.batches, known, { key, value }))) {
        await clearLog(this.#store, log);
        return isStarted;
      }
      isStarted = (await history.add(key)) || undefined;
      if (!isStarted) await this.#stored.empty(key);
    } finally {
      if (!isStarted) this.#running.delete(key);
    }
    // It wasn't among those that were closed.
    if (this.#isClosed) void running.close();
    if (isStarted)
      void running
        .run(work)
        .catch((error) => work.report(error))
        .finally(() => this.#running.delete(key));
    return isStarted;
  }

  /**
   * Stops a batch. Messages in flight finish, and the other rows are not run.
   *
   * @throws {TelephonyError} with code `unavailable` if that can't be stored, so that the batch goes on
   */
  async stop(key: string, owner: string): Promise<void> {
    await this.#starting.get(key)?.catch(() => {});
    try {
      const batch = await this.find(key, owner);
      if (batch?.state === 'running') await this.#store.insert(kinds.stops, { key, value: true });
    } catch {
      throw new TelephonyError(
        'unavailable',
        sentence('The batch goes on: the plugin could not use its store. Stop it again.'),
      );
    }
  }

  /**
   * Checks in the account's log which messages of a batch that has ended were delivered, and records it in its result. The next batch
   * sends the others again.
   *
   * @throws {TelephonyError} as `open`, or if the log can't be read
   */
  async checkDelivery(key: string, owner: string, telephony: Telephony): Promise<void> {
    const batch = await this.open(key, owner);
    if (batch.state !== 'ended' && batch.state !== 'interrupted') return;
    const deliveries = await readDeliveries(telephony, actionOf(batch.actionId), batch.items);
    if (batch.state === 'interrupted') await this.#stored.read(key, { isToEnd: true });
    await this.#stored.noteDeliveries(key, deliveries);
  }

  /**
   * Deletes a batch and its result. Only columns of the rows then record what was sent.
   *
   * @throws {TelephonyError} while it runs
   */
  async delete(key: string, owner: string): Promise<void> {
    const batch = await this.find(key, owner);
    if (!batch) return;
    if (batch.startedAt === undefined) {
      const entry = await this.#store.get(kinds.previews, key);
      if (entry) await this.#emptyPreview(entry);
      return;
    }
    const ended = await this.#stored.read(key, { isToEnd: true });
    if (ended?.state === 'running')
      throw new TelephonyError('input', sentence('Stop this batch before you delete it.'));
    // Marked first, so that no batch starts that takes the result into account while it is being deleted.
    await markDeleted(this.#store, batch, key);
    await this.#stored.empty(key);
  }

  /** Deletes expired entries. */
  async expire(): Promise<void> {
    const { keptMs, previewMs, singlesMs } = batchLimits;
    await clearFailedStarts(this.#store, Date.now() - previewMs);
    for (const kind of [kinds.previews, kinds.previewRows])
      await this.#store.expire(kind, Date.now() - previewMs);
    await this.#store.expire(kinds.singles, Date.now() - singlesMs);
    const { batches, rows, changes, keys, stops, history } = kinds;
    for (const kind of [batches, rows, changes, keys, stops, history])
      await this.#store.expire(kind, Date.now() - keptMs);
  }

  /** Stops the batches of this process and resolves when messages in flight have finished and outcomes are recorded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running.values()].map((batch) => batch.close()));
  }

  /** Returns the preview of a key, as long as it can start a batch. */
  async #preview(key: string): Promise<Entry | undefined> {
    const entry = await this.#store.get(kinds.previews, key);
    return entry?.value && entry.at >= Date.now() - batchLimits.previewMs ? entry : undefined;
  }

  /** Returns a preview as it is stored and, once they are known, its rows, as long as it can start a batch. */
  async #readPreview(key: string): Promise<ReadPreview<Context> | undefined> {
    for (;;) {
      const entry = await this.#preview(key);
      if (!entry) return undefined;
      const value = entry.value as StoredPreview<Context>;
      if (!value.rows) return { entry, value };
      const { log, ...choice } = value.rows;
      const items = await readRows(this.#store, log, kinds.previewRows);
      if (items) return { entry, value, rows: { ...choice, items } };
      // It has been shown again meanwhile, with rows that expire later; otherwise its rows are lost.
      if ((await this.#preview(key))?.version === entry.version) return undefined;
    }
  }

  /**
   * Stores a preview and its rows, which expire together, instead of what its entry had.
   *
   * @returns false if the entry was changed since it was read
   */
  async #show(
    entry: Entry,
    preview: StoredPreview<Context>,
    { items, ...choice }: BatchRows,
  ): Promise<boolean> {
    const log = await storeRows(this.#store, items, { kind: kinds.previewRows }).catch(
      storeProblem,
    );
    const shown = { ...preview, rows: { ...choice, log } };
    const isShown = await this.#store.swap(kinds.previews, entry, shown);
    const { rows: before } = (entry.value ?? {}) as StoredPreview<Context>;
    const needless = isShown ? before?.log : log;
    if (needless) await this.#store.clear(kinds.previewRows, needless.id);
    return isShown;
  }

  async #emptyPreview(entry: Entry): Promise<void> {
    const { rows } = (entry.value ?? {}) as StoredPreview<Context>;
    const isEmptied = await this.#store.swap(kinds.previews, entry, null);
    if (isEmptied && rows) await this.#store.clear(kinds.previewRows, rows.log.id);
  }

  async #previewed(key: string): Promise<Batch<Context> | undefined> {
    const { entry, value, rows } = (await this.#readPreview(key)) ?? {};
    if (!entry || !value) return undefined;
    const { rows: _, seen: __, skipped: ___, again: ____, reading, ...press } = value;
    if (!rows) {
      const isInterrupted = Date.now() - entry.at > batchLimits.readingMs;
      const known = { ended: 0, all: 0, ...reading, isInterrupted };
      return { ...press, reading: known, key, state: 'choosing', items: [] };
    }
    const items = await this.remaining(press, rows);
    return { ...press, ...rows, ...(await withCost(press, items)), key, state: 'preview' };
  }
}
