import { definitions } from '../../generated/definitions.ts';
import { type ErrorCode, TelephonyError } from '../telephony-error.ts';

/** Whether the settings work, and if not, what is wrong with them. */
export interface ConnectionTest {
  outcome: 'works' | 'wrong-settings' | 'wrong-credentials' | 'wrong-base-url' | 'unreachable';
  /** A sentence for the person who filled in the settings. */
  message: string;
}

const outcomes: Partial<Record<ErrorCode, ConnectionTest['outcome']>> = {
  unauthorised: 'wrong-credentials',
  'not-found': 'wrong-base-url',
  'bad-answer': 'wrong-base-url',
  rejected: 'wrong-base-url',
};

/**
 * Tries the settings with one cheap read.
 *
 * @param run runs an operation of the account
 */
export async function testConnection(
  run: (id: string, input: object) => Promise<unknown>,
): Promise<ConnectionTest> {
  const { dataSource, input } = definitions.settings.test;
  try {
    await run(dataSource, input);
    return { outcome: 'works', message: 'The service accepts the username and the password.' };
  } catch (error) {
    if (!(error instanceof TelephonyError) || error.code === 'aborted') throw error;
    return { outcome: outcomes[error.code] ?? 'unreachable', message: error.message };
  }
}
