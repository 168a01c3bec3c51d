import type { Action } from '../../generated/definition-types.ts';
import { actionOf } from '../definition/operation.ts';
import { isDate } from '../field-types/is-date.ts';
import { checkInput } from '../input/check-input.ts';
import { checkOptions } from '../input/check-options.ts';
import { isObject } from '../response/json.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { BatchOptions, BatchResult, BatchRow, StoredNote } from './batch-options.ts';
import { distinctRows } from './distinct-rows.ts';
import type { RowNote, RowNotes } from './row-notes.ts';
import { runRows } from './run-rows.ts';

const batchOptions = { signal: 'signal', onResult: 'function', longestMs: 'milliseconds' } as const;

function readNote(stored: StoredNote): RowNote {
  const time = new Date(stored.time ?? Number.NaN);
  return { ...stored, time: isDate(time) ? time : undefined };
}

function notesOf({ notes }: BatchRow): RowNotes | undefined {
  if (!notes) return undefined;
  return {
    async read() {
      const stored = await notes.read();
      return stored ? readNote(stored) : undefined;
    },
    replace: async (old, note) => notes.replace(old, note),
  };
}

const isNotes = (notes: unknown) =>
  isObject(notes) && [notes.read, notes.replace].every((one) => typeof one === 'function');

const isRow = (row: unknown): boolean => isObject(row) && (!row.notes || isNotes(row.notes));

/**
 * Returns what a row sends, which stays the same if the program changes its object while the row waits. An invalid input stays as it
 * is, and the run of the row reports it.
 */
function sentInput(action: Action, input: object, { cleanPhone }: Telephony): object {
  try {
    return checkInput(action, input, cleanPhone);
  } catch {
    return input;
  }
}

/** Reads the parts of a row. Returns an error if it isn't one. */
function readRow(action: Action, row: BatchRow, telephony: Telephony) {
  try {
    if (isRow(row))
      return { row, input: sentInput(action, row.input, telephony), notes: notesOf(row) };
    throw new TelephonyError(
      'input',
      'A row must be an object with an input. If it has notes, they must have the functions read and replace.',
    );
  } catch (error) {
    return { row, error };
  }
}

/**
 * Runs an action for rows, as many at a time as the account allows. A value that isn't a row fails, and the others run. Of rows that would send the same, one runs.
 *
 * @throws {TelephonyError} with code `input` for wrong arguments, before anything is sent
 */
export async function runBatch(
  telephony: Telephony,
  id: string,
  rows: readonly BatchRow[],
  given?: BatchOptions,
): Promise<void> {
  const { signal, onResult, longestMs } = checkOptions<BatchOptions>(given, batchOptions);
  const action = actionOf(id);
  if (!Array.isArray(rows)) throw new TelephonyError('input', 'The rows must be an array.');
  // A hole is no row either.
  const all = Array.from(rows, (row) => readRow(action, row, telephony));
  const runnable = all.flatMap((one) => ('error' in one ? [] : one));
  const distinct = await distinctRows(action, runnable, telephony.cleanPhone);
  const report = async (row: BatchRow, result: BatchResult) => onResult?.(row, result);
  const ends = await Promise.allSettled([
    ...all.flatMap((one) =>
      'error' in one ? report(one.row, { outcome: 'failed', error: one.error }) : [],
    ),
    ...distinct.duplicates.map(({ row }) => report(row, { outcome: 'duplicate' })),
    runRows(action, distinct.rows, {
      open: async () => telephony,
      isStopped: async () => signal?.aborted ?? false,
      onResult: ({ row }, result) => report(row, result),
      ...(longestMs && { longestMs }),
    }),
  ]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
