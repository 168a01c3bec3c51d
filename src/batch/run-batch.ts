import { actionOf } from '../definition/operation.ts';
import { isDate } from '../field-types/is-date.ts';
import { checkOptions } from '../input/check-options.ts';
import { isObject } from '../response/json.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { BatchOptions, BatchResult, BatchRow, StoredNote } from './batch-options.ts';
import { distinctRows } from './equal-rows.ts';
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

const noRow = () =>
  new TelephonyError(
    'input',
    'A row must be an object with an input. If it has notes, they must have the functions read and replace.',
  );

/**
 * Runs an action for rows, five at a time. A value that isn't a row fails, and the others run. Of rows that would send the same, one runs.
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
  const report = (row: BatchRow, result: BatchResult) => onResult?.(row, result);
  // A hole is no row either.
  const all = Array.from(rows);
  for (const row of all.filter((one) => !isRow(one)))
    report(row, { outcome: 'failed', error: noRow() });
  const runnable = all.filter(isRow).map((row) => ({ row, input: row.input, notes: notesOf(row) }));
  const distinct = await distinctRows(action, runnable, telephony.cleanPhone);
  for (const { row } of distinct.duplicates) report(row, { outcome: 'duplicate' });
  await runRows(action, distinct.rows, {
    open: async () => telephony,
    isStopped: async () => signal?.aborted ?? false,
    onResult: ({ row }, result) => report(row, result),
    ...(longestMs && { longestMs }),
  });
}
