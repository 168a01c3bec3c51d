import { connect } from './connect.ts';
import type { Store } from './store/store.ts';
import type { ConnectOptions, Telephony } from './telephony.ts';

/** The accounts by their options as JSON, the least recently used first. */
const accounts = new Map<string, Telephony>();
const maxAccounts = 100;

/**
 * Connects to an account, or returns the one that was connected with the same options, for builders that pass the settings with each run:
 * an account's queue and rate limit must outlive a run.
 *
 * @param options plain data: no functions
 * @param store the same one for all accounts
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function sharedAccount(options: ConnectOptions, store: Store): Telephony {
  const key = JSON.stringify(options);
  const telephony = accounts.get(key) ?? connect({ ...options, store });
  accounts.delete(key);
  accounts.set(key, telephony);
  const [unused] = accounts.keys();
  if (accounts.size > maxAccounts && unused !== undefined) accounts.delete(unused);
  return telephony;
}
