import { TelephonyError } from '../telephony-error.ts';
import { isPendingNote, type RowNote, type RowNotes } from './row-notes.ts';

const isOpen = (note: RowNote | undefined) => note?.outcome === 'failed' || isPendingNote(note);

/** Records the outcome of a row in the rows that would send the same, unless one of them has another outcome. */
export async function noteAlike(same: RowNotes[], note: RowNote): Promise<void> {
  for (const notes of same) {
    try {
      const old = await notes.read();
      if (!old || isOpen(old)) await notes.replace(old, note);
    } catch (error) {
      // It was deleted.
      if (!(error instanceof TelephonyError)) throw error;
    }
  }
}

/**
 * The notes of a row that stands for others, too: before anything is sent they say the same as it does. Else they would have it done
 * again when only they are chosen, as those of which nothing is noted.
 */
export const notesWith = (own: RowNotes, same: RowNotes[]): RowNotes => ({
  read: own.read,
  async replace(old, note) {
    const isReplaced = await own.replace(old, note);
    if (isReplaced) await noteAlike(same, note);
    return isReplaced;
  },
});
