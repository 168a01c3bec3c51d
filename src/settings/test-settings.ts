import { connect } from '../connect.ts';
import type { ConnectOptions } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { settingsWithStoredSecrets } from './settings-with-stored-secrets.ts';
import type { ConnectionTest } from './test-connection.ts';

/**
 * Tests settings with one or two cheap reads, for the button _Test connection_. What is wrong with them is in the result, not thrown. Sends
 * nothing while a setting is missing, and a stored secret only to its own host.
 *
 * @param typed the settings in the form
 * @param stored the secrets that replace empty ones, and the `baseUrl` that they were entered with
 * @param options how to send
 */
export async function testSettings(
  typed: object = {},
  stored: object = {},
  options: Pick<ConnectOptions, 'http'> = {},
): Promise<ConnectionTest> {
  try {
    return await connect({ ...settingsWithStoredSecrets(typed, stored), ...options }).test();
  } catch (error) {
    if (!(error instanceof TelephonyError) || error.code !== 'settings') throw error;
    return { outcome: 'wrong-settings', message: error.message };
  }
}
