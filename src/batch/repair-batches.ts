import type { Entry } from '../store/store.ts';
import type { StoredBatch, StoredHistory } from './batch.ts';
import { historyKey } from './batch-history.ts';
import { mostEarlierBatches } from './batch-limits.ts';
import { kinds } from './entry-kinds.ts';

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

/** Returns the entries with rows, by the log that they belong to. */
function rowsByLog(entries: Entries): Map<string | undefined, Entries> {
  const rows = new Map<string | undefined, Entries>();
  for (const one of entries) {
    const [kind, { index }] = one;
    const known = rows.get(index) ?? [];
    if (kind === kinds.rows) rows.set(index, known);
    if (kind === kinds.rows) known.push(one);
  }
  return rows;
}

/** Returns the histories with all stored batches. Lost batches count as deleted, which the next preview says. */
function completeHistories(entries: Entries, rowsOf: ReturnType<typeof rowsByLog>): Entries {
  const ofKind = (wanted: string) =>
    entries.flatMap(([kind, entry]) => (kind === wanted ? [entry] : []));
  const batches = ofKind(kinds.batches);
  const kept = batches.flatMap(({ key, at, value }): Kept[] => {
    const batch = value as Stored | null;
    const rows = rowsOf.get(batch?.log.id)?.flatMap(([, entry]) => entry.value as unknown[]);
    return batch && (rows?.length ?? 0) === batch.log.rows ? [{ ...batch, key, at }] : [];
  });
  const isKept = (key: string) => kept.some((batch) => batch.key === key);
  const known = new Map(ofKind(kinds.history).map((entry) => [entry.key, entry]));
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
 * @param isOutdated whether a later write of an entry may be lost
 */
export const repairedBatches = (
  entries: Entries,
  isOutdated: (kind: string, entry: Entry) => boolean,
): Entries => {
  const rowsOf = rowsByLog(entries);
  const isAffected = ({ log }: Stored) =>
    rowsOf.get(log.id)?.some(([kind, entry]) => isOutdated(kind, entry)) ?? false;
  return [
    ...entries.flatMap(([kind, entry]): Entries => {
      if (kind === kinds.previews) return [[kind, { ...entry, value: null }]];
      const batch = kind === kinds.batches ? (entry.value as Stored | null) : null;
      if (!batch?.isRunning || !isAffected(batch)) return [];
      return [[kind, { ...entry, value: { ...batch, isDamaged: true } }]];
    }),
    ...completeHistories(entries, rowsOf),
  ];
};
