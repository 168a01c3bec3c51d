import pLimit from 'p-limit';
import type { Action } from '../../generated/definition-types.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { isPendingNote, type RowNote } from './row-notes.ts';
import { type RowEnd, type RunRow, runRow, unknownEnd, unsentEnd } from './run-row.ts';

/** How many rows are in progress at the same time, and how many are checked in the log besides. */
const atOnce = 5;

/** How long something is believed to be in progress, in milliseconds: longer than its tries and their answers take. */
const usualLongest = 120_000;

const isUnforeseen = (error: unknown) => error !== undefined && !(error instanceof TelephonyError);

/** Whether every further row would meet the same. */
const isHopeless = (error: unknown) =>
  isUnforeseen(error) ||
  (error instanceof TelephonyError && ['settings', 'unauthorised'].includes(error.code));

export interface RowsOptions<Row> {
  /** Opens the account. */
  open(): Promise<Telephony>;
  /** Whether someone stopped it: asked before each row. What is in progress then finishes, and the rest is not run. */
  isStopped(): Promise<boolean>;
  /** The outcome of a row. */
  onResult(row: Row, end: RowEnd): void;
  /**
   * How long something can be in progress, in milliseconds; 120,000 unless given. What was begun less long ago and is not found may be of
   * another run, and is waited for; what was begun longer ago was so by a program that was ended.
   */
  longestMs?: number;
}

/**
 * Runs an action for rows, some at a time. If their notes are stored, it can be stopped or end with its program, and resumes when it
 * runs for the same rows again: rows that are done are skipped, and for rows that were started
 * the message log is checked. The same holds if several run for the same rows at once.
 *
 * @param rows with different inputs: equal ones are sent twice
 * @throws what is no `TelephonyError`, when the rest has ended
 */
export async function runRows<Row extends RunRow>(
  action: Action,
  rows: Row[],
  { open, isStopped, onResult, longestMs = usualLongest }: RowsOptions<Row>,
): Promise<void> {
  const [looks, sends] = [pLimit(atOnce), pLimit(atOnce)];
  let isOver = false;

  async function step(row: Row, note: RowNote | undefined): Promise<RowEnd | undefined> {
    // Whoever cannot be asked may have stopped it.
    isOver ||= await isStopped().catch(() => true);
    if (isOver) return isPendingNote(note) ? unknownEnd(action.ifUnknown) : { outcome: 'not-run' };
    const end = await open()
      .then((telephony) => runRow({ action, telephony, longest: longestMs }, row, note))
      .catch((error) => unsentEnd(error, note));
    isOver ||= isHopeless(end?.error);
    return end;
  }

  async function runToEnd(row: Row): Promise<RowEnd> {
    for (;;) {
      const note = await looks(async () => row.notes?.read());
      const inTurn = isPendingNote(note) ? looks : sends;
      const end = await inTurn(() => step(row, note));
      if (end) return end;
    }
  }

  async function run(row: Row) {
    const end = await runToEnd(row).catch((error) => unsentEnd(error, undefined));
    isOver ||= isUnforeseen(end.error);
    onResult(row, end);
    if (isUnforeseen(end.error)) throw end.error;
  }

  for (const one of await Promise.allSettled(rows.map(run)))
    if (one.status === 'rejected') throw one.reason;
}
