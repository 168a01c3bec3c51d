import { TelephonyError } from '../telephony-error.ts';
import { isPendingNote, type RowNote, type RowNotes, recordedState } from './row-notes.ts';

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

/**
 * Returns notes of a row that also record its state in the rows that would send the same, before anything is sent. Without that, these
 * rows would be sent again if only they are chosen the next time.
 */
export const notesWithDuplicates = (own: RowNotes, duplicates: RowNotes[]): RowNotes => ({
  read: own.read,
  async replace(old, note) {
    const isReplaced = await own.replace(old, note);
    if (isReplaced) await noteDuplicates(duplicates, note);
    return isReplaced;
  },
});
