import { combined } from '../combined.ts';
import type { RowItem } from './row-item.ts';
import { type RowNotes, recordedState } from './row-notes.ts';

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
