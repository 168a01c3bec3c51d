import { type ConnectionTest, testSettings } from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';

/**
 * Tests the settings in the form, saved or not.
 *
 * @param typed the form's values; the stored secrets replace empty ones
 */
export async function testConnection(
  accounts: Accounts,
  typed: Record<string, unknown>,
): Promise<ConnectionTest> {
  const known = typeof typed.key === 'string' ? await accounts.find(typed.key) : undefined;
  return testSettings(typed, known?.secrets ?? {});
}
