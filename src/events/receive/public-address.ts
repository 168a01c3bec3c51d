import { isLoopback } from '../../settings/check-settings.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';

/**
 * Encodes a query as Node's `querystring` does. Some servers sign it this way, and the service's official validator accepts
 * that. Two queries with the same names and values become the same text.
 *
 * @param search the query, with its question mark or without
 */
export function reencodeQuery(search: string): string {
  const grouped: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    grouped[name] ??= [];
    grouped[name].push(value);
  }
  const pairs = Object.entries(grouped).flatMap(([name, values]) =>
    values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** The webhook URL, as the service calls it. */
export interface PublicAddress {
  /** Its query, with the question mark; empty if it has none. */
  search: string;
  /** All spellings that the service may have signed: with and without the port, and in different encodings. */
  spellings: readonly string[];
}

const standardPorts = new Map([
  ['https:', '443'],
  ['http:', '80'],
]);

/** Returns the encodings of a query: an apostrophe and a space have two each. */
const encodingsOf = (search: string) => [
  ...[search, search.replaceAll('%27', "'")].flatMap((one) => [one, one.replaceAll('+', '%20')]),
  reencodeQuery(search),
];

/**
 * Checks the webhook URL, which the service signs with each request. It is never taken from a request, because a sender can put any
 * host into the headers.
 *
 * @param text the whole URL, such as `https://app.example.com/telephony/events`
 * @param field the name of the option, for the error
 * @throws {TelephonyError} with code `settings` if the service can't or must not call it
 */
export function publicAddress(text: string, field = 'url'): PublicAddress {
  const refused = (said: Sentence) => new TelephonyError('settings', said, { field });
  const url = parseUrl(text);
  if (!url || !/^\s*\w+:\/\/[^\t\r\n]*\s*$/.test(text))
    throw refused(sentence('The public URL must be a URL such as https://app.example.com/events.'));
  if (url.username || url.password || url.hash)
    throw refused(sentence('The public URL must not contain credentials or "#".'));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))
    throw refused(sentence('The public URL must start with https://.'));
  const { protocol, hostname, pathname, search } = url;
  const port = url.port || standardPorts.get(protocol);
  const entered = text.trim();
  const [, scheme = '', host = '', rest = ''] = /^([^/]*)\/\/([^/?]*)(.*)$/s.exec(entered) ?? [];
  const hosts = [hostname, host.replace(/:\d*$/, '')].flatMap((one) => [one, `${one}:${port}`]);
  const rests = [rest, ...encodingsOf(search).map((one) => pathname + one)];
  const spellings = [protocol, scheme].flatMap((start) =>
    hosts.flatMap((one) => rests.map((end) => `${start}//${one}${end}`)),
  );
  return {
    search: /\?.+/s.exec(rest)?.[0] ?? '',
    spellings: [...new Set([entered, ...spellings])],
  };
}

/**
 * Returns the public URL of a path in an app.
 *
 * @param publicAddress the public URL of the app; its query is kept, after the path
 * @param path the path, appended to that of the app
 */
export const addressBelow = (publicAddress: string, path: string): string =>
  publicAddress.trim().replace(/\/*(?=[?#]|$)/, path);
