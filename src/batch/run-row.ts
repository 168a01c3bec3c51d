import type { Action } from '../../generated/definition-types.ts';
import { hasUnknownOutcome } from '../answer/outcome.ts';
import type { TelephonyRecord } from '../answer/read-record.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { pause } from '../wire/retry.ts';
import type { BatchResult } from './batch-options.ts';
import {
  isDoneNote,
  isPendingNote,
  type RowNote,
  type RowNotes,
  recordedState,
  successWord,
} from './row-notes.ts';

/** How long to wait for the outcome that another batch may record at any moment, in milliseconds. */
const interval = 1_000;

/** A row for which an action runs. */
export interface RunRow {
  input: object;
  /** Records its outcome, so that the batch can be resumed after a crash. */
  notes?: RowNotes | undefined;
}

/** The outcome of a row. */
export type RowEnd = BatchResult;

/** What is done for a row, and on which account. */
export interface RowWork {
  action: Action;
  telephony: Telephony;
  /** How long something can be in progress, in milliseconds; after that its program was ended. */
  longest: number;
}

const sidOf = ({ result }: Action, record: TelephonyRecord) =>
  String(record[recordShape(result.of).key]);

/** Somebody else noted something of the row. */
class Taken extends Error {}

/** That it was begun could not be noted, so that nothing was sent. */
class Unclaimed extends Error {}

/** Notes that a row is begun, at the last moment before anything is sent. */
function claimOf({ telephony }: RowWork, notes: RowNotes, old: RowNote | undefined) {
  const claim: { note?: RowNote; before(): Promise<void> } = {
    async before() {
      const note = { outcome: 'in progress', time: await telephony.now() };
      const isNoted = await notes.replace(old, note).catch((cause) => {
        throw new Unclaimed('', { cause });
      });
      if (!isNoted) throw new Taken();
      claim.note = note;
    },
  };
  return claim;
}

/** What an error of the service says of a row. */
function endOf(error: unknown): RowEnd {
  const isKnown = error instanceof TelephonyError && !hasUnknownOutcome(error);
  return { outcome: isKnown ? 'failed' : 'unknown', error };
}

/** What an error before anything was sent says of a row, by what was noted of it. */
export function unsentEnd(error: unknown, note: RowNote | undefined): RowEnd {
  if (isPendingNote(note)) return { outcome: 'unknown', error };
  return { outcome: error instanceof TelephonyError ? 'failed' : 'not-run', error };
}

/** The message for a row that was started and whose outcome is unknown. */
export const unknownEnd = (problem: string): RowEnd => ({
  outcome: 'unknown',
  error: new TelephonyError('unknown-outcome', problem),
});

async function attempt(
  { action, telephony }: RowWork,
  input: object,
  before?: () => Promise<void>,
): Promise<RowEnd> {
  try {
    const record = await telephony.run(action.id, input, { beforeSend: before });
    return { outcome: 'done', record: record as TelephonyRecord };
  } catch (error) {
    return endOf(error);
  }
}

/** What is to be said where a row could not be claimed; undefined where somebody else did. */
async function takenEnd(notes: RowNotes, old: RowNote | undefined): Promise<RowEnd | undefined> {
  const note = await notes.read();
  if (note?.outcome !== old?.outcome) return undefined;
  const message = 'Someone else was changing the row. Nothing was done for it.';
  return { outcome: 'failed', error: new TelephonyError('aborted', message) };
}

/** Runs the action and records the outcome. */
async function send(
  work: RowWork,
  { input, notes }: RunRow,
  old: RowNote | undefined,
): Promise<RowEnd | undefined> {
  if (!notes) return attempt(work, input);
  // It is read now and not in the row's turn, for which others would wait.
  await work.telephony.now();
  const claim = claimOf(work, notes, old);
  const end = await attempt(work, input, claim.before);
  if (end.error instanceof Taken) return takenEnd(notes, old);
  if (end.error instanceof Unclaimed) return { outcome: 'not-run', error: end.error.cause };
  const { note } = claim;
  if (!note) return end;
  const { outcome, record } = end;
  const word = outcome === 'done' ? successWord(work.action) : outcome;
  const known = { ...note, outcome: word, ...(record && { sid: sidOf(work.action, record) }) };
  try {
    // Someone may have looked for it in vain meanwhile.
    if (!(await notes.replace(note, known)))
      await notes.replace({ ...note, outcome: 'unknown' }, known);
  } catch (error) {
    // The outcome is known all the same. The row says that it was started, so the next batch checks the message log.
    return { ...end, error };
  }
  return end;
}

/**
 * Notes what was found out. What cannot be noted, since someone else is changing the row, is found out again the next time.
 *
 * @returns false if someone else has recorded something
 */
const settle = async (notes: RowNotes, old: RowNote, note: RowNote): Promise<boolean> =>
  (await notes.replace(old, note)) || (await notes.read())?.outcome === old.outcome;

/** Checks the message log for a row that was started before. */
async function lookUp(
  { action, telephony, longest }: RowWork,
  input: object,
  notes: RowNotes,
  note: RowNote,
): Promise<RowEnd | undefined> {
  const { outcome, time: since } = note;
  if (!since) return unknownEnd(action.ifUnknown);
  const age = Number(await telephony.now()) - Number(since);
  const isFresh = recordedState(note) === 'in progress' && Math.abs(age) < longest;
  if (isFresh) {
    await pause(interval, undefined);
    if ((await notes.read())?.outcome !== outcome) return undefined;
  }
  const { record, problem } = await telephony.confirm(action.id, input, { since });
  if (record) {
    const done = { ...note, outcome: successWord(action), sid: sidOf(action, record) };
    return (await settle(notes, note, done)) ? { outcome: 'done', record } : undefined;
  }
  if (isFresh) return undefined;
  const isNoted =
    outcome === 'unknown' || (await settle(notes, note, { ...note, outcome: 'unknown' }));
  return isNoted ? unknownEnd(problem) : undefined;
}

function notUnderstood({ outcome }: RowNote): RowEnd {
  const message = `The row says "${outcome}", which is not known here. Nothing was done for it. Empty what it says to have it done.`;
  return { outcome: 'failed', error: new TelephonyError('input', message) };
}

/**
 * Runs an action for a row by its recorded state: nothing if it is done, and only reads if it was started.
 *
 * @param note what is noted of the row
 * @returns undefined where something else is noted by now, or may be soon
 */
export async function runRow(
  work: RowWork,
  row: RunRow,
  note: RowNote | undefined,
): Promise<RowEnd | undefined> {
  if (note && !recordedState(note)) return notUnderstood(note);
  if (isDoneNote(note)) return { outcome: 'already-done' };
  if (row.notes && isPendingNote(note)) return lookUp(work, row.input, row.notes, note);
  return send(work, row, note);
}
