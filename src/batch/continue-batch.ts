import { createHash } from 'node:crypto';
import type { RowItem } from './row-item.ts';

const day = 86_400_000;

/** A batch that was begun before, as it was stored. */
export interface EarlierBatch {
  /** What is known of its items; see `interruptedItems`. */
  items: RowItem[];
  isRunning: boolean;
  /** Whether its process ended during it: all may have been sent, without anyone having seen its result. */
  isInterrupted?: boolean;
  startedAt: Date;
  /** Whether the same button began it. */
  isSameButton: boolean;
}

const inProgress =
  'A batch that is in progress sends this. Wait until it has ended, or stop it, then press the button again.';

const otherText =
  'An earlier batch may have sent this row another text. Check the message log; nothing was sent now.';

const digestOf = (values: object): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22);

const digestIn = ({ digest, values }: RowItem) => digest ?? (values && digestOf(values));

/**
 * What is known of the items of a batch whose process ended: those that were begun may have been sent, and the others were not.
 *
 * @param isNoted whether their rows say which were begun. Batches that were stored before items said so leave it open otherwise.
 */
export const interruptedItems = (items: RowItem[], isNoted: boolean): RowItem[] =>
  items.map((item) => {
    if (item.outcome !== 'waiting') return item;
    const { values: _, isPending, ...known } = item;
    const isTracked = item.digest !== undefined;
    const isBegun = isPending || (isTracked ? item.begun !== undefined : !isNoted);
    const digest = digestIn(item);
    const outcome = isBegun ? 'unknown' : 'not-run';
    return { ...known, ...(digest && { digest }), outcome, message: '' };
  });

/** Whether the next press resumes a batch: at any time if rows are left, and for a day if it was interrupted, or rows failed or are unknown. */
function isOpen(batch: EarlierBatch): boolean {
  const { items, isRunning, isInterrupted = false } = batch;
  const has = (...outcomes: RowItem['outcome'][]) =>
    items.some(({ outcome }) => outcomes.includes(outcome));
  return (
    isRunning || has('not-run') || (isRecent(batch) && (isInterrupted || has('unknown', 'failed')))
  );
}

interface Known {
  item: RowItem;
  batch: EarlierBatch;
}

const isRecent = ({ startedAt }: EarlierBatch) => Date.now() - startedAt.getTime() < day;

/** What is the same for an item in each batch that sends the same. */
const whatOf = (item: RowItem) => digestIn(item) ?? `who ${item.who}`;

/** What is the same for an item in each batch of the button, whatever it sends. */
const rowOf = ({ row }: RowItem) => row && `row ${row}`;

/**
 * What the newest batch says of an item: by what it sends; if it is of the same button also by its recipient, where that is all
 * that was stored, and for a day by its row, because a text can change from press to press.
 */
function knownItems(earlier: EarlierBatch[]): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const batch of earlier)
    for (const item of batch.items) {
      if (item.outcome === 'duplicate') continue;
      const isKnownEverywhere = digestIn(item) !== undefined;
      const what = isKnownEverywhere || batch.isSameButton ? whatOf(item) : undefined;
      const row = batch.isSameButton && isRecent(batch) ? rowOf(item) : undefined;
      for (const key of [what, row])
        if (key !== undefined && !known.has(key)) known.set(key, { item, batch });
    }
  return known;
}

function continued(item: RowItem, digest: string, known: Known | undefined): RowItem {
  const { values: _, ...rest } = item;
  if (!known || !isOpen(known.batch)) return { ...item, digest };
  const { outcome, begun = known.batch.startedAt.toISOString() } = known.item;
  if (outcome === 'done' || outcome === 'already-done')
    return { ...rest, digest, outcome: 'already-done' };
  if (outcome === 'waiting') return { ...rest, digest, outcome: 'failed', message: inProgress };
  if (outcome !== 'unknown') return { ...item, digest };
  // The log is checked for what would be sent now: another text says nothing of the one that was begun.
  const isOther = known.item.digest !== undefined && known.item.digest !== digest;
  return isOther
    ? { ...rest, digest: known.item.digest ?? digest, outcome: 'unknown', message: otherText }
    : { ...item, digest, isPending: true, begun };
}

/**
 * Resumes an earlier batch that was interrupted, stopped or had errors: recipients that it sent the same are skipped, and for those that it
 * started, only the message log is checked.
 *
 * @param items what was planned
 * @param earlier the batches that were begun before, the newest first
 */
export function continueBatch(items: RowItem[], earlier: EarlierBatch[]): RowItem[] {
  const known = knownItems(earlier);
  return items.map((item) => {
    if (item.outcome !== 'waiting' || item.isPending || !item.values) return item;
    const digest = digestOf(item.values);
    const earlierItem =
      known.get(digest) ?? known.get(`who ${item.who}`) ?? known.get(rowOf(item) ?? '');
    return continued(item, digest, earlierItem);
  });
}
