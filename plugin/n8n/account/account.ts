import type { Values } from 'n8n-workflow';
import { pickSettings, sharedAccount, type Telephony } from '../../../src/builder.ts';
import { credentialName } from '../settings/credentials.ts';

interface WithCredentials {
  getCredentials(name: string): Promise<Values>;
}

/** Returns the settings in a node's credential. */
export const settingsOf = async (context: WithCredentials) => {
  const credentials = await context.getCredentials(credentialName);
  const { authToken } = credentials;
  return { settings: pickSettings(credentials), authToken: authToken ? String(authToken) : null };
};

/**
 * Opens the account of a node's credential.
 *
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export const accountOf = async (context: WithCredentials): Promise<Telephony> =>
  sharedAccount((await settingsOf(context)).settings);
