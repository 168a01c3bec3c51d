import { type ConnectionTest, testSettings } from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';

/**
 * Tries what is typed into the settings, saved or not.
 *
 * @param typed the values of the form; secrets that are left empty are the stored ones
 */
export async function testConnection(
  accounts: Accounts,
  typed: Record<string, unknown>,
): Promise<ConnectionTest> {
  const known = typeof typed.key === 'string' ? await accounts.find(typed.key) : undefined;
  return testSettings(typed, known?.secrets ?? {});
}
