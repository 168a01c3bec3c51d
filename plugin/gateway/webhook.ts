import { createHmac, randomBytes } from 'node:crypto';
import { type LookupAddress, lookup } from 'node:dns';
import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl, TelephonyError } from '../../src/builder.ts';

/** How long a receiver may take, in milliseconds. */
const timeoutMs = 15_000;

/** All URLs are read for each event. */
const longestUrl = 2_000;

const prefix = 'whsec_';

/** Creates a secret that signs events, as Standard Webhooks writes it. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Returns the headers by which a receiver checks an event: https://www.standardwebhooks.com. */
export function signedHeaders(id: string, at: number, body: string, secret: string) {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

const isLoopback = (host: string) =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

/** The IPv6 addresses of the internet. Others lead elsewhere, such as ::7f00:1, which has 127.0.0.1 in it. */
const global = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one of the internet, and not of this machine, its network or a special purpose. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const read = ipaddr.process(address);
  return read.range() === 'unicast' && (read.kind() === 'ipv4' || read.match(global));
}

const privateText = (host: string) =>
  `${host} is a private address. Whoever runs the gateway can allow those: TELEPHONY_PRIVATE_WEBHOOKS=true.`;

/**
 * Reads the URL of a receiver.
 *
 * @throws {TelephonyError} with code `input` if events may not be sent to it
 */
export function readReceiver(given: unknown, allowsPrivate: boolean): string {
  const url = typeof given === 'string' && given.length <= longestUrl ? parseUrl(given) : undefined;
  const refused = (sentence: string) => new TelephonyError('input', sentence, { field: 'url' });
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(hostOf(url)));
  if (!url || !isSafe || url.username || url.password || url.hash)
    throw refused(
      'Enter the https URL of your receiver, without a password, such as https://app.example.com/events.',
    );
  const host = hostOf(url);
  if (!allowsPrivate && (isLoopback(host) || (isIP(host) && !isPublic(host))))
    throw refused(privateText(host));
  return url.href;
}

/** Resolves a name once, and connects only to what was checked: a second answer of its DNS server could be a private address. */
export const lookupPublic: LookupFunction = (host, options, done) => {
  const checked = (error: NodeJS.ErrnoException | null, found: LookupAddress[] = []) => {
    const refused = found.some(({ address }) => !isPublic(address));
    const [first] = found;
    if (error || refused || !first) done(error ?? new Error(privateText(host)), '', 0);
    else if (options.all) done(null, found);
    else done(null, first.address, first.family);
  };
  lookup(host, { ...options, all: true }, checked);
};

/** What a receiver answered to an event. */
export interface Receipt {
  status?: number;
  /** Why it has no status. */
  problem?: string;
}

/** Sends an event to a receiver. Follows no redirect, because that could lead anywhere. Never rejects. */
export async function sendToReceiver(
  url: string,
  body: string,
  headers: Record<string, string>,
  allowsPrivate: boolean,
): Promise<Receipt> {
  try {
    // The setting may have changed, and no name is looked up for an address.
    readReceiver(url, allowsPrivate);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  const options: RequestOptions = {
    ...{ method: 'POST', agent: false, signal: AbortSignal.timeout(timeoutMs) },
    headers: {
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      ...headers,
    },
    ...(!allowsPrivate && { lookup: lookupPublic }),
  };
  return new Promise((resolve) => {
    const sent = request(url, options, (response) => {
      const { statusCode: status = 0 } = response;
      resolve({ status });
      // What it says doesn't matter.
      response.destroy();
    });
    sent.on('error', ({ name, message }) =>
      resolve({
        problem: name === 'AbortError' ? `no answer within ${timeoutMs / 1_000} s` : message,
      }),
    );
    // Node closes the connection of a receiver that wants another protocol, and reports neither an error nor a response.
    sent.on('close', () => resolve({ problem: 'no answer' }));
    sent.end(body);
  });
}
