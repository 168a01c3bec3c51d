import { checkSettings, isApiKey, type TelephonySettings } from '../../settings/check-settings.ts';
import { TelephonyError } from '../../telephony-error.ts';

/** The account of the events, and the key of their signatures. */
interface SigningAccount {
  accountSid: string;
  token: string;
}

// By the kind of the username, if it isn't the account itself.
const missingToken = {
  key: "Enter the Auth Token to receive events with an API key: the service signs webhooks with the Auth Token, not with the API key's secret.",
  mainAccount:
    "Enter the Auth Token to receive events of a subaccount: the service signs its webhooks with the subaccount's own Auth Token, not with that of the main account.",
};

/**
 * Returns the account of the events and the key of their signatures. The service signs with the Auth Token of the account itself, not with
 * the secret of an API key or the Auth Token of the parent account. A compatible service can have a separate signing key.
 *
 * @param settings the plugin's settings
 * @param authToken the key of the signatures, if it isn't the password
 * @throws {TelephonyError} with code `settings` and the `field` to fill in
 */
export function signingAccount(
  settings: TelephonySettings,
  authToken: string | null | undefined,
): SigningAccount {
  const { username, password, accountSid } = checkSettings(settings);
  const token = authToken || (username === accountSid ? password : undefined);
  if (!token)
    throw new TelephonyError('settings', missingToken[isApiKey(username) ? 'key' : 'mainAccount'], {
      field: 'authToken',
    });
  return { accountSid, token };
}
