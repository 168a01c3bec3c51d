import { digestOf } from './digest-of.ts';
import type { RowItem } from './row-item.ts';

const day = 86_400_000;

/** An earlier batch, as it was stored. */
export interface EarlierBatch {
  /** Its items; see `interruptedItems`. */
  items: RowItem[];
  isRunning: boolean;
  /** Whether its process ended during it, so that all rows may have been sent and no one has seen the result. */
  isInterrupted?: boolean;
  startedAt: Date;
  /** Whether the same button started it. */
  isSameButton: boolean;
}

const inProgress =
  'A batch that is in progress sends this. Wait until it has ended, or stop it, then press the button again.';

const otherText =
  "An earlier batch may have sent this row another text. Check the account's log; nothing was sent now.";

const digestIn = ({ digest, values }: RowItem) => digest ?? (values && digestOf(values));

/**
 * Returns the items of a batch whose process ended: the outcome of those that were started is unknown, and the others were not run.
 *
 * @param hasColumns whether the rows record which were started. Without that, all items of a batch from an earlier version may have been
 *   started
 */
export const interruptedItems = (items: RowItem[], hasColumns: boolean): RowItem[] =>
  items.map((item) => {
    if (item.outcome !== 'waiting') return item;
    const { values: _, isPending, ...known } = item;
    const isTracked = item.digest !== undefined;
    const isStarted = isPending || (isTracked ? item.begun !== undefined : !hasColumns);
    const digest = digestIn(item);
    const outcome = isStarted ? 'unknown' : 'not-run';
    return { ...known, ...(digest && { digest }), outcome, message: '' };
  });

/** Whether the next press resumes a batch: at any time if rows are left, and for a day if it was interrupted, or rows failed, opted out or are unknown. */
function isOpen(batch: EarlierBatch): boolean {
  const { items, isRunning, isInterrupted = false } = batch;
  const has = (...outcomes: RowItem['outcome'][]) =>
    items.some(({ outcome }) => outcomes.includes(outcome));
  return (
    isRunning ||
    has('not-run') ||
    (isRecent(batch) && (isInterrupted || has('unknown', 'failed', 'opted-out')))
  );
}

interface Known {
  item: RowItem;
  batch: EarlierBatch;
}

const isRecent = ({ startedAt }: EarlierBatch) => Date.now() - startedAt.getTime() < day;

/** A key that is equal for items that send the same, in any batch. */
const whatOf = (item: RowItem) => digestIn(item) ?? `who ${item.who}`;

/** A key that is equal for items of the same row and recipient, in any batch of the button. */
const rowOf = ({ row, recipient = '' }: Pick<RowItem, 'row' | 'recipient'>) =>
  row && `row ${row} ${recipient}`;

/** The keys of an item of the new batch, in the order in which they count. */
const keysOf = (item: RowItem, digest: string): (string | undefined)[] => [
  digest,
  `who ${item.who}`,
  rowOf(item),
  // Earlier versions stored no recipient.
  item.row && rowOf({ row: item.row }),
];

/**
 * Returns the newest earlier item of each wanted key. A batch of any button is known by what its items send. One of the same button is also
 * known by the recipient, if only that was stored, and for a day by the row and its recipient, because a text can change from press to
 * press.
 */
function knownItems(earlier: EarlierBatch[], wanted: Set<string | undefined>): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const batch of earlier)
    for (const item of batch.items) {
      if (item.outcome === 'duplicate') continue;
      const isKnownEverywhere = digestIn(item) !== undefined;
      const what = isKnownEverywhere || batch.isSameButton ? whatOf(item) : undefined;
      const row = batch.isSameButton && isRecent(batch) ? rowOf(item) : undefined;
      for (const key of [what, row])
        if (key !== undefined && wanted.has(key) && !known.has(key))
          known.set(key, { item, batch });
    }
  return known;
}

const isDone = ({ outcome }: RowItem) => outcome === 'done' || outcome === 'already-done';

function continued(item: RowItem, digest: string, known: Known | undefined): RowItem {
  if (!known || !isOpen(known.batch)) {
    const isRepeated = known && isDone(known.item) && digestIn(known.item) === digest;
    return { ...item, digest, ...(isRepeated && { isRepeated }) };
  }
  const { values: _, ...rest } = item;
  const { outcome, begun = known.batch.startedAt.toISOString() } = known.item;
  if (isDone(known.item)) return { ...rest, digest, outcome: 'already-done' };
  if (outcome === 'waiting') return { ...rest, digest, outcome: 'failed', message: inProgress };
  if (outcome !== 'unknown') return { ...item, digest };
  // The plugin would search the log for the new text. If the texts differ, the log then says nothing about the earlier
  // one.
  const isOther = known.item.digest !== undefined && known.item.digest !== digest;
  return isOther
    ? { ...rest, digest: known.item.digest ?? digest, outcome: 'unknown', message: otherText }
    : { ...item, digest, isPending: true, begun };
}

/**
 * Resumes an earlier batch that was interrupted, stopped or had errors: recipients that it sent the same are skipped, and for those that it
 * started, only the account's log is checked. If the earlier batch is complete, its recipients are repeated, and marked so.
 *
 * @param items the planned items
 * @param earlier the earlier batches, newest first
 */
export function continueBatch(items: RowItem[], earlier: EarlierBatch[]): RowItem[] {
  const digests = new Map<RowItem, string>();
  for (const item of items)
    if (item.outcome === 'waiting' && !item.isPending && item.values)
      digests.set(item, digestOf(item.values));
  const wanted = new Set([...digests].flatMap(([item, digest]) => keysOf(item, digest)));
  const known = knownItems(earlier, wanted);
  return items.map((item) => {
    const digest = digests.get(item);
    if (digest === undefined) return item;
    const key = keysOf(item, digest).find((one) => one !== undefined && known.has(one));
    return continued(item, digest, known.get(key ?? ''));
  });
}
