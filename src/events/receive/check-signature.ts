import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { PublicAddress } from './public-address.ts';
import { hashEnding, type Parameters, type Said } from './read-parameters.ts';
import { textOf, type WebhookRequest } from './webhook-request.ts';

/** Where the service writes it, and where a compatible one does; the first that is there counts. */
const headerNames = ['x-twilio-signature', 'x-signalwire-signature'];

/** The signature that a request came with; undefined without one, or with several. */
export function signatureOf({ headers }: WebhookRequest): string | undefined {
  const signature = headerNames.map((name) => headers[name]).find((one) => one !== undefined);
  return typeof signature === 'string' && signature !== '' ? signature : undefined;
}

/** All names with their values, sorted, with nothing between them. */
const written = (parameters: Parameters) =>
  [...parameters.keys()]
    .sort()
    .map((name) => (parameters.get(name) ?? []).map((value) => name + value).join(''))
    .join('');

const sign = (token: string, text: string) =>
  createHmac('sha1', token).update(text, 'utf8').digest('base64');

/** How long it takes says nothing of where two texts differ. The length of a signature is no secret. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const hashOf = (body: WebhookRequest['body']) =>
  createHash('sha256')
    .update(textOf(body) ?? '')
    .digest('hex');

/**
 * Whether the service signed a request: HMAC-SHA1, by the Auth Token, of the address and the parameters; of JSON, of the
 * address that ends in the hash of the body. Source: the service's documentation of webhook security.
 *
 * @param token what it is signed by
 * @param address what it is signed for, with its port or without
 * @param signature what it came with
 * @param said what was read of it
 * @param body as it arrived
 */
export function isSigned(
  token: string,
  { search, spellings }: PublicAddress,
  signature: string,
  { parameters, bodyHash }: Said,
  body: WebhookRequest['body'],
): boolean {
  const rest = bodyHash ? hashEnding(search, bodyHash) : written(parameters);
  const fits = spellings.map((spelling) => isSame(signature, sign(token, spelling + rest)));
  return fits.includes(true) && (bodyHash === undefined || isSame(hashOf(body), bodyHash));
}
