import { actionOf } from '../definition/operation.ts';
import { isDate } from '../field-types/is-date.ts';
import { checkOptions } from '../input/check-options.ts';
import { isObject } from '../response/json.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { RowNote, RowNotes } from './row-notes.ts';
import type { RowEnd } from './run-row.ts';
import { runRows } from './run-rows.ts';

type Maybe<Value> = Value | Promise<Value>;

/** A note as it was stored: its time can be text, as in JSON. */
export type StoredNote = Omit<RowNote, 'time'> & { time?: Date | string | null | undefined };

/** Stores the outcome of a row, so that it outlives the program. */
export interface BatchNotes {
  /** Returns what is stored now; nothing before. */
  read(): Maybe<StoredNote | null | undefined>;
  /**
   * Replaces a note by another one in one step: if several programs do so at the same time, one succeeds.
   *
   * @param old what has to be stored, compared by its outcome
   * @returns whether it was stored, and could be replaced
   */
  replace(old: StoredNote | undefined, note: StoredNote): Maybe<boolean>;
}

/** A row of a batch: what the action takes, and where its outcome is stored. */
export interface BatchRow<Input = object> {
  input: Input;
  notes?: BatchNotes | null | undefined;
}

/** The outcome of a row. */
export interface BatchResult<Record = TelephonyRecord> {
  outcome: RowEnd['outcome'];
  /** What the action returned, if it succeeded now. */
  record?: Record;
  /** Why it failed, is unknown or was not run: a `TelephonyError`, or an error of your own functions. */
  error?: unknown;
}

export interface BatchOptions<Row = BatchRow, Record = TelephonyRecord> {
  /** Stops the batch. Rows in progress finish, and the others are not run. */
  signal?: AbortSignal | null | undefined;
  /** Called with the outcome of each row. */
  onResult?: ((row: Row, result: BatchResult<Record>) => void) | null | undefined;
  /**
   * How long an action can be in progress, in milliseconds; 120,000 if not given. The batch waits for a row that was started more
   * recently and is not in the log yet: another program may be sending it.
   */
  longestMs?: number | null | undefined;
}

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
 * Runs an action for rows, five at a time. What can't be a row fails, and the others run.
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
  for (const row of rows.filter((one) => !isRow(one)))
    report(row, { outcome: 'failed', error: noRow() });
  const runnable = rows
    .filter(isRow)
    .map((row) => ({ row, input: row.input, notes: notesOf(row) }));
  await runRows(action, runnable, {
    open: async () => telephony,
    isStopped: async () => signal?.aborted ?? false,
    onResult: ({ row }, result) => report(row, result),
    ...(longestMs && { longestMs }),
  });
}
