import { parseUrl } from '../../parse-url.ts';
import { isLoopback } from '../../settings/check-settings.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { reencodeQuery } from './reencode-query.ts';

/** The address of events, as the service calls it. */
export interface PublicAddress {
  /** The query that belongs to it, with the question mark; empty without one. */
  search: string;
  /** As the service may have written it where it signed: with the port and without it. */
  spellings: readonly string[];
}

const standardPorts = new Map([
  ['https:', '443'],
  ['http:', '80'],
]);

/** The ways to encode a query: an apostrophe and a space have two each. */
const encodingsOf = (search: string) => [
  ...[search, search.replaceAll('%27', "'")].flatMap((one) => [one, one.replaceAll('+', '%20')]),
  reencodeQuery(search),
];

const refused = (sentence: string) =>
  new TelephonyError('settings', `The public URL ${sentence}`, { field: 'url' });

/**
 * The address at which the service reaches the app, and thereby what its requests are signed for. It is said once and never
 * taken from a request: whoever sends one can write any host into its headers.
 *
 * @param text the whole address, such as `https://app.example.com/telephony/events`
 * @throws {TelephonyError} with code `settings` when the service cannot or must not call it
 */
export function publicAddress(text: string): PublicAddress {
  const url = parseUrl(text);
  if (!url || !/^\s*\w+:\/\//.test(text))
    throw refused('must be a URL such as https://app.example.com/events.');
  if (url.username || url.password || url.hash)
    throw refused('must not contain credentials or "#".');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))
    throw refused('must start with https://.');
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
