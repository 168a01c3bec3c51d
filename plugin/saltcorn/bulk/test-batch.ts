import {
  type Action,
  checkInput,
  doneSentence,
  TelephonyError,
  testInput,
  withCountryCodes,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import { send } from '../action/action.ts';
import { asOneClick } from '../action/one-click.ts';
import type { SaltcornBatch } from './batch-context.ts';
import { testResult } from './run-page.ts';

async function sent(action: Action, account: Account, values: Record<string, unknown>) {
  try {
    return testResult(doneSentence(action, await send(action, account, values)), 'success');
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return testResult(error.message, 'danger');
  }
}

/**
 * Runs the first row of a batch with the number that the user typed, like a button of the action: a double click counts once.
 *
 * @param recipient the number that the user typed
 * @returns the outcome as HTML
 * @throws {TelephonyError} if the number is missing or invalid, or the batch was started
 */
export async function testBatch(
  action: Action,
  account: Account,
  batch: SaltcornBatch,
  recipient: unknown,
): Promise<string> {
  const { defaultCountry } = effectiveSettings(account.configuration, {}).typed;
  const input = testInput(action, batch, recipient);
  const values = checkInput(action, withCountryCodes(action, input, defaultCountry));
  const { html } = await asOneClick(['test', batch.owner, action.id, values], async () => ({
    html: await sent(action, account, values),
  }));
  return String(html);
}
