import type { Entry } from '../store/store.ts';
import { kinds, mostEarlierBatches, type StoredBatch, type StoredHistory } from './batch.ts';
import { chunksOf, type StoredChanges } from './batch-log.ts';
import type { RowItem } from './row-item.ts';
import { historyKey } from './stored-batches.ts';

type Entries = [kind: string, entry: Entry][];
type Stored = StoredBatch<unknown>;

/** A batch that is left, and when it was last written, in milliseconds since 1970. */
interface Kept extends Stored {
  key: string;
  at: number;
}

/** Returns the histories of batches, by key. */
function historiesOf(batches: Kept[]): Map<string, { started: StoredHistory; at: number }> {
  const histories = new Map<string, { started: StoredHistory; at: number }>();
  for (const batch of batches.toSorted((one, other) => other.startedAt - one.startedAt)) {
    const history = histories.get(historyKey(batch)) ?? { started: [], at: batch.at };
    histories.set(historyKey(batch), history);
    if (history.started.length < mostEarlierBatches)
      history.started.push({ key: batch.key, button: batch.button });
  }
  return histories;
}

const idOf = ([kind, { key }]: Entries[number]) => JSON.stringify([kind, key]);

const ofKind = (entries: Entries, wanted: string): Entry[] =>
  entries.flatMap(([kind, entry]) => (kind === wanted ? [entry] : []));

/** Returns the entries of a kind by the log that they belong to. */
function byLog(entries: Entries, kind: string): Map<string | undefined, Entry[]> {
  const logs = new Map<string | undefined, Entry[]>();
  for (const entry of ofKind(entries, kind)) {
    const known = logs.get(entry.index) ?? [];
    logs.set(entry.index, known);
    known.push(entry);
  }
  return logs;
}

/** Returns batches whose own entries are lost, from the first entries of their logs. */
function lostBatches(entries: Entries): Entries {
  const known = new Set(ofKind(entries, kinds.batches).map(({ key }) => key));
  return ofKind(entries, kinds.changes).flatMap(({ at, value }): Entries => {
    const { batch } = value as StoredChanges;
    if (!batch || known.has(batch.key)) return [];
    return [[kinds.batches, { ...batch, at, version: 'repaired' }]];
  });
}

/** Returns the lost rows of a batch in progress. What happened to them says which may have been sent. */
function lostRows({ log }: Stored, rows: Entry[], changes: Entry[]): Entries {
  const items = Array.from(
    { length: log.rows },
    (_, index): RowItem => ({ who: '', row: `lost ${index}`, outcome: 'waiting' }),
  );
  for (const [index, { digest }] of changes.flatMap(({ value }) => (value as StoredChanges).rows)) {
    const item = items[index];
    if (item && digest) item.digest = digest;
  }
  const known = new Set(rows.map(({ key }) => key));
  return [...chunksOf(log, items)]
    .filter(({ key }) => !known.has(key))
    .map((chunk) => [kinds.rows, { ...chunk, at: Date.now(), version: 'repaired' }]);
}

/** Returns the histories with all stored batches. Lost batches count as deleted, which the next preview says. */
function completeHistories(entries: Entries): Entries {
  const rowsOf = byLog(entries, kinds.rows);
  const kept = ofKind(entries, kinds.batches).flatMap(({ key, at, value }): Kept[] => {
    const batch = value as Stored | null;
    const rows = rowsOf.get(batch?.log.id)?.flatMap((entry) => entry.value as unknown[]);
    return batch && (rows?.length ?? 0) === batch.log.rows ? [{ ...batch, key, at }] : [];
  });
  const isKept = (key: string) => kept.some((batch) => batch.key === key);
  const known = new Map(ofKind(entries, kinds.history).map((entry) => [entry.key, entry]));
  const complete = historiesOf(kept);
  return [...new Set([...known.keys(), ...complete.keys()])].map((key) => {
    const { started = [], at = 0 } = complete.get(key) ?? {};
    const entry = known.get(key) ?? { key, at, version: 'repaired', value: [] };
    const before = entry.value as StoredHistory;
    const missing = started.filter((one) => before.every((other) => other.key !== one.key));
    const marked = before.map((one) => (isKept(one.key) ? one : { ...one, isDeleted: true }));
    const value = [...missing, ...marked].slice(0, mostEarlierBatches);
    return [kinds.history, { ...entry, value }];
  });
}

/**
 * Returns the entries to replace in a store of batches that lost some writes, so that no row is sent twice: rows of batches in progress
 * may have been sent, histories may lack batches, and previews may have been started.
 *
 * @param entries the entries that are left
 */
export function repairedBatches(entries: Entries): Entries {
  const [rowsOf, changesOf] = [byLog(entries, kinds.rows), byLog(entries, kinds.changes)];
  const complete = new Map(entries.map((one) => [idOf(one), one]));
  for (const [kind, entry] of [...entries, ...lostBatches(entries)]) {
    const set = (...one: Entries[number]) => complete.set(idOf(one), one);
    if (kind === kinds.previews) set(kind, { ...entry, value: null });
    const batch = kind === kinds.batches ? (entry.value as Stored | null) : null;
    if (!batch?.isRunning) continue;
    const { id } = batch.log;
    for (const one of lostRows(batch, rowsOf.get(id) ?? [], changesOf.get(id) ?? [])) set(...one);
    set(kind, { ...entry, value: { ...batch, isDamaged: true } });
  }
  return [...complete.values(), ...completeHistories([...complete.values()])];
}
