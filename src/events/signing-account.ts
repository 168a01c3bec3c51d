import {
  checkSettings,
  settingsError,
  type TelephonySettings,
} from '../settings/check-settings.ts';

/** Whose events are received, and what they are signed by. */
interface SigningAccount {
  accountSid: string;
  token: string;
}

/**
 * The account of events. The service signs them by the Auth Token of the account itself: neither the secret of an API key
 * nor the Auth Token of the account above it will do. Compatible services can have a key of its own for that.
 *
 * @throws {TelephonyError} with code `settings` and the `field` to fill in
 */
export function signingAccount(settings: TelephonySettings): SigningAccount {
  const { username, password, accountSid, authToken } = checkSettings(settings);
  const token = authToken ?? (username === accountSid ? password : undefined);
  if (!token)
    throw settingsError(
      'authToken',
      'is needed for events, since the username is not the Account SID: the service signs them by the Auth Token of the account.',
    );
  return { accountSid, token };
}
