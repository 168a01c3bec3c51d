import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { checkSettings, isApiKey, type TelephonySettings } from '../../settings/check-settings.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { sentence } from '../../text/sentence.ts';
import type { Parameters } from '../deliver/event-files.ts';
import type { PublicAddress } from './public-address.ts';
import { hashEnding, type RequestContent } from './read-parameters.ts';
import { textOf, type WebhookRequest } from './webhook-request.ts';

/** The account of the events, and the key of their signatures. */
interface SigningAccount {
  accountSid: string;
  token: string;
}

// By the kind of the username, if it isn't the account itself.
const missingToken = {
  key: sentence(
    "Enter the Auth Token to receive events with an API key: the service signs webhooks with the Auth Token, not with the API key's secret.",
  ),
  mainAccount: sentence(
    "Enter the Auth Token to receive events of a subaccount: the service signs its webhooks with the subaccount's own Auth Token, not with that of the main account.",
  ),
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

/** The signature headers of the service and of a compatible one. The first that a request has counts. */
export const signatureHeaders: readonly string[] = ['x-twilio-signature', 'x-signalwire-signature'];

/** Returns the signature of a request; undefined if it has none, or several. */
export function signatureOf({ headers }: WebhookRequest): string | undefined {
  const signature = signatureHeaders.map((name) => headers[name]).find((one) => one !== undefined);
  return typeof signature === 'string' && signature !== '' ? signature : undefined;
}

/** Concatenates all names and values, sorted by name. */
const concatenate = (parameters: Parameters) =>
  [...parameters.keys()]
    .sort()
    .map((name) => (parameters.get(name) ?? []).map((value) => name + value).join(''))
    .join('');

const sign = (token: string, text: string) =>
  createHmac('sha1', token).update(text, 'utf8').digest('base64');

/** Compares in constant time. The length of a signature is no secret. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const hashOf = (body: WebhookRequest['body']) =>
  createHash('sha256')
    .update(textOf(body) ?? '')
    .digest('hex');

/**
 * Whether the service signed a request. The signature is the HMAC-SHA1, with the Auth Token, of the URL and the parameters. For JSON, it
 * is that of the URL, which ends in the hash of the body. Source: the service's documentation of webhook security.
 *
 * @param token the signing key
 * @param address the webhook URL, in all its spellings
 * @param signature the signature of the request
 * @param content the parameters, or the hash of the body
 * @param body the body, as received
 */
export function isSigned(
  token: string,
  { search, spellings }: PublicAddress,
  signature: string,
  { parameters, added, bodyHash }: RequestContent,
  body: WebhookRequest['body'],
): boolean {
  const text = added?.text ?? '';
  const rest = text + (bodyHash ? hashEnding(search + text, bodyHash) : concatenate(parameters));
  const matches = spellings.map((spelling) => isSame(signature, sign(token, spelling + rest)));
  return matches.includes(true) && (bodyHash === undefined || isSame(hashOf(body), bodyHash));
}
