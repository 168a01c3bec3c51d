import type { Action } from '../../generated/definition-types.ts';
import type { CleanPhone } from '../field-types/clean-phone.ts';
import { checkInput } from '../input/check-input.ts';
import { noteDuplicates, notesWithDuplicates } from './duplicate-notes.ts';
import {
  isDoneNote,
  isPendingNote,
  type RowNote,
  type RowNotes,
  recordedState,
} from './row-notes.ts';
import type { RunRow } from './run-row.ts';

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
