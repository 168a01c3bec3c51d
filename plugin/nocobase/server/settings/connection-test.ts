import {
  type ConnectionTest,
  nodeHttp,
  pickLimits,
  type Say,
  testSettings,
} from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';

/**
 * Tests the settings in the form, saved or not.
 *
 * @param typed the form's values; the stored secrets replace empty ones
 * @param say writes the message in the language of the user
 */
export const testConnection = async (
  accounts: Accounts,
  typed: Record<string, unknown>,
  say: Say,
): Promise<ConnectionTest> =>
  testSettings(typed, await accounts.secretsOf(typed.key), {
    http: nodeHttp,
    spending: pickLimits(typed),
    ...{ sender: typed.defaultSender, say },
  });
