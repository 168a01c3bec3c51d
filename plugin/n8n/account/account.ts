import type { Values } from 'n8n-workflow';
import { connect, pickSettings, type Telephony } from '../../../src/builder.ts';
import { credentialName } from '../settings/credentials.ts';

interface WithCredentials {
  getCredentials(name: string): Promise<Values>;
}

/** The newest accounts, by their settings: an account's queue and rate limit outlive an execution. */
const accounts = new Map<string, Telephony>();
const maxAccounts = 100;

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
export async function accountOf(context: WithCredentials): Promise<Telephony> {
  const { settings } = await settingsOf(context);
  const key = JSON.stringify(settings);
  const telephony = accounts.get(key) ?? connect(settings);
  accounts.set(key, telephony);
  const [oldest] = accounts.keys();
  if (accounts.size > maxAccounts && oldest !== undefined) accounts.delete(oldest);
  return telephony;
}
