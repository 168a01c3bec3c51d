import { Axios } from 'axios';
import { definitions } from '../../generated/definitions.ts';
import type { Place } from './connection.ts';
import { headerNames, mediaHeaderNames } from './header-names.ts';
import { httpAdapter } from './http-adapter.ts';

const { id, version } = definitions.manifest;

const kept = [...Object.values(headerNames), ...mediaHeaderNames];

/**
 * The axios that sends requests to a place. It is not made by `axios.create`, whose defaults, such as how to
 * send JSON and to read it, cost as much time as a request itself and have no use here. It knows no credentials: its
 * adapter adds them to what is sent, so that no error of axios's can hold them.
 */
export function openClient({ username, password, origin, limits }: Place): Axios {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = {
    Accept: 'application/json',
    'Accept-Encoding': 'gzip, deflate, br',
    ...(password !== undefined && { Authorization: `Basic ${credentials}` }),
    'User-Agent': `${id}-plugin/${version}`,
  };
  return new Axios({ adapter: httpAdapter({ origin, headers, kept, limits }) });
}
