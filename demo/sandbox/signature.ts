import { createHash, createHmac } from 'node:crypto';

/** A parameter of a request and its value. */
export type Parameter = readonly [name: string, value: string];

/**
 * The `X-Twilio-Signature` of a form: the HMAC-SHA1 of the URL followed by each parameter and its value, sorted by name, in Base64.
 *
 * @param token the Auth Token of the account
 * @param url the URL with its query
 */
export function signForm(token: string, url: string, parameters: readonly Parameter[]): string {
  const distinct = new Map(parameters.map((pair) => [JSON.stringify(pair), pair]));
  const inOrder = [...distinct.values()].sort(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  return sign(token, url + inOrder.map((pair) => pair.join('')).join(''));
}

/** The URL for a JSON body, which contains the body's hash, and its signature, which covers only the URL. */
export function signJson(token: string, url: string, body: string) {
  const hash = createHash('sha256').update(body).digest('hex');
  const address = `${url}${url.includes('?') ? '&' : '?'}bodySHA256=${hash}`;
  return { address, signature: sign(token, address) };
}

function sign(token: string, text: string): string {
  return createHmac('sha1', token).update(Buffer.from(text, 'utf8')).digest('base64');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
