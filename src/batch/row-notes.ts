/** What can stand of something that was to be done for a row. */
const outcomes = ['under way', 'done', 'failed', 'unknown'];

export interface RowNote {
  /** `under way`, `done`, `failed` or `unknown`. Nothing is done for a row that says something else. */
  outcome: string;
  /** When it was begun, by the clock of the service. */
  time?: Date | undefined;
  /** The SID of what was done. */
  sid?: string | undefined;
}

/** Where it is noted what became of a row. What is written there outlives the program from then on. */
export interface RowNotes {
  /** What stands there now; undefined for nothing. */
  read(): Promise<RowNote | undefined>;
  /**
   * Puts a note in the place of another one, in one step: of many that do so at the same time, in whatever program, one succeeds.
   *
   * @param old what has to stand there, by its outcome
   * @returns whether it stood there, and could be replaced
   */
  replace(old: RowNote | undefined, note: RowNote): Promise<boolean>;
}

export const isUnderstood = ({ outcome }: RowNote): boolean => outcomes.includes(outcome);

/** Whether it was begun, so that it has to be looked for what became of it. */
export const isPendingNote = (note: RowNote | undefined): note is RowNote =>
  note?.outcome === 'under way' || note?.outcome === 'unknown';
