import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RowNote, RowNotes } from '../../src/builder.ts';

/** Outcomes in the files of a folder: several processes can use it, and it survives a kill at any moment. */
export function notesAt(folder: string, row: number): RowNotes {
  const own = join(folder, String(row));
  mkdirSync(own, { recursive: true });
  const versions = () => readdirSync(own).filter((name) => /^\d+$/.test(name)).length;
  const noteOf = (version: number): RowNote | undefined => {
    if (version === 0) return undefined;
    const { time, ...note } = JSON.parse(readFileSync(join(own, String(version)), 'utf8'));
    return { ...note, ...(time && { time: new Date(time) }) };
  };
  return {
    read: async () => noteOf(versions()),
    async replace(old, note) {
      const version = versions();
      if (noteOf(version)?.outcome !== old?.outcome) return false;
      const draft = join(own, `draft-${process.pid}-${Math.random()}`);
      writeFileSync(draft, JSON.stringify(note));
      try {
        // Fails if another process has written the next version.
        linkSync(draft, join(own, String(version + 1)));
        return true;
      } catch {
        return false;
      } finally {
        rmSync(draft);
      }
    },
  };
}
