import { type Action, type NotesOf, type RowItem, runItems } from '../../../src/builder.ts';
import type { SendingAccount } from '../action/single-sends.ts';

/**
 * Runs the waiting rows, then clears the account's cached lists.
 *
 * @param isStopped whether a user stopped the batch; called before each row
 * @param notesOf the columns that record outcomes, so that an interrupted batch can be resumed
 * @returns the records that the action returned
 */
export async function runOnAccount(
  action: Action,
  account: SendingAccount,
  items: RowItem[],
  isStopped: () => Promise<boolean>,
  notesOf?: NotesOf,
): Promise<object[]> {
  const records: object[] = [];
  try {
    await runItems(action, items, {
      open: () => account.telephony(),
      isStopped,
      notesOf,
      onRecord: (record) => records.push(record),
    });
    return records;
  } finally {
    account.changed();
  }
}
