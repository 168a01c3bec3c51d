import type { Action } from '../../generated/definition-types.ts';
import { actionOf } from '../definition/operation.ts';
import { isDate } from '../field-types/field-types.ts';
import type { CleanPhone } from '../field-types/phone.ts';
import { checkInput } from '../input/check-input.ts';
import { checkOptions } from '../settings/check-options.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { isObject } from '../text/json.ts';
import type { BatchOptions, BatchResult, BatchRow, StoredNote } from './batch-options.ts';
import {
  isDoneNote,
  isPendingNote,
  noteDuplicates,
  notesWithDuplicates,
  type RowNote,
  type RowNotes,
  recordedState,
} from './row-notes.ts';
import type { RunRow } from './run-row.ts';
import { runRows } from './run-rows.ts';

/** Rows of which some would send the same as another one. */
export interface DistinctRows<Row> {
  /** The rows to run. */
  rows: Row[];
  /** The rows that would send the same as one of these. */
  duplicates: Row[];
}

/** What a row would send; undefined if it can't be sent. */
function keyOf(action: Action, { input }: RunRow, clean: CleanPhone): string | undefined {
  try {
    return JSON.stringify(checkInput(action, input, clean));
  } catch {
    return undefined;
  }
}

interface NotedRow<Row> {
  row: Row;
  note?: RowNote | undefined;
  /** Whether its note is unknown or can't be read. Then it can't represent other rows, and its own run reports why. */
  isUnclear?: boolean;
}

async function noted<Row extends RunRow>(row: Row): Promise<NotedRow<Row>> {
  try {
    const note = await row.notes?.read();
    return { row, note, isUnclear: note !== undefined && !recordedState(note) };
  } catch {
    return { row, isUnclear: true };
  }
}

/** Rows with notes come before those without, because only notes record the outcome for the next batch. */
const rankOf = ({ row, note, isUnclear }: NotedRow<RunRow>) =>
  [isDoneNote(note), isPendingNote(note), !isUnclear && row.notes, !isUnclear, true].findIndex(
    Boolean,
  );

const hasNotes = <Row extends RunRow>(row: Row): row is Row & { notes: RowNotes } =>
  row.notes !== undefined;

/** Chooses the row that is run instead of all that would send the same, and records its outcome in the others, too. */
async function distinct<Row extends RunRow>(equal: Row[]): Promise<DistinctRows<Row>> {
  const all = await Promise.all(equal.map(noted));
  const [first, ...others] = all.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (!first) return { rows: [], duplicates: [] };
  const isDone = isDoneNote(first.note);
  // These rows run, too: a sent one reports its own note, and one in progress is checked in the account's log.
  const isOwn = ({ note, isUnclear }: NotedRow<Row>) =>
    isUnclear || isDoneNote(note) || (isDone && isPendingNote(note));
  const duplicates = others.filter((other) => !isOwn(other)).map(({ row }) => row);
  const same = duplicates.filter(hasNotes).map(({ notes }) => notes);
  if (isDone && first.note) await noteDuplicates(same, first.note);
  const { notes } = first.row;
  const row =
    notes && !isDone ? { ...first.row, notes: notesWithDuplicates(notes, same) } : first.row;
  return { rows: [row, ...others.filter(isOwn).map((other) => other.row)], duplicates };
}

/**
 * Finds the rows that would send the same as another one, once their values are cleaned. Rows that were sent or started before come
 * first.
 *
 * @param clean cleans phone numbers as the account sends them
 */
export async function distinctRows<Row extends RunRow>(
  action: Action,
  rows: Row[],
  clean: CleanPhone,
): Promise<DistinctRows<Row>> {
  const groups = new Map<string | Row, Row[]>();
  for (const row of rows) {
    const key = keyOf(action, row, clean) ?? row;
    const equal = groups.get(key);
    if (equal) equal.push(row);
    else groups.set(key, [row]);
  }
  const found: DistinctRows<Row> = { rows: [], duplicates: [] };
  for (const equal of groups.values()) {
    if (equal.length === 1) found.rows.push(...equal);
    else {
      const { rows: own, duplicates } = await distinct(equal);
      found.rows.push(...own);
      found.duplicates.push(...duplicates);
    }
  }
  return found;
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
