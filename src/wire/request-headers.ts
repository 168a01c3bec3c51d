import { definitions } from '../../generated/definitions.ts';
import type { Endpoint } from './connection.ts';

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
