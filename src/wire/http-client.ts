import { Axios } from 'axios';
import { definitions } from '../../generated/definitions.ts';
import type { Endpoint } from './connection.ts';
import { headerNames, mediaHeaderNames } from './header-names.ts';
import { httpAdapter } from './http-adapter.ts';

const { id, version } = definitions.manifest;

const keptHeaders = [...Object.values(headerNames), ...mediaHeaderNames];

/**
 * Creates the axios client of an endpoint. Doesn't use `axios.create`: its defaults, such as sending and parsing JSON, aren't needed
 * and take as much time as the request itself. The adapter adds the credentials to each request, so that no error of axios can
 * hold them.
 */
export function openClient({ username, password, origin, limits }: Endpoint): Axios {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = {
    Accept: 'application/json',
    'Accept-Encoding': 'gzip, deflate, br',
    ...(password !== undefined && { Authorization: `Basic ${credentials}` }),
    'User-Agent': `${id}-plugin/${version}`,
  };
  const bodyHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const adapter = httpAdapter({ origin, headers, bodyHeaders, keptHeaders, limits });
  return new Axios({ adapter });
}
