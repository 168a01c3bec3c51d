import { connect } from '../connect.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { TelephonySettings } from './check-settings.ts';
import type { ConnectionTest } from './test-connection.ts';

/**
 * Tries settings with one cheap read, for the button that a builder shows beside them. What is wrong with them is in
 * the answer, not thrown. Sends nothing while they are not complete.
 *
 * @param settings the settings, as typed
 */
export async function testSettings(settings: TelephonySettings): Promise<ConnectionTest> {
  try {
    return await connect(settings).test();
  } catch (error) {
    if (!(error instanceof TelephonyError) || error.code !== 'settings') throw error;
    return { outcome: 'wrong-settings', message: error.message };
  }
}
