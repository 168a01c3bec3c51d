import type { Action } from '../../generated/definition-types.ts';
import { problemIn } from '../confirm/confirm.ts';
import { endsLater } from '../limits/limit-reached.ts';
import { optedOutReason } from '../limits/opt-outs.ts';
import { recipientRefusal } from '../response/error-sentence.ts';
import { hasUnknownOutcome } from '../response/outcome.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import { batchLane } from '../send/perform.ts';
import { recordFailure } from '../status/statuses.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { type Said, sentence } from '../text/sentence.ts';
import { pause } from '../wire/retry.ts';
import { type RowEnd, sidIn } from './row-item.ts';
import {
  isDoneNote,
  isPendingNote,
  type RowNote,
  type RowNotes,
  recordedState,
  successWord,
} from './row-notes.ts';

/** How long to wait for another batch to record the outcome, in milliseconds. */
const interval = 1_000;

/** A row for which an action runs. */
export interface RunRow {
  input: object;
  /** Records its outcome, so that the batch can be resumed after a crash. */
  notes?: RowNotes | undefined;
}

/** The action to run for a row, and the account. */
export interface RowWork {
  action: Action;
  telephony: Telephony;
  /** Whether the batch is over, so that nothing more is sent. */
  isToEnd(): Promise<boolean>;
  /** Aborts when the batch is over: rows that wait are not sent. */
  over: AbortSignal;
  /** Whether a person has confirmed the batch. */
  isConfirmed?: boolean | undefined;
  /** Whether the recipient of a row is known to have opted out. */
  isOptedOut(input: object): Promise<boolean>;
  /** How long an action can be in progress, in milliseconds. After that, its program has ended. */
  longest: number;
}

/** Another program has recorded an outcome of the row. */
class Taken extends Error {}

/** The batch is over, or the start could not be recorded, so nothing was sent. */
class Unclaimed extends Error {}

/** How often to try to claim a row that can't be changed, because another program is changing it for a moment. */
const maxClaims = 6;
/** The wait before the second try, in milliseconds. It doubles from try to try, with full jitter. */
const firstClaimWaitMs = 200;

/** Records that a row is in progress, right before it is sent, unless the batch is over. */
function claimOf(
  { telephony, isToEnd }: RowWork,
  notes: RowNotes | undefined,
  old: RowNote | undefined,
) {
  const unclaimed = (cause: unknown): never => {
    throw new Unclaimed('', { cause });
  };
  const claim: { note?: RowNote; before(): Promise<void> } = {
    async before() {
      if (await isToEnd().catch(unclaimed)) unclaimed(undefined);
      for (let count = 0; notes; count += 1) {
        const note = { outcome: 'in progress', time: await telephony.now() };
        if (await notes.replace(old, note).catch(unclaimed)) {
          claim.note = note;
          return;
        }
        const current = await notes.read().catch(unclaimed);
        if (count + 1 === maxClaims || current?.outcome !== old?.outcome) throw new Taken();
        await pause(Math.random() * firstClaimWaitMs * 2 ** count, undefined);
      }
    },
  };
  return claim;
}

/** Returns the outcome of a row for an error of the action. */
function endOf(error: unknown): RowEnd {
  if (endsLater(error)) return { outcome: 'not-run', error };
  const isKnown = error instanceof TelephonyError && !hasUnknownOutcome(error);
  if (!isKnown) return { outcome: 'unknown', error };
  return { outcome: recipientRefusal(error) === 'opted-out' ? 'opted-out' : 'failed', error };
}

/** Returns the outcome of a row for an error before anything was sent, by its note. */
export function unsentEnd(error: unknown, note: RowNote | undefined): RowEnd {
  if (isPendingNote(note)) return { outcome: 'unknown', error };
  return { outcome: error instanceof TelephonyError ? 'failed' : 'not-run', error };
}

/** Returns the outcome of a row that was started and whose result is unknown. */
export const unknownEnd = (problem: Said): RowEnd => ({
  outcome: 'unknown',
  error: new TelephonyError('unknown-outcome', problem),
});

async function attempt(
  { action, telephony, over, isConfirmed }: RowWork,
  input: object,
  before?: () => Promise<void>,
): Promise<RowEnd> {
  try {
    const record = (await telephony.run(action.id, input, {
      beforeSend: before,
      waitSignal: over,
      lane: batchLane,
      isConfirmed,
    })) as TelephonyRecord;
    const failure = recordFailure(action, record);
    return failure ? endOf(failure) : { outcome: 'done', record };
  } catch (error) {
    // Nothing was sent, or the service refused it.
    const isStopped = over.aborted && error instanceof TelephonyError && error.code === 'aborted';
    return isStopped && !hasUnknownOutcome(error) ? { outcome: 'not-run' } : endOf(error);
  }
}

/** Returns the outcome of a row that could not be claimed; undefined if another program has claimed it. */
async function takenEnd(notes: RowNotes, old: RowNote | undefined): Promise<RowEnd | undefined> {
  const note = await notes.read();
  if (note?.outcome !== old?.outcome) return undefined;
  const message = sentence('Someone else is changing this row, so it was skipped. Try again.');
  return { outcome: 'not-run', error: new TelephonyError('aborted', message) };
}

/** Runs the action and records the outcome. */
async function send(
  work: RowWork,
  { input, notes }: RunRow,
  old: RowNote | undefined,
): Promise<RowEnd | undefined> {
  if (await work.isOptedOut(input)) {
    const isNoted = !notes || (await notes.replace(old, { outcome: 'opted-out' }));
    const error = new TelephonyError('rejected', optedOutReason);
    return isNoted ? { outcome: 'opted-out', error } : takenEnd(notes, old);
  }
  // Requested before the action's slot, in which other rows would wait for it.
  if (notes) await work.telephony.now();
  const claim = claimOf(work, notes, old);
  const end = await attempt(work, input, claim.before);
  if (notes && end.error instanceof Taken) return takenEnd(notes, old);
  if (end.error instanceof Unclaimed) return { outcome: 'not-run', error: end.error.cause };
  const { note } = claim;
  if (!notes || !note) return end;
  const { outcome, record } = end;
  // A column has no word for a row that is still to be sent, but repeats one that failed.
  const written = outcome === 'not-run' ? 'failed' : outcome;
  const word = outcome === 'done' ? successWord(work.action) : written;
  const known = { ...note, outcome: word, ...(record && { sid: sidIn(work.action, record) }) };
  try {
    // Another program may have checked the log in the meantime and not found the action.
    if (!(await notes.replace(note, known)))
      await notes.replace({ ...note, outcome: 'unknown' }, known);
  } catch (error) {
    // The outcome is known anyway. The row is recorded as started, so the next batch checks the account's log.
    return { ...end, error };
  }
  return end;
}

/**
 * Records the outcome of a check. If another program is changing the row, the next batch checks it again.
 *
 * @returns false if another program has recorded an outcome
 */
const settle = async (notes: RowNotes, old: RowNote, note: RowNote): Promise<boolean> =>
  (await notes.replace(old, note)) || (await notes.read())?.outcome === old.outcome;

/** Checks the account's log for a row that was started before. */
async function checkLog(
  { action, telephony, longest }: RowWork,
  input: object,
  notes: RowNotes,
  note: RowNote,
): Promise<RowEnd | undefined> {
  const { outcome, time: since } = note;
  if (!since) return unknownEnd({ text: action.ifUnknown });
  const age = Number(await telephony.now()) - Number(since);
  const isFresh = recordedState(note) === 'in progress' && Math.abs(age) < longest;
  if (isFresh) {
    await pause(interval, undefined);
    if ((await notes.read())?.outcome !== outcome) return undefined;
  }
  const found = await telephony.confirm(action.id, input, { since });
  const { record } = found;
  if (record) {
    const done = { ...note, outcome: successWord(action), sid: sidIn(action, record) };
    return (await settle(notes, note, done)) ? { outcome: 'done', record } : undefined;
  }
  if (isFresh) return undefined;
  const isRecorded =
    outcome === 'unknown' || (await settle(notes, note, { ...note, outcome: 'unknown' }));
  return isRecorded ? unknownEnd(problemIn(found)) : undefined;
}

function unknownWord({ outcome }: RowNote): RowEnd {
  const message = sentence(
    'The row\'s status is "{status}", which the plugin doesn\'t know, so the row was skipped. Clear the status to run the action.',
    { status: outcome },
  );
  return { outcome: 'failed', error: new TelephonyError('input', message) };
}

/**
 * Runs an action for a row by its recorded state: does nothing if it is done, and only checks the log if it was started.
 *
 * @param note the note of the row
 * @returns undefined if the note has changed, or may change soon
 */
export async function runRow(
  work: RowWork,
  row: RunRow,
  note: RowNote | undefined,
): Promise<RowEnd | undefined> {
  if (note && !recordedState(note)) return unknownWord(note);
  if (isDoneNote(note)) return { outcome: 'already-done' };
  if (row.notes && isPendingNote(note)) return checkLog(work, row.input, row.notes, note);
  return send(work, row, note);
}
