import type { Action } from '../../generated/definition-types.ts';

type RecordedState = 'in progress' | 'done' | 'failed' | 'unknown';

/** The states that a column can record, by its words. */
const states: Record<string, RecordedState> = {
  'in progress': 'in progress',
  sent: 'done',
  done: 'done',
  failed: 'failed',
  'opted-out': 'failed',
  unknown: 'unknown',
};

/** Returns the word that is recorded for a row whose action succeeded. */
export const successWord = ({ batch }: Action): string => batch?.outcome ?? 'done';

export interface RowNote {
  /** The text in the column: `in progress`, `sent` or `done`, `failed`, `opted-out`, or `unknown`. Rows with another text are left alone. */
  outcome: string;
  /** When it started, by the service's clock. */
  time?: Date | undefined;
  /** The SID of the record that the action created. */
  sid?: string | undefined;
}

/** Records the outcome of a row, so that it outlives the program. */
export interface RowNotes {
  /** Returns the current note; undefined if there is none. */
  read(): Promise<RowNote | undefined>;
  /**
   * Replaces a note by another one in one step: if several programs do so at the same time, one succeeds.
   *
   * @param old the expected current note, compared by its outcome
   * @returns whether that was the current note and could be replaced
   */
  replace(old: RowNote | undefined, note: RowNote): Promise<boolean>;
}

/** Returns the state that a note records; undefined if its text is unknown. */
export const recordedState = ({ outcome }: RowNote): RecordedState | undefined =>
  Object.hasOwn(states, outcome) ? states[outcome] : undefined;

/** Whether the action succeeded for the row. */
export const isDoneNote = (note: RowNote | undefined): boolean =>
  note !== undefined && recordedState(note) === 'done';

/** Whether the action was started for the row, so that the plugin has to check its outcome. */
export function isPendingNote(note: RowNote | undefined): note is RowNote {
  const state = note && recordedState(note);
  return state === 'in progress' || state === 'unknown';
}
