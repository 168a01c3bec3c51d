import type { Entry } from '../store/store.ts';
import type { StoredBatch, StoredHistory } from './batch.ts';
import { mostEarlierBatches } from './batch-limits.ts';
import { historiesOf } from './earlier-batches.ts';
import { kinds } from './entry-kinds.ts';

type Entries = [kind: string, entry: Entry][];
type Stored = StoredBatch<unknown>;

/** Marks the waiting rows as started, so that the account's log is checked for them. */
const allStarted = ({ items, startedAt, ...batch }: Stored): Stored => ({
  ...{ ...batch, startedAt },
  items: items.map((item) =>
    item.outcome === 'waiting' ? { begun: new Date(startedAt).toISOString(), ...item } : item,
  ),
});

/** Returns the histories with all stored batches. Lost batches count as deleted, which the next preview says. */
function completeHistories(entries: Entries): Entries {
  const ofKind = (wanted: string) =>
    entries.flatMap(([kind, entry]) => (kind === wanted ? [entry] : []));
  const batches = ofKind(kinds.batches);
  const kept = batches.flatMap(({ key, at, value }) =>
    value ? [{ ...(value as Stored), key, at }] : [],
  );
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
): Entries => [
  ...entries.flatMap(([kind, entry]): Entries => {
    if (kind === kinds.previews) return [[kind, { ...entry, value: null }]];
    const batch = kind === kinds.batches ? (entry.value as Stored | null) : null;
    const isAffected = batch?.isRunning && isOutdated(kind, entry);
    return isAffected ? [[kind, { ...entry, value: allStarted(batch) }]] : [];
  }),
  ...completeHistories(entries),
];
