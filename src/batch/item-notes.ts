import type { RowItem } from './row-item.ts';
import { type RowNotes, recordedState } from './row-notes.ts';

/** Stores the items of a batch. Rejects when they could not be stored. */
export type SaveItems = () => Promise<void>;

/** Saves once more for all who ask while a save is in progress. */
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
 * The notes of an item in the batch that it is part of. Nothing is sent for it before the batch has stored that it is begun, so that
 * after a crash it is known which items may have been sent.
 *
 * @param own the notes in its row, where there are any: they count
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
    let isBegun = false;
    if (note.time) item.begun = note.time.toISOString();
    try {
      await save();
      isBegun = own ? await own.replace(old, note) : true;
    } finally {
      if (!isBegun) delete item.begun;
    }
    return isBegun;
  },
});
