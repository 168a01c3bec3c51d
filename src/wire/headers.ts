import { definitions } from '../../generated/definitions.ts';
import type { Endpoint } from './connection.ts';

/** The response headers that the plugin reads, in lower case. It drops all others. */
export const headerNames = {
  /** The id that the service's support asks for. */
  requestId: 'twilio-request-id',
  retryAfter: 'retry-after',
  /** The service's time. */
  date: 'date',
  /** The URL of audio that is stored elsewhere. */
  location: 'location',
} as const;

/** The headers that describe audio. They are passed on with it. */
export const mediaHeaderNames = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
] as const;

const keptNames = [...Object.values(headerNames), ...mediaHeaderNames];

/** Returns the headers that the plugin reads. */
export function pickHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptNames) {
    const value = headers[name];
    if (value?.length) kept[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return kept;
}

const { id, version } = definitions.manifest;

/** The headers of a request with a body. */
export const bodyHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Returns the headers of each request to an endpoint. */
export function requestHeaders({ username, password }: Endpoint): Record<string, string> {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  return {
    Accept: 'application/json',
    ...(password !== undefined && { Authorization: `Basic ${credentials}` }),
    'User-Agent': `${id}-plugin/${version}`,
  };
}
