import type { Action } from '../../generated/definition-types.ts';
import { combined } from '../async/combined.ts';
import { firstWord, overrides, undelivered } from '../status/statuses.ts';
import { TelephonyError } from '../telephony-error.ts';
import { sentence } from '../text/sentence.ts';
import type { RowItem } from './row-item.ts';

type RecordedState = 'in progress' | 'done' | 'failed' | 'unknown';

/** The states that a column can record, by its words. */
const states: Record<string, RecordedState> = {
  'in progress': 'in progress',
  sent: 'done',
  done: 'done',
  delivered: 'done',
  read: 'done',
  failed: 'failed',
  [undelivered]: 'failed',
  'opted-out': 'failed',
  unknown: 'unknown',
};

/** Returns the word that is recorded for a row whose action succeeded. */
export const successWord = ({ batch }: Action): string => batch?.outcome ?? sentence('done').text;

export interface RowNote {
  /** The text in the column: `in progress`, `sent` or `done`, `delivered`, `read`, `undelivered` with a reason, `failed`, `opted-out`, or `unknown`. Rows with another text are left alone. */
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
  Object.hasOwn(states, firstWord(outcome)) ? states[firstWord(outcome)] : undefined;

/** Returns the SID of the message that a note says wasn't delivered. */
export const undeliveredSid = (note: RowNote | undefined): string | undefined =>
  note && firstWord(note.outcome) === undelivered ? note.sid : undefined;

/** Whether the action succeeded for the row. */
export const isDoneNote = (note: RowNote | undefined): boolean =>
  note !== undefined && recordedState(note) === 'done';

/** Returns a note with the outcome of its message; undefined if it is of another message, or records as much already. */
export function deliveredNote(
  note: RowNote | undefined,
  sid: string,
  outcome: string,
): RowNote | undefined {
  const isSent = isDoneNote(note) || undeliveredSid(note) !== undefined;
  if (!note || !isSent || note.sid !== sid) return undefined;
  return overrides(outcome, note.outcome) ? { ...note, outcome } : undefined;
}

/** Whether the action was started for the row, so that the plugin has to check its outcome. */
export function isPendingNote(note: RowNote | undefined): note is RowNote {
  const state = note && recordedState(note);
  return state === 'in progress' || state === 'unknown';
}

const isOpen = (note: RowNote) => recordedState(note) === 'failed' || isPendingNote(note);

/** Records the outcome of a row in the rows that would send the same, unless one of them has another outcome. */
export async function noteDuplicates(duplicates: RowNotes[], note: RowNote): Promise<void> {
  for (const notes of duplicates) {
    try {
      const old = await notes.read();
      if (!old || isOpen(old)) await notes.replace(old, note);
    } catch (error) {
      // The row was deleted.
      if (!(error instanceof TelephonyError)) throw error;
    }
  }
}

async function hasPending(all: RowNotes[]): Promise<boolean> {
  for (const notes of all) {
    try {
      if (isPendingNote(await notes.read())) return true;
    } catch (error) {
      // The row was deleted.
      if (!(error instanceof TelephonyError)) throw error;
    }
  }
  return false;
}

/**
 * Returns notes of a row that also record its state in the rows that would send the same, before anything is sent. Without that, these
 * rows would be sent again if only they are chosen the next time.
 */
export const notesWithDuplicates = (own: RowNotes, duplicates: RowNotes[]): RowNotes => ({
  read: own.read,
  async replace(old, note) {
    if (!(await own.replace(old, note))) return false;
    // Another program may have chosen one of these rows instead. Of two that claim theirs, at least one then sees the other's claim.
    if (recordedState(note) === 'in progress' && (await hasPending(duplicates))) {
      // A column has no word for a row that is still to be sent, but repeats one that failed.
      await own.replace(note, old ?? { outcome: 'failed' });
      return false;
    }
    await noteDuplicates(duplicates, note);
    return true;
  },
});

/** Stores what happens to the items of a batch. */
export interface ItemsLog {
  /** Notes that an item has changed. */
  changed(item: RowItem): void;
  /** Stores the changed items. Rejects if they could not be stored. */
  write(): Promise<void>;
}

/** Combines all writes during a write into one more. */
export const writtenTogether = (log: ItemsLog): ItemsLog => ({
  changed: (item) => log.changed(item),
  write: combined(() => log.write()),
});

/**
 * Returns the notes of an item in its batch. Nothing is sent for it before the batch has stored that it was started, so that a crash leaves
 * no doubt which items may have been sent.
 *
 * @param own the notes in its row, if there are any. They take precedence
 */
export const itemNotes = (item: RowItem, log: ItemsLog, own?: RowNotes): RowNotes => ({
  async read() {
    if (own) return own.read();
    return item.begun === undefined
      ? undefined
      : { outcome: 'unknown', time: new Date(item.begun) };
  },
  async replace(old, note) {
    if (recordedState(note) !== 'in progress') return own ? own.replace(old, note) : true;
    let isStarted = false;
    if (note.time) item.begun = note.time.toISOString();
    log.changed(item);
    try {
      await log.write();
      isStarted = own ? await own.replace(old, note) : true;
    } finally {
      if (!isStarted) {
        delete item.begun;
        log.changed(item);
      }
    }
    return isStarted;
  },
});
