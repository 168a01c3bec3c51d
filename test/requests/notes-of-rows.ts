import type { NotesOf, RowNote } from '../../src/builder.ts';

/** Recorded outcomes by the keys of rows, and all writes in order. */
export function notesOfRows(notes: Record<string, RowNote | undefined>) {
  const written: [key: unknown, outcome: string][] = [];
  const notesOf: NotesOf = (key) => ({
    read: async () => notes[String(key)],
    async replace(old, note) {
      if (notes[String(key)]?.outcome !== old?.outcome) return false;
      notes[String(key)] = note;
      written.push([key, note.outcome]);
      return true;
    },
  });
  return { notes, written, notesOf };
}
