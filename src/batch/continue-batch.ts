import { oncePer } from '../once-per.ts';
import type { SkipChoice } from './batch.ts';
import { digestOfValues } from './digest-of.ts';
import { mapInSlices, sliceBreaks } from './in-slices.ts';
import { isToSend, type RowItem } from './row-item.ts';

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

const digestIn = ({ digest, values }: RowItem) => digest ?? (values && digestOfValues(values));

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

const has = ({ items }: EarlierBatch, ...outcomes: RowItem['outcome'][]) =>
  items.some(({ outcome }) => outcomes.includes(outcome));

/** Whether the next press resumes a batch: at any time if rows are left, and for a day if it was interrupted, or rows failed, opted out or are unknown. */
const isOpen = oncePer((batch: EarlierBatch): boolean => {
  const { isRunning, isInterrupted = false } = batch;
  return (
    isRunning ||
    has(batch, 'not-run') ||
    (isRecent(batch) && (isInterrupted || has(batch, 'unknown', 'failed', 'opted-out')))
  );
});

interface Known {
  item: RowItem;
  batch: EarlierBatch;
}

const isRecent = ({ startedAt }: EarlierBatch) => Date.now() - startedAt.getTime() < day;

const isDone = ({ outcome }: RowItem) => outcome === 'done' || outcome === 'already-done';

/** Whether an item was sent, or may have been. */
const isSent = (item: RowItem) => isDone(item) || item.outcome === 'unknown';

const sentFirst = (items: RowItem[]) => [
  ...items.filter(isSent),
  ...items.filter((item) => !isSent(item)),
];

/** A key that is equal for items that send the same, in any batch. */
const whatOf = (item: RowItem) => digestIn(item) ?? `who ${item.who}`;

/** A key that is equal for items of the same row and recipient, in any batch of the button. */
const rowOf = ({ row, recipient = '' }: Pick<RowItem, 'row' | 'recipient'>) =>
  `row ${row} ${recipient}`;

/** The keys of an item of the new batch, in the order in which they count. */
function keysOf(item: RowItem, digest: string): string[] {
  // Earlier versions stored no recipient.
  const rows = item.row ? [rowOf(item), rowOf({ row: item.row })] : [];
  return [digest, `who ${item.who}`, ...rows];
}

/**
 * Returns the newest earlier item of each wanted key. A batch is known by what its items send and, for a day, by the row and its recipient,
 * because a text can change from press to press, and a corrected text is another button. One of the same button is also known by its name
 * or row, if only that was stored.
 */
async function knownItems(
  earlier: EarlierBatch[],
  wanted: Set<string>,
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  /** By key, the newest batch of another button that skipped a row because the row's column says “sent”. It continues the batch that sent it. */
  const continuedBy = new Map<string, EarlierBatch>();
  const sliceBreak = sliceBreaks();
  // Rows without a key can have the same recipient. If one of them was sent, the others count as sent.
  for (const batch of earlier)
    for (const item of sentFirst(batch.items)) {
      await sliceBreak();
      if (item.outcome === 'duplicate') continue;
      const isKnownEverywhere = digestIn(item) !== undefined;
      const what = isKnownEverywhere || batch.isSameButton ? whatOf(item) : undefined;
      // A row that another button's batch left out may have been sent something by an older one.
      const isKnownByRow = batch.isSameButton || (isSent(item) && item.recipient !== undefined);
      const row = item.row && isKnownByRow && isRecent(batch) ? rowOf(item) : undefined;
      const isByColumn =
        item.outcome === 'already-done' && !isKnownEverywhere && !batch.isSameButton;
      for (const key of [what, row])
        if (key !== undefined && wanted.has(key) && !known.has(key)) {
          if (!isByColumn) known.set(key, { item, batch: continuedBy.get(key) ?? batch });
          else if (!continuedBy.has(key)) continuedBy.set(key, batch);
        }
    }
  return known;
}

/** Whether an earlier batch sent the row something else, or may have. */
function isChanged(digest: string, { item }: Known): boolean {
  const sent = digestIn(item);
  return sent !== undefined && sent !== digest && isSent(item);
}

/** Whether a batch that sent rows something else is to be completed: then they are skipped, unless its owner decides otherwise. */
const isToComplete = (batch: EarlierBatch): boolean =>
  batch.isSameButton ? isOpen(batch) : batch.isInterrupted || has(batch, 'not-run');

const sidOf = ({ sid }: RowItem) => sid !== undefined && { sid };

/** A row that is skipped, because an earlier batch sent it something else: it records what was sent. */
function skippedAsChanged({ values: _, ...item }: RowItem, earlier: RowItem): RowItem {
  const sent = {
    ...item,
    ...sidOf(earlier),
    digest: digestIn(earlier) ?? '',
    isChanged: true,
  } as const;
  return isDone(earlier)
    ? { ...sent, outcome: 'already-done' }
    : { ...sent, outcome: 'unknown', message: otherText };
}

function continued(
  item: RowItem,
  digest: string,
  { item: earlier, batch }: Known,
  skipsSent: boolean,
): RowItem {
  const isComplete = !isOpen(batch);
  const isSame = digestIn(earlier) === digest;
  // Known by its name or row only: what a complete batch sent it isn't known.
  if (isComplete && !isSame) return { ...item, digest };
  const { values: _, ...rest } = item;
  const { outcome, begun = batch.startedAt.toISOString() } = earlier;
  if (isDone(earlier)) {
    const known = { ...sidOf(earlier), digest, ...(isComplete && { isRepeated: true as const }) };
    if (isComplete && !skipsSent) return { ...item, ...known };
    return { ...rest, ...known, outcome: 'already-done' };
  }
  // Another button that sends something else doesn't wait for a batch in progress.
  if (outcome === 'waiting' && (batch.isSameButton || isSame))
    return { ...rest, digest, outcome: 'failed', message: inProgress };
  return outcome === 'unknown' ? { ...item, digest, isPending: true, begun } : { ...item, digest };
}

/**
 * Continues earlier batches: recipients that they sent the same are skipped, and for those that they started, only the account's log is
 * checked. If such a batch is complete, its recipients are marked, because its owner can choose to repeat them. Rows that were sent
 * something else within a day are marked too, because a corrected text may be meant for everyone, or only for the rest.
 *
 * @param items the planned items
 * @param earlier the earlier batches, newest first
 * @param choice which of the marked rows to skip
 */
export async function continueBatch(
  items: RowItem[],
  earlier: EarlierBatch[],
  { skipsSent = true, skipsChanged }: SkipChoice = {},
): Promise<RowItem[]> {
  const planned = await mapInSlices(items, (item) =>
    isToSend(item) && item.values ? { item, digest: digestOfValues(item.values) } : { item },
  );
  const wanted = new Set<string>();
  const sliceBreak = sliceBreaks();
  for (const { item, digest } of earlier.length > 0 ? planned : []) {
    if (digest !== undefined) for (const key of keysOf(item, digest)) wanted.add(key);
    await sliceBreak();
  }
  const byKey = await knownItems(earlier, wanted);
  const rows = await mapInSlices(planned, ({ item, digest }) => {
    const keys = digest === undefined || byKey.size === 0 ? [] : keysOf(item, digest);
    return { item, digest, known: keys.map((key) => byKey.get(key)).find(Boolean) };
  });
  const changedBatches = rows.flatMap(({ digest, known }) =>
    known && digest !== undefined && isChanged(digest, known) ? [known.batch] : [],
  );
  const isToSkip = skipsChanged ?? [...new Set(changedBatches)].some(isToComplete);
  return mapInSlices(rows, ({ item, digest, known }) => {
    if (digest === undefined) return item;
    if (!known) return { ...item, digest };
    if (!isChanged(digest, known)) return continued(item, digest, known, skipsSent);
    return isToSkip
      ? skippedAsChanged(item, known.item)
      : { ...item, ...sidOf(known.item), digest, isChanged: true };
  });
}
