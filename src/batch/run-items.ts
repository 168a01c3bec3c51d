import type { Action } from '../../generated/definition-types.ts';
import { mapInSlices } from '../async/in-slices.ts';
import { recipientRefusal } from '../response/error-sentence.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import { isScheduled } from '../status/statuses.ts';
import { TelephonyError } from '../telephony-error.ts';
import { batchLimits } from './batch.ts';
import { isLeftToBatch, recipientDigest } from './continue-batch.ts';
import { type RowEnd, type RowItem, sidIn } from './row-item.ts';
import {
  type ItemsLog,
  itemNotes,
  noteDuplicates,
  notesWithDuplicates,
  type RowNotes,
  writtenTogether,
} from './row-notes.ts';
import { type RowsOptions, runRows } from './run-rows.ts';

/** Where outcomes are also recorded: the notes of the row of a key. */
export type NotesOf = (key: unknown) => RowNotes;

export interface ItemsOptions
  extends Pick<RowsOptions<never>, 'open' | 'isStopped' | 'isConfirmed'> {
  /** Where outcomes are also recorded, so that the batch can be resumed however it ends. */
  notesOf?: NotesOf | undefined;
  /** Stores what happens to the items, each second and before one is started. Without it, no one knows after a crash which were started. */
  log?: ItemsLog | undefined;
  /** Called with each record that an action returns. */
  onRecord?(record: TelephonyRecord): void;
}

/** Records the outcome of items that can't be sent, unless their rows have another outcome, or another batch sends to them. */
async function recordFailed(items: RowItem[], notesOf: NotesOf) {
  for (const item of items)
    if (['failed', 'opted-out'].includes(item.outcome) && !isLeftToBatch(item))
      await notesOf(item.key).replace(undefined, { outcome: item.outcome });
}

/** Records the outcome of rows that were done before in the rows that would send the same. */
async function recordDone(items: RowItem[], notesOf: NotesOf) {
  for (const { key, outcome, same = [] } of items) {
    const note =
      outcome === 'already-done' && same.length > 0 ? await notesOf(key).read() : undefined;
    if (note) await noteDuplicates(same.map(notesOf), note);
  }
}

function notesFor(item: RowItem, notesOf: NotesOf | undefined, log: ItemsLog | undefined) {
  const { key, same = [] } = item;
  const own = notesOf && notesWithDuplicates(notesOf(key), same.map(notesOf));
  return log ? itemNotes(item, log, own) : own;
}

function setOutcome(action: Action, item: RowItem, { outcome, error, record }: RowEnd) {
  delete item.sid;
  delete item.isScheduled;
  if (record) item.sid = sidIn(action, record);
  if (record && isScheduled(action, record)) item.isScheduled = true;
  if (recipientRefusal(error) === 'invalid')
    item.refused = recipientDigest(action, item.values ?? {});
  if (item.isPending && outcome === 'done') item.isConfirmed = true;
  delete item.values;
  delete item.isPending;
  if (outcome !== 'unknown') delete item.begun;
  item.outcome = outcome;
  if (error instanceof TelephonyError) item.message = error.said;
}

/** Marks the waiting items as not run. */
export function abandon(action: Action, items: RowItem[], error: unknown): void {
  for (const item of items)
    if (item.outcome === 'waiting') setOutcome(action, item, { outcome: 'not-run', error });
}

/**
 * Runs the waiting rows, some at a time, and records each outcome. Rows in progress at a stop finish; the rest is
 * not run.
 *
 * @throws an error that isn't a `TelephonyError`, after the other rows have ended
 */
export async function runItems(
  action: Action,
  items: RowItem[],
  { open, isStopped, isConfirmed, notesOf, log: given, onRecord }: ItemsOptions,
): Promise<void> {
  const waiting = items.filter(({ outcome }) => outcome === 'waiting');
  const log = given && writtenTogether(given);
  // If writing fails now, the next write includes it.
  const writeSoon = () => log?.write().catch(() => {});
  const rows = await mapInSlices(waiting, (item) => ({
    item,
    // Not kept once the item has ended.
    get input() {
      return item.values ?? {};
    },
    notes: notesFor(item, notesOf, log),
  }));
  const timer = setInterval(writeSoon, batchLimits.renewMs);
  try {
    if (notesOf) {
      await recordFailed(items, notesOf);
      await recordDone(items, notesOf);
    }
    await runRows(action, rows, {
      open,
      isStopped,
      isConfirmed,
      onResult({ item }, end) {
        setOutcome(action, item, end);
        log?.changed(item);
        if (end.record) onRecord?.(end.record);
      },
    });
  } finally {
    clearInterval(timer);
    await writeSoon();
  }
}
