import { hash, randomUUID } from 'node:crypto';
import { inSlices } from '../async/in-slices.ts';
import type { Entry, LogStore, NewEntry } from '../store/store.ts';
import { kinds, type StoredBatch, type StoredLog } from './batch.ts';
import { type Packed, packReasons, unpackReasons } from './packed-reasons.ts';
import { digestOf, type RowItem } from './row-item.ts';
import type { ItemsLog } from './row-notes.ts';

/** Returns the hash of what an item sends. */
export const digestIn = ({ digest, values }: RowItem): string | undefined =>
  digest ?? (values && digestOf(values));

/** Returns a key that is equal for items that send the same, in any batch. */
export const whatKey = (item: RowItem): string => digestIn(item) ?? `who ${item.who}`;

const rowPrefix = 'row ';

/** Returns a key that is equal for items of the same row and recipient, in any batch. */
export const rowKey = ({ row, recipient = '' }: Pick<RowItem, 'row' | 'recipient'>): string =>
  `${rowPrefix}${row} ${recipient}`;

/** Returns a key that is equal for items whose recipient the service refuses. */
export const refusedKey = (refused: string): string => `refused ${refused}`;

/** Returns the keys by which a later batch recognises an item. */
const keysOf = (item: RowItem): string[] =>
  item.outcome === 'duplicate'
    ? []
    : [
        whatKey(item),
        ...(item.row ? [rowKey(item)] : []),
        ...(item.refused ? [refusedKey(item.refused)] : []),
      ];

/** Four bytes of a hash: two of 100,000 keys that aren't equal rarely match, and then a batch is only read in vain. */
const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer').subarray(0, 4);

/** How many hashes one entry holds. */
const hashesPerEntry = 20_000;

/** Splits a list into parts of at most a length. */
const partsOf = <One>(all: One[], length: number): One[][] =>
  Array.from({ length: Math.ceil(all.length / length) }, (_, number) =>
    all.slice(number * length, (number + 1) * length),
  );

/**
 * Stores hashes of the keys of a batch that has ended, a tenth as long as its rows: most later batches send to none of them again, and
 * need not read them.
 *
 * @returns its log with their number
 */
export async function storeKeys(
  store: LogStore,
  items: RowItem[],
  log: StoredLog,
): Promise<StoredLog> {
  const hashes: Buffer[] = [];
  await inSlices(items, (item) => hashes.push(...keysOf(item).map(hashOf)));
  await inSlices(partsOf(hashes, hashesPerEntry).entries(), ([number, part]) => {
    const value = Buffer.concat(part).toString('base64');
    return store.insert(kinds.keys, { key: `${log.id} ${number}`, index: log.id, value });
  });
  return { ...log, keys: hashes.length };
}

/** Returns these hashes; undefined if there are none, some are lost, or the batch is being deleted. */
export async function readKeys(
  store: LogStore,
  { id, keys }: StoredLog,
): Promise<Uint32Array | undefined> {
  if (keys === undefined) return undefined;
  const parts = await store.find(kinds.keys, id);
  const bytes = Buffer.concat(parts.map(({ value }) => Buffer.from(String(value), 'base64')));
  const hashes = Uint32Array.from({ length: bytes.length / 4 }, (_, at) =>
    bytes.readUInt32LE(at * 4),
  );
  return hashes.length === keys ? hashes : undefined;
}

/** The keys that the rows of a new batch look for in earlier batches. */
export class WantedKeys {
  readonly #rows = new Set<number>();
  readonly #others = new Set<number>();

  add(keys: string[]): void {
    for (const key of keys)
      (key.startsWith(rowPrefix) ? this.#rows : this.#others).add(hashOf(key).readUInt32LE());
  }

  /**
   * Whether a batch may have one of them.
   *
   * @param hasRows whether its rows count as the same, whatever they were sent
   */
  mayBeIn = (hashes: Uint32Array, hasRows: boolean): boolean =>
    hashes.some((one) => this.#others.has(one) || (hasRows && this.#rows.has(one)));
}

/** A batch as it was started, and its key. */
export interface LoggedBatch {
  key: string;
  value: StoredBatch<unknown>;
}

/** How many rows one entry holds. A database that limits the size of a value can store them. */
const rowsPerEntry = 500;

/** What changes of an item while its batch runs. */
const changing = [
  ...(['outcome', 'message', 'sid', 'refused'] as const),
  ...(['begun', 'isPending', 'isConfirmed', 'isScheduled'] as const),
];

/** The current state of some items, by their indexes. Each has the item's digest, too, in case its row is lost. */
export interface StoredChanges {
  /** Who wrote them. */
  by: string;
  rows: [index: number, state: Packed<Partial<RowItem>>][];
  /** The batch, in the first entry, in case its own entry is lost. */
  batch?: LoggedBatch | undefined;
  /** Whether another process ended the batch with this entry. */
  isEnd?: true;
}

const stateOf = (item: RowItem): Partial<RowItem> =>
  Object.fromEntries(
    [...changing, 'digest' as const].filter((key) => key in item).map((key) => [key, item[key]]),
  );

/** Returns an item in a later state. */
function changed(item: RowItem, state: Partial<RowItem>): RowItem {
  const next = { ...item };
  for (const key of changing) delete next[key as 'message'];
  Object.assign(next, state);
  if (next.outcome !== 'waiting') delete next.values;
  return next;
}

const keyOf = ({ id }: StoredLog, number: number) => `${id} ${number}`;

const entryOf = (log: StoredLog, number: number, value: unknown) => ({
  ...{ key: keyOf(log, number), index: log.id },
  value,
});

/** The changes of a log, by their numbers. */
async function changesOf(store: LogStore, { id }: StoredLog) {
  const entries = await store.find(kinds.changes, id);
  return new Map(entries.map((entry): [number, Entry] => [Number(entry.key.split(' ')[1]), entry]));
}

const countOfChunks = ({ rows }: StoredLog) => Math.ceil(rows / rowsPerEntry);

/** Yields the entries that store the rows of a batch. */
export function* chunksOf(log: StoredLog, items: RowItem[]): Generator<NewEntry> {
  for (const [number, rows] of partsOf(items, rowsPerEntry).entries())
    yield entryOf(log, number, packReasons(rows));
}

/** Returns a new log for rows. */
export const newLog = (items: RowItem[]): StoredLog => ({ id: randomUUID(), rows: items.length });

/** The kinds of rows: previews with their texts are kept shorter. */
type RowsKind = typeof kinds.rows | typeof kinds.previewRows;

/**
 * Stores the rows of a batch, once. What happens to them is appended, so that the cost of a batch grows with its rows.
 *
 * @param log where; if an earlier call for the same rows failed, it continues that
 * @returns the log
 */
export async function storeRows(
  store: LogStore,
  items: RowItem[],
  { log = newLog(items), kind = kinds.rows }: { log?: StoredLog; kind?: RowsKind } = {},
): Promise<StoredLog> {
  await inSlices(chunksOf(log, items), (chunk) => store.insert(kind, chunk));
  return log;
}

/** Stores the rows of a batch that has ended, as `storeRows`, and the keys by which later batches recognise them. */
export const storeResult = async (
  store: LogStore,
  items: RowItem[],
  log = newLog(items),
): Promise<StoredLog> => storeKeys(store, items, await storeRows(store, items, { log }));

/** Reads rows as they were stored. Resolves to undefined if they were deleted, or some are lost. */
export async function readRows(
  store: LogStore,
  log: StoredLog,
  kind: RowsKind = kinds.rows,
): Promise<RowItem[] | undefined> {
  const items: RowItem[] = [];
  await inSlices(Array(countOfChunks(log)).keys(), async (number) => {
    const chunk = await store.get(kind, keyOf(log, number));
    items.push(...unpackReasons<RowItem>((chunk?.value ?? []) as Packed<RowItem>[]));
  });
  return items.length === log.rows ? items : undefined;
}

/** The rows of a batch and what happened to them. */
export interface ReadLog {
  items: RowItem[];
  /** How many entries were appended. */
  count: number;
  /** Whether another process ended the batch. */
  isEnded: boolean;
}

/** Adds an entry to a log that was read. */
function append({ items, ...read }: ReadLog, { rows, isEnd }: StoredChanges): ReadLog {
  const states = unpackReasons<Partial<RowItem>>(rows.map(([, state]) => state));
  for (const [at, [index]] of rows.entries()) {
    const item = items[index];
    const state = states[at] ?? {};
    if (item) items[index] = changed(item, state);
  }
  return { items, count: read.count + 1, isEnded: isEnd === true };
}

/** Reads a log. Resolves to undefined if it was deleted, or some of its rows are lost. */
export async function readLog(store: LogStore, log: StoredLog): Promise<ReadLog | undefined> {
  // Read before the rows: a log that is deleted meanwhile lacks rows, and never only its changes.
  const changes = await changesOf(store, log);
  const items = await readRows(store, log);
  if (!items) return undefined;
  let read: ReadLog = { items, count: 0, isEnded: false };
  for (let entry = changes.get(0); entry && !read.isEnded; entry = changes.get(read.count))
    read = append(read, entry.value as StoredChanges);
  return read;
}

/** Reads what was appended to a log since it was read. The items that it returned before stay as they were. */
export async function readOn(store: LogStore, log: StoredLog, read: ReadLog): Promise<ReadLog> {
  let later = { ...read, items: [...read.items] };
  while (!later.isEnded) {
    const entry = await store.get(kinds.changes, keyOf(log, later.count));
    if (!entry) break;
    later = append(later, entry.value as StoredChanges);
  }
  return later;
}

/**
 * Ends a log, so that the process that writes it, if it was only slow, sends nothing more.
 *
 * @param read the log as it was read
 * @returns false if something was appended since
 */
export const endLog = (store: LogStore, log: StoredLog, { count }: ReadLog): Promise<boolean> =>
  store.insert(kinds.changes, entryOf(log, count, { by: '', rows: [], isEnd: true }));

/**
 * Deletes the rows of a batch that another process has ended. The end of its log stays, for a process that still believes that it owns the
 * batch, without the description of the batch.
 */
export async function clearRows(store: LogStore, log: StoredLog): Promise<void> {
  await store.clear(kinds.rows, log.id);
  const first = await store.get(kinds.changes, keyOf(log, 0));
  const { batch, ...rest } = (first?.value ?? {}) as Partial<StoredChanges>;
  if (first && batch) await store.swap(kinds.changes, first, rest);
}

/** Deletes a log that no process writes any more. */
export async function clearLog(store: LogStore, { id }: StoredLog): Promise<void> {
  for (const kind of [kinds.rows, kinds.changes, kinds.keys]) await store.clear(kind, id);
}

/** Another process has ended the batch, so this one sends nothing more. */
export class TakenOver extends Error {
  constructor() {
    super('The batch was interrupted for too long.');
  }
}

/**
 * Appends to the log of a batch what happens to its items. An entry is inserted only if no one else has inserted one in its place: that
 * decides who owns the batch.
 */
export class BatchLog implements ItemsLog {
  readonly #by = randomUUID();
  readonly #indexes = new Map<RowItem, number>();
  #changed = new Set<RowItem>();
  #count = 0;

  constructor(
    private readonly store: LogStore,
    private readonly batch: LoggedBatch,
    private readonly items: RowItem[],
  ) {}

  /** Prepares it for the changes of its items. */
  async open(): Promise<void> {
    await inSlices(this.items.entries(), ([index, item]) => this.#indexes.set(item, index));
  }

  changed(item: RowItem): void {
    this.#changed.add(item);
  }

  async #append(changed: RowItem[]): Promise<void> {
    const states = packReasons(changed.map(stateOf));
    const rows = states.map((state, at): StoredChanges['rows'][number] => [
      this.#indexes.get(changed[at] as RowItem) ?? -1,
      state,
    ]);
    const batch = this.#count === 0 ? this.batch : undefined;
    const value: StoredChanges = { by: this.#by, rows, ...(batch && { batch }) };
    const entry = entryOf(this.batch.value.log, this.#count, value);
    if (!(await this.store.insert(kinds.changes, entry))) {
      // A store that failed may have written the last entry anyway. Then the changes are appended after it.
      const other = await this.store.get(kinds.changes, entry.key);
      if ((other?.value as StoredChanges | undefined)?.by !== this.#by) throw new TakenOver();
      this.#count += 1;
      return this.#append(changed);
    }
    this.#count += 1;
  }

  /** Stores the changes since the last time. Rejects if they can't be stored, or another process has ended the batch. */
  async write(): Promise<void> {
    const changed = this.#changed;
    if (changed.size === 0) return;
    this.#changed = new Set();
    try {
      await inSlices(partsOf([...changed], rowsPerEntry), (part) => this.#append(part));
    } catch (error) {
      this.#changed = new Set([...changed, ...this.#changed]);
      throw error;
    }
  }
}
