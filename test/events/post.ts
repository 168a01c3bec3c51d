import { request as open, validateHeaderName, validateHeaderValue } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import type { WebhookRequest } from '../../src/builder.ts';
import { type Forged, forgedRequests } from './forged.ts';
import { queryOf } from './signed.ts';

/** What a builder answers. */
export interface Answered {
  status: number | undefined;
  body: string;
}

/**
 * Sends a request to a builder as it is, whatever it says of itself.
 *
 * @param url where the builder receives events
 * @param headers to be sent besides
 */
export const postEvent = (
  url: string,
  { method = '', url: path = '', headers, body }: WebhookRequest,
  besides: Record<string, string> = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { host: _, ...own } = headers;
    const all = Object.entries({ ...own, ...besides }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...(value ?? [])],
    ]);
    // A connection that was kept may just be closed by a builder that was busy for long.
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
    // HTTP takes spaces away from its ends.
    return value === value.trim();
  } catch {
    return false;
  }
}

/** Whether HTTP brings a request as it is, so that it is still forged when it comes. */
const isSendable = ({ request: { method, url, headers, body } }: Forged) =>
  /^[A-Z]+$/.test(method ?? '') &&
  (typeof body === 'string' || body instanceof Uint8Array) &&
  !('content-length' in headers) &&
  // A query that is empty is none.
  !/[^?]\?$/.test(url ?? '') &&
  // HTTP knows no capital letters in names.
  Object.keys(headers).every((name) => name === name.toLowerCase()) &&
  Object.entries(headers).every(([name, value]) =>
    typeof value === 'string' ? isHeader(name, value) : value?.length !== 1,
  );

const refused = 403;

/** Whether readers of forms leave nothing out: some make nothing of a name like `__proto__`, or of what is no name at all. */
const isRead = ({ request: { body } }: Forged) =>
  [...new URLSearchParams(String(body)).keys()].every((name) => /^[A-Za-z]\w*$/.test(name));

/**
 * Sends forged requests to a builder, in all methods.
 *
 * @param readsForms whether the builder reads forms by itself
 * @returns the ways in which those by POST were forged, by the status that they were answered with
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
      // One that is too large may find the connection closed before it is sent.
      if (Buffer.byteLength(String(request.body)) < 100_000) throw error;
      return { status: refused };
    });
    if (request.method === 'POST') ways.set(status, (ways.get(status) ?? new Set()).add(way));
  }
  return ways;
}
