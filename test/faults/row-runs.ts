import {
  type Action,
  definitions,
  type RowEnd,
  type RunRow,
  runRows,
  type Telephony,
} from '../../src/builder.ts';
import { notesAt } from './table-of-files.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];

/** The people of a table, each with a message of their own. */
export const peopleOf = (folder: string, count: number): (RunRow & { to: string })[] =>
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
  people: ReturnType<typeof peopleOf>,
  longest?: number,
): Promise<Map<string, RowEnd['outcome']>> {
  const ends = new Map<string, RowEnd['outcome']>();
  await runRows(action, people, {
    open: async () => telephony,
    isStopped: async () => false,
    onResult: ({ to }, { outcome }) => ends.set(to, outcome),
    ...(longest !== undefined && { longestMs: longest }),
  });
  return ends;
}
