import { request as open, validateHeaderName, validateHeaderValue } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import type { WebhookRequest } from '../../src/builder.ts';
import { type Forged, forgedRequests } from './forged.ts';
import { queryOf } from './signed.ts';

/** A builder's response. */
export interface Answered {
  status: number | undefined;
  body: string;
}

/**
 * Sends a request to a builder unchanged.
 *
 * @param url the builder's webhook URL
 * @param moreHeaders further headers
 */
export const postEvent = (
  url: string,
  { method = '', url: path = '', headers, body }: WebhookRequest,
  moreHeaders: Record<string, string> = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { host: _, ...own } = headers;
    const all = Object.entries({ ...own, ...moreHeaders }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...(value ?? [])],
    ]);
    // No kept-alive connection: a busy builder may just be closing it.
    open(url + queryOf(path), { method, headers: Object.fromEntries(all), agent: false })
      .on('error', reject)
      .on('response', (response) => {
        const { statusCode: status } = response;
        text(response).then((body) => resolve({ status, body }), reject);
      })
      .end(body);
  });

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    // HTTP trims values.
    return value === value.trim();
  } catch {
    return false;
  }
}

/** Whether HTTP transfers a request unchanged, so that it is still forged when it arrives. */
const isSendable = ({ request: { method, url, headers, body } }: Forged) =>
  /^[A-Z]+$/.test(method ?? '') &&
  (typeof body === 'string' || body instanceof Uint8Array) &&
  !('content-length' in headers) &&
  // HTTP drops an empty query.
  !/[^?]\?$/.test(url ?? '') &&
  // HTTP lowers the case of names.
  Object.keys(headers).every((name) => name === name.toLowerCase()) &&
  Object.entries(headers).every(([name, value]) =>
    typeof value === 'string' ? isHeader(name, value) : value?.length !== 1,
  );

const refused = 403;

/** Whether form parsers keep all parameters: some drop names such as `__proto__`, or empty ones. */
const isRead = ({ request: { body } }: Forged) =>
  [...new URLSearchParams(String(body)).keys()].every((name) => /^[A-Za-z]\w*$/.test(name));

/**
 * Sends forged requests to a builder, in all methods.
 *
 * @param readsForms whether the builder parses forms itself
 * @returns how the POST requests were forged, by the status of their response
 */
export async function postForged(
  url: string,
  address: string,
  { count = 1_000, seed = 4_711, readsForms = false } = {},
) {
  const { forged } = forgedRequests(address);
  const isForged = (one: Forged) => isSendable(one) && (!readsForms || isRead(one));
  const ways = new Map<number | undefined, Set<string>>();
  for (const { request, way } of fc.sample(forged.filter(isForged), { numRuns: count, seed })) {
    const { status } = await postEvent(url, request, { connection: 'close' }).catch((error) => {
      // The builder may close the connection before a request that is too large is sent.
      if (Buffer.byteLength(String(request.body)) < 100_000) throw error;
      return { status: refused };
    });
    if (request.method === 'POST') ways.set(status, (ways.get(status) ?? new Set()).add(way));
  }
  return ways;
}
