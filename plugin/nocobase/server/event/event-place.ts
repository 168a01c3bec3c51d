import {
  addressBelow,
  eventReader,
  TelephonyError,
  type WebhookOptions,
} from '../../../../src/builder.ts';
import { type StoredAccount, settingsOf } from '../account/stored-account.ts';
import { eventPath } from './event-path.ts';

/** The webhook URL of an account; empty if the settings have no public URL. */
export function eventAddress({ key, publicAddress }: StoredAccount): string {
  return publicAddress && addressBelow(publicAddress, eventPath(key));
}

/** Where the events of an account come, and what they are signed by; undefined where none are to come. */
export function eventPlace(account: StoredAccount): WebhookOptions | undefined {
  const address = eventAddress(account);
  return address ? { url: address, authToken: account.authToken } : undefined;
}

/**
 * Makes sure that events can come where an account says.
 *
 * @throws {TelephonyError} with the `field` to change
 */
export function assertCanReceive(account: StoredAccount): void {
  const place = eventPlace(account);
  if (!place) return;
  try {
    eventReader(settingsOf(account), place);
  } catch (error) {
    if (!(error instanceof TelephonyError) || error.field !== 'url') throw error;
    throw new TelephonyError(error.code, error.message, { field: 'publicAddress' });
  }
}
