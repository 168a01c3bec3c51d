import type { TelephonyRecord } from '../response/read-record.ts';
import type { RowEnd } from './row-item.ts';
import type { RowNote } from './row-notes.ts';

type Maybe<Value> = Value | Promise<Value>;

/** A stored note. Its time can be text, as in JSON. */
export type StoredNote = Omit<RowNote, 'time'> & { time?: Date | string | null | undefined };

/** Stores the outcome of a row, so that it outlives the program. */
export interface BatchNotes {
  /** Returns the stored note; null or undefined if there is none. */
  read(): Maybe<StoredNote | null | undefined>;
  /**
   * Replaces a note by another one in one step: if several programs do so at the same time, one succeeds.
   *
   * @param old the expected stored note, compared by its outcome
   * @returns whether that was the stored note and could be replaced
   */
  replace(old: StoredNote | undefined, note: StoredNote): Maybe<boolean>;
}

/** A row of a batch: the input of the action, and where the outcome is stored. */
export interface BatchRow<Input = object> {
  input: Input;
  notes?: BatchNotes | null | undefined;
}

/** The outcome of a row. */
export interface BatchResult<Record = TelephonyRecord> {
  outcome: RowEnd['outcome'] | 'duplicate';
  /** The record that the action returned, if it succeeded in this batch. */
  record?: Record;
  /** Why it failed, is unknown or was not run: a `TelephonyError`, or an error of your own functions. */
  error?: unknown;
}

export interface BatchOptions<Row = BatchRow, Record = TelephonyRecord> {
  /** Stops the batch. Rows in progress finish, and the others are not run. */
  signal?: AbortSignal | null | undefined;
  /** Called with the outcome of each row. If it returns a promise, the batch awaits it. */
  onResult?: ((row: Row, result: BatchResult<Record>) => unknown) | null | undefined;
  /**
   * How long an action can be in progress, in milliseconds; 120,000 if not given. The batch waits for a row that was started more
   * recently and is not in the log yet: another program may be sending it.
   */
  longestMs?: number | null | undefined;
}
