import {
  addressBelow,
  eventReader,
  TelephonyError,
  type WebhookOptions,
} from '../../../../src/builder.ts';
import { type StoredAccount, settingsOf } from '../account/stored-account.ts';
import { eventPath } from './event-path.ts';

/** The webhook URL of an account; empty if the settings have no public URL. */
export function webhookUrl({ key, publicAddress }: StoredAccount): string {
  return publicAddress && addressBelow(publicAddress, eventPath(key));
}

/** The webhook URL of an account and the Auth Token that signs its webhooks; undefined if the account receives none. */
export function webhookOf(account: StoredAccount): WebhookOptions | undefined {
  const address = webhookUrl(account);
  return address ? { url: address, authToken: account.authToken } : undefined;
}

/**
 * Checks that the account's settings allow it to receive webhooks.
 *
 * @throws {TelephonyError} with the `field` to change
 */
export function assertCanReceive(account: StoredAccount): void {
  const webhook = webhookOf(account);
  if (!webhook) return;
  try {
    eventReader(settingsOf(account), webhook);
  } catch (error) {
    if (!(error instanceof TelephonyError) || error.field !== 'url') throw error;
    throw new TelephonyError(error.code, error.said, { field: 'publicAddress' });
  }
}
