import { connect } from '../connect.ts';
import { TelephonyError } from '../telephony-error.ts';
import { settingsWithStoredSecrets } from './settings-with-stored-secrets.ts';
import type { ConnectionTest } from './test-connection.ts';

/**
 * Tries settings with one cheap read, for the button that a builder shows beside them. What is wrong with them is in
 * the answer, not thrown. Sends nothing while they are not complete, and a stored secret to no other host than its own.
 *
 * @param typed the settings, as typed
 * @param stored the secrets that stand for those that are left empty, and the `baseUrl` that was typed with them
 */
export async function testSettings(typed: object, stored: object = {}): Promise<ConnectionTest> {
  try {
    return await connect(settingsWithStoredSecrets(typed, stored)).test();
  } catch (error) {
    if (!(error instanceof TelephonyError) || error.code !== 'settings') throw error;
    return { outcome: 'wrong-settings', message: error.message };
  }
}
