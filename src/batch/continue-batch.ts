import type { Action } from '../../generated/definition-types.ts';
import { inSlices } from '../async/in-slices.ts';
import { oncePer } from '../async/once.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { type Said, sentence, sentences } from '../text/sentence.ts';
import type { SkipChoice } from './batch.ts';
import { digestIn, refusedKey, rowKey, whatKey } from './batch-log.ts';
import { isUndelivered } from './deliveries.ts';
import { digestOf, isToSend, type RowItem } from './row-item.ts';

const day = 86_400_000;

/** An earlier batch, as it was stored. */
export interface EarlierBatch {
  /** Its items; see `interruptedItems`. */
  items: RowItem[];
  isRunning: boolean;
  /** Whether its process ended during it, so that all rows may have been sent and no one has seen the result. */
  isInterrupted?: boolean;
  /** In milliseconds since 1970. */
  startedAt: number;
  /** Whether the same button started it. */
  isSameButton: boolean;
}

const inProgress = sentence(
  'A batch that is in progress sends this. Wait until it has ended, or stop it, then press the button again.',
);

/** The English text of a reason without values. */
const textOf = (message: Said | undefined) =>
  typeof message === 'object' && 'text' in message ? message.text : message;

/** Whether a row is skipped because a batch that is in progress sends to it. */
export const isLeftToBatch = ({ outcome, message }: RowItem): boolean =>
  outcome === 'failed' && textOf(message) === inProgress.text;

const otherText = sentence(
  "An earlier batch may have sent this row another text. Check the account's log; nothing was sent now.",
);

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
    (isRecent(batch.startedAt) && (isInterrupted || has(batch, 'unknown', 'failed', 'opted-out')))
  );
});

interface Known {
  item: RowItem;
  batch: EarlierBatch;
}

/** Whether rows still count as the same after a batch, whatever it sent them. */
export const isRecent = (startedAt: number): boolean => Date.now() - startedAt < day;

const isDone = ({ outcome }: RowItem) => outcome === 'done' || outcome === 'already-done';

/** Whether an item was sent, or may have been. */
const isSent = (item: RowItem) => isDone(item) || item.outcome === 'unknown';

/** Whether a batch is still to send an item, or was ended before. */
const isUnreached = ({ outcome }: RowItem) => outcome === 'waiting' || outcome === 'not-run';

/** Returns the items of an earlier batch in the order in which they count: rows without a key can have the same recipient. If one was sent, all count as sent. */
export const sentFirst = (items: RowItem[]): RowItem[] => [
  ...items.filter(isSent),
  ...items.filter((item) => !isSent(item)),
];

/** The keys of an item of the new batch, in the order in which they count. */
function keysOf(item: RowItem, digest: string): string[] {
  // Earlier versions stored no recipient.
  const rows = item.row ? [rowKey(item), rowKey({ row: item.row })] : [];
  return [digest, `who ${item.who}`, ...rows];
}

/** Whether an earlier batch sent the row something else, or may have. */
function isChanged(digest: string, { item }: Known): boolean {
  const sent = digestIn(item);
  return sent !== undefined && sent !== digest && isSent(item);
}

/** Whether a batch that sent rows something else is to be completed: then they are skipped, unless its owner decides otherwise. */
const isToComplete = (batch: EarlierBatch): boolean =>
  batch.isSameButton ? isOpen(batch) : batch.isInterrupted || has(batch, 'not-run');

const sentIn = ({ sid, isScheduled }: RowItem) => ({
  ...(sid !== undefined && { sid }),
  ...(isScheduled && { isScheduled }),
});

/** A row that is skipped, because an earlier batch sent it something else: it records what was sent. */
function skippedAsChanged({ values: _, ...item }: RowItem, earlier: RowItem): RowItem {
  const sent = {
    ...item,
    ...sentIn(earlier),
    digest: digestIn(earlier) ?? '',
    isChanged: true,
  } as const;
  return isDone(earlier)
    ? { ...sent, outcome: 'already-done' }
    : { ...sent, outcome: 'unknown', message: otherText };
}

/** Whether a running batch sends to the row. Another button that sends something else doesn't wait for it. */
const isInProgress = (digest: string, { item, batch }: Known): boolean =>
  item.outcome === 'waiting' && (batch.isSameButton || digestIn(item) === digest);

function leftToBatch({ values: _, isPending: __, ...item }: RowItem, digest: string): RowItem {
  return { ...item, digest, outcome: 'failed', message: inProgress };
}

function continued(item: RowItem, digest: string, known: Known, skipsSent: boolean): RowItem {
  const { item: earlier, batch } = known;
  const isComplete = !isOpen(batch);
  const isSame = digestIn(earlier) === digest;
  // Known by its name or row only: what a complete batch sent it isn't known.
  if (isComplete && !isSame) return { ...item, digest };
  const { values: _, ...rest } = item;
  const { outcome, begun = new Date(batch.startedAt).toISOString() } = earlier;
  if (isDone(earlier)) {
    const sent = { ...sentIn(earlier), digest, ...(isComplete && { isRepeated: true as const }) };
    if (isComplete && !skipsSent) return { ...item, ...sent };
    return { ...rest, ...sent, outcome: 'already-done' };
  }
  if (isInProgress(digest, known)) return leftToBatch(item, digest);
  return outcome === 'unknown' ? { ...item, digest, isPending: true, begun } : { ...item, digest };
}

/**
 * Continues earlier batches: recipients that they sent the same are skipped, and for those that they started, only the account's log is
 * checked. If such a batch is complete, its recipients are marked, because its owner can choose to repeat them. Rows that were sent
 * something else within a day are marked too, because a corrected text may be meant for everyone, or only for the rest.
 *
 * A batch is known by what its items send and, for a day, by the row and its recipient, because a text can change from press to press,
 * and a corrected text is another button. One of the same button is also known by its name or row, if only that was stored.
 *
 * First it gets all rows of the new batch (`want`), then the items of the earlier batches, the newest first (`add`). What it decides is for all rows.
 */
export class Continuation {
  /** What the rows of the new batch send. */
  readonly #digests = new Map<RowItem, string>();
  /** The newest earlier item of each wanted key; undefined for those that no earlier batch has. */
  readonly #known = new Map<string, Known | undefined>();
  /** By key, the newest batch of another button that skipped a row because the row's column says “sent”. It continues the batch that sent it. */
  readonly #continuedBy = new Map<string, EarlierBatch>();
  /** The SIDs of messages that weren't delivered. */
  readonly #undelivered = new Set<string | undefined>();

  /** @param choice which of the marked rows to skip */
  constructor(private readonly choice: SkipChoice = {}) {}

  /** Adds a row of the new batch, and returns the keys by which earlier batches know it. */
  want(item: RowItem): string[] {
    if (item.outcome !== 'waiting' || !item.values) return [];
    const digest = digestOf(item.values);
    if (item.undelivered !== undefined) this.#undelivered.add(item.undelivered);
    const keys = keysOf(item, digest);
    this.#digests.set(item, digest);
    for (const key of keys) this.#known.set(key, undefined);
    return keys;
  }

  /** Adds an item of an earlier batch; see `sentFirst`. */
  add(item: RowItem, batch: EarlierBatch): void {
    if (isUndelivered(item)) this.#undelivered.add(item.sid);
    // The batch to which it left the row knows what was sent.
    if (item.outcome === 'duplicate' || isLeftToBatch(item)) return;
    const isKnownEverywhere = digestIn(item) !== undefined;
    const what = isKnownEverywhere || batch.isSameButton ? whatKey(item) : undefined;
    // A row that a batch left out may have been sent something by an older one. If its own button's hasn't reached it, the next one does.
    const isKnownByRow = batch.isSameButton
      ? isSent(item) || isUnreached(item)
      : isSent(item) && item.recipient !== undefined;
    const row = item.row && isKnownByRow && isRecent(batch.startedAt) ? rowKey(item) : undefined;
    const isByColumn = item.outcome === 'already-done' && !isKnownEverywhere && !batch.isSameButton;
    for (const key of [what, row])
      if (key !== undefined && this.#known.has(key) && !this.#known.get(key)) {
        if (!isByColumn) this.#known.set(key, { item, batch: this.#continuedBy.get(key) ?? batch });
        else if (!this.#continuedBy.has(key)) this.#continuedBy.set(key, batch);
      }
  }

  /** What wasn't delivered doesn't count, but another text that the row was sent since does. */
  #knownOf(item: RowItem, digest: string): Known | undefined {
    return keysOf(item, digest)
      .map((key) => this.#known.get(key))
      .find((known) => known && !(isDone(known.item) && this.#undelivered.has(known.item.sid)));
  }

  /** Returns what leaves a row of the new batch out, or marks it. */
  async decide(): Promise<(item: RowItem) => RowItem> {
    const skipsChanged = this.choice.skipsChanged ?? (await this.#completesEarlier());
    return (item) => this.#left(item, skipsChanged);
  }

  /** Whether the rows that were sent something else are skipped, as their owner hasn't decided. */
  async #completesEarlier(): Promise<boolean> {
    const batches = new Set<EarlierBatch>();
    await inSlices(this.#digests, ([item, digest]) => {
      const known = this.#knownOf(item, digest);
      if (known && isToSend(item) && isChanged(digest, known)) batches.add(known.batch);
    });
    return [...batches].some(isToComplete);
  }

  #left(item: RowItem, skipsChanged: boolean): RowItem {
    const digest = this.#digests.get(item);
    if (digest === undefined) return item;
    const known = this.#knownOf(item, digest);
    // Its column says that it was started: by a running batch, or it is only checked in the account's log.
    if (item.isPending)
      return known && isInProgress(digest, known) ? leftToBatch(item, digest) : item;
    if (!known) return { ...item, digest };
    if (!isChanged(digest, known))
      return continued(item, digest, known, this.choice.skipsSent ?? true);
    return skipsChanged
      ? skippedAsChanged(item, known.item)
      : { ...item, ...sentIn(known.item), digest, isChanged: true };
  }
}

const refusedBefore = sentence(
  'An earlier batch got this response, so nothing was sent now. You can still send to this number without a batch.',
);

/** Returns a hash of the numbers: a number that can't get messages from one sender may get them from another. */
export function recipientDigest({ fields }: Action, values: Record<string, unknown>): string {
  const numbers = fields.filter(({ type }) => fieldTypes[type].identifies);
  return digestOf(numbers.map(({ key }) => values[key] ?? null));
}

/**
 * Skips the recipients that the service called invalid in an earlier batch. Doesn't skip people who unsubscribed: they
 * may have subscribed again.
 */
export class RefusedRecipients {
  /** The newest item of each, by its hash. */
  readonly #items = new Map<string, RowItem>();

  constructor(private readonly action: Action) {}

  /** Returns the keys by which earlier batches know a row of the new batch. */
  want({ outcome, values }: RowItem): string[] {
    return outcome === 'waiting' && values
      ? [refusedKey(recipientDigest(this.action, values))]
      : [];
  }

  /** Adds an item of an earlier batch, the newest batch first. */
  add(item: RowItem): void {
    if (item.refused && !this.#items.has(item.refused)) this.#items.set(item.refused, item);
  }

  /** Returns a row of the new batch as it is left. */
  left(item: RowItem): RowItem {
    const { values, ...rest } = item;
    if (item.outcome !== 'waiting' || item.isPending || !values || this.#items.size === 0)
      return item;
    const known = this.#items.get(recipientDigest(this.action, values));
    if (!known) return item;
    const message = known.message ? sentences(known.message, refusedBefore) : refusedBefore;
    return { ...rest, outcome: known.outcome, message };
  }
}
