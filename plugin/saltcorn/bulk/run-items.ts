import pLimit from 'p-limit';
import { type Action, mayHaveBeenDone, TelephonyError } from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import type { Item } from './plan.ts';

/** How many are under way at the same time. */
const atOnce = 5;

/** Errors that every further row would meet as well. */
const isHopeless = ({ code }: TelephonyError) => code === 'settings' || code === 'unauthorised';

/**
 * Does what is waiting, some at a time, and notes in each what became of it. What is under way when it is stopped is done;
 * the rest is not tried.
 *
 * @param isStopped whether someone stopped it, is asked before each
 * @returns the records of what was done
 */
export async function runItems(
  action: Action,
  account: Account,
  items: Item[],
  isStopped: () => Promise<boolean>,
): Promise<object[]> {
  const inTurn = pLimit(atOnce);
  const records: object[] = [];
  let isOver = false;

  async function runItem(item: Item) {
    const { values = {} } = item;
    delete item.values;
    // Whoever cannot be asked may have stopped it.
    isOver ||= await isStopped().catch(() => true);
    if (isOver) {
      item.outcome = 'untried';
      return;
    }
    try {
      const telephony = await account.telephony();
      records.push(await telephony.run(action.id, values));
      item.outcome = 'done';
    } catch (error) {
      const isKnown = error instanceof TelephonyError;
      isOver ||= !isKnown || isHopeless(error);
      item.outcome = isKnown && !mayHaveBeenDone(error) ? 'failed' : 'unknown';
      if (!isKnown) throw error;
      item.message = error.message;
    }
  }

  const waiting = items.filter(({ outcome }) => outcome === 'waiting');
  const ends = await Promise.allSettled(waiting.map((item) => inTurn(() => runItem(item))));
  account.changed();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return records;
}
