import type { RowItem } from './row-item.ts';
import { type RowNotes, recordedState } from './row-notes.ts';

/** Stores the items of a batch. Rejects when they could not be stored. */
export type SaveItems = () => Promise<void>;

/** Combines all calls during a save into one more save. */
export function savedTogether(save: SaveItems): SaveItems {
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last
      .catch(() => {})
      .then(() => {
        next = undefined;
        last = save();
        return last;
      });
    return next;
  };
}

/**
 * Returns the notes of an item in its batch. Nothing is sent for it before the batch has stored that it was started, so that a crash leaves
 * no doubt which items may have been sent.
 *
 * @param own the notes in its row, if there are any. They take precedence
 */
export const itemNotes = (item: RowItem, save: SaveItems, own?: RowNotes): RowNotes => ({
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
    try {
      await save();
      isStarted = own ? await own.replace(old, note) : true;
    } finally {
      if (!isStarted) delete item.begun;
    }
    return isStarted;
  },
});
