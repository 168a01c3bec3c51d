import type { BatchResult, RowNotes, Telephony } from '../../src/builder.ts';
import { notesAt } from './table-of-files.ts';

interface Person {
  to: string;
  input: object;
  notes: RowNotes;
}

/** The people of a table, each with a different message. */
export const peopleOf = (folder: string, count: number): Person[] =>
  Array.from({ length: count }, (_, index) => {
    const to = `+1202${5_550_000 + index}`;
    return {
      to,
      input: { from: '+14155550100', to, body: 'Hello' },
      notes: notesAt(folder, index),
    };
  });

/** Texts people, and returns the outcomes by phone number. */
export async function text(
  telephony: Telephony,
  people: Person[],
  longestMs?: number,
): Promise<Map<string, BatchResult['outcome']>> {
  const ends = new Map<string, BatchResult['outcome']>();
  await telephony.runBatch('send-sms' as string, people, {
    onResult: ({ to }, { outcome }) => ends.set(to, outcome),
    longestMs,
  });
  return ends;
}
