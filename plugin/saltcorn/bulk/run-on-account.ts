import { type Action, type NotesOf, type RowItem, runItems } from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';

/**
 * Does what is waiting, and has pages read the account's lists again.
 *
 * @param isStopped whether someone stopped it, is asked before each
 * @param notesOf the columns that record outcomes, so that it can be resumed however it ends
 * @returns the records of what was done
 */
export async function runOnAccount(
  action: Action,
  account: Account,
  items: RowItem[],
  isStopped: () => Promise<boolean>,
  notesOf?: NotesOf,
): Promise<object[]> {
  try {
    return await runItems(action, items, {
      open: () => account.telephony(),
      isStopped,
      notesOf,
    });
  } finally {
    account.changed();
  }
}
