import { checkSettings, type TelephonySettings } from '../../settings/check-settings.ts';
import { TelephonyError } from '../../telephony-error.ts';

/** Whose events are received, and what they are signed by. */
interface SigningAccount {
  accountSid: string;
  token: string;
}

/**
 * The account of events. The service signs them by the Auth Token of the account itself: neither the secret of an API key
 * nor the Auth Token of the account above it will do. Compatible services can have a key of its own for that.
 *
 * @param settings the plugin's settings
 * @param authToken what events are signed by, where that is not the password
 * @throws {TelephonyError} with code `settings` and the `field` to fill in
 */
export function signingAccount(
  settings: TelephonySettings,
  authToken: string | null | undefined,
): SigningAccount {
  const { username, password, accountSid } = checkSettings(settings);
  const token = authToken || (username === accountSid ? password : undefined);
  if (!token)
    throw new TelephonyError(
      'settings',
      "Enter the Auth Token to receive events with an API key: the service signs webhooks with the Auth Token, not with the API key's secret.",
      { field: 'authToken' },
    );
  return { accountSid, token };
}
