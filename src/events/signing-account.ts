import {
  checkSettings,
  settingsError,
  type TelephonySettings,
} from '../settings/check-settings.ts';

/** Whose events are received, and what they are signed by. */
export interface SigningAccount {
  accountSid: string;
  token: string;
}

/**
 * The account of events. The service signs them by the Auth Token of the account; the secret of an API key signs nothing.
 *
 * @throws {TelephonyError} with code `settings` and the `field` to fill in
 */
export function signingAccount(settings: TelephonySettings): SigningAccount {
  const { username, password, accountSid, authToken } = checkSettings(settings);
  if (!authToken && /^SK/.test(username))
    throw settingsError(
      'authToken',
      'is needed for events, since the username is an API key (SK…): the service signs them by the Auth Token of the account.',
    );
  return { accountSid, token: authToken ?? password };
}
