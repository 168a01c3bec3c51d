import type { EarlierEntry } from '../store/store.ts';
import type { StoredBatch, StoredHistory } from './batch.ts';
import { historyKey } from './batch-history.ts';
import { mostEarlierBatches } from './batch-limits.ts';
import { kinds } from './entry-kinds.ts';
import type { RowItem, RowOutcome } from './row-item.ts';

/** A batch that an earlier version stored outside the store. */
export interface EarlierStoredBatch<Context> extends StoredBatch<Context> {
  key: string;
  /** When it was last written, in milliseconds since 1970. */
  at: number;
}

/** The names of outcomes in earlier versions. */
const earlierOutcomes: Record<string, RowOutcome> = {
  before: 'already-done',
  same: 'duplicate',
  untried: 'not-run',
};

const renamed = (item: RowItem): RowItem => ({
  ...item,
  outcome: earlierOutcomes[item.outcome] ?? item.outcome,
});

type Histories = Map<string, { started: StoredHistory; at: number }>;

/** Returns the histories of batches, by key. */
export function historiesOf(batches: EarlierStoredBatch<unknown>[]): Histories {
  const histories: Histories = new Map();
  for (const batch of batches.toSorted((one, other) => other.startedAt - one.startedAt)) {
    const history = histories.get(historyKey(batch)) ?? { started: [], at: batch.at };
    histories.set(historyKey(batch), history);
    if (history.started.length < mostEarlierBatches)
      history.started.push({ key: batch.key, button: batch.button });
  }
  return histories;
}

/** Returns the store entries for batches of earlier versions. */
export const entriesOfEarlierBatches = <Context>(
  earlier: EarlierStoredBatch<Context>[],
): EarlierEntry[] => [
  ...earlier.map(
    ({ key, at, items, ...rest }): EarlierEntry => [
      kinds.batches,
      { key, value: { ...rest, items: items.map(renamed) } },
      at,
    ],
  ),
  ...[...historiesOf(earlier)].map(
    ([key, { started, at }]): EarlierEntry => [kinds.history, { key, value: started }, at],
  ),
];
