import { connect } from './connect.ts';
import type { ConnectOptions, Telephony } from './telephony.ts';

/** The newest accounts, by their options as JSON. */
const accounts = new Map<string, Telephony>();
const maxAccounts = 100;

/**
 * Connects to an account, or returns the one that was connected with the same options, for builders that pass the settings with each run:
 * an account's queue and rate limit must outlive a run.
 *
 * @param options plain data: no functions
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function sharedAccount(options: ConnectOptions): Telephony {
  const key = JSON.stringify(options);
  const telephony = accounts.get(key) ?? connect(options);
  accounts.set(key, telephony);
  const [oldest] = accounts.keys();
  if (accounts.size > maxAccounts && oldest !== undefined) accounts.delete(oldest);
  return telephony;
}
