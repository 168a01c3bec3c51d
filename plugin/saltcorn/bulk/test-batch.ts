import {
  type Action,
  checkInput,
  doneSentence,
  TelephonyError,
  type TelephonyRecord,
  testInput,
  testProblem,
  withCountryCodes,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import { asOneClick } from '../action/one-click.ts';
import type { SaltcornBatch } from './batch-context.ts';
import { testResult } from './run-page.ts';

/** Returns the outcome of a test as HTML. */
async function outcomeOf(action: Action, test: () => Promise<string>): Promise<string> {
  try {
    return await test();
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return testResult((say) => testProblem(action, error, say), 'danger');
  }
}

/**
 * Runs the first row of a batch with the number that the user typed, like a button of the action: a double click counts once.
 *
 * @param recipient the number that the user typed
 * @returns the outcome as HTML
 */
export const testBatch = (
  action: Action,
  account: Account,
  batch: SaltcornBatch,
  recipient: unknown,
): Promise<string> =>
  outcomeOf(action, async () => {
    const { defaultCountry } = effectiveSettings(account.configuration, {}).typed;
    const input = testInput(action, batch, recipient);
    const values = checkInput(action, withCountryCodes(action, input, defaultCountry));
    // A test counts for no row: the batch still sends to a row with its number.
    const send = async () => {
      const telephony = await account.telephony();
      const record = await telephony.run(action.id, values).finally(() => account.changed());
      return testResult((say) => doneSentence(action, record as TelephonyRecord, say), 'success');
    };
    const test = async () => ({ html: await outcomeOf(action, send) });
    const click = ['test', batch.owner, action.id, values];
    const { html } = await asOneClick(click, test, { text: action.ifUnknown });
    return String(html);
  });
