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
    const isBegun = isTracked ? item.begun !== undefined || isPending : !isNoted;
    const digest = digestIn(item);
    const outcome = isBegun ? 'unknown' : 'not-run';
    return { ...known, ...(digest && { digest }), outcome, message: '' };
  });

/** Whether the next press resumes a batch: at any time if rows are left, and for a day if it was interrupted, or rows failed or are unknown. */
function isOpen({ items, isRunning, isInterrupted = false, startedAt }: EarlierBatch): boolean {
  const has = (...outcomes: RowItem['outcome'][]) =>
    items.some(({ outcome }) => outcomes.includes(outcome));
  const isRecent = Date.now() - startedAt.getTime() < day;
  return isRunning || has('not-run') || (isRecent && (isInterrupted || has('unknown', 'failed')));
}

interface Known {
  item: RowItem;
  batch: EarlierBatch;
}

/** What the newest batch says of an item, by its digest or, if it has none yet, by its recipient. */
function knownItems(earlier: EarlierBatch[]): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const batch of earlier)
    for (const item of batch.items) {
      const key = digestIn(item) ?? (batch.isSameButton ? `who ${item.who}` : undefined);
      if (key !== undefined && item.outcome !== 'duplicate' && !known.has(key))
        known.set(key, { item, batch });
    }
  return known;
}

function continued(item: RowItem, digest: string, known: Known | undefined): RowItem {
  const { who } = item;
  if (!known || !isOpen(known.batch)) return { ...item, digest };
  const { outcome, begun = known.batch.startedAt.toISOString() } = known.item;
  if (outcome === 'done' || outcome === 'already-done')
    return { who, digest, outcome: 'already-done' };
  if (outcome === 'waiting') return { who, digest, outcome: 'failed', message: inProgress };
  if (outcome === 'unknown') return { ...item, digest, isPending: true, begun };
  return { ...item, digest };
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
    return continued(item, digest, known.get(digest) ?? known.get(`who ${item.who}`));
  });
}
