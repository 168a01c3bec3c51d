import { Axios } from 'axios';
import type { Endpoint } from './connection.ts';
import { headerNames, mediaHeaderNames } from './header-names.ts';
import { httpAdapter } from './http-adapter.ts';
import { bodyHeaders, requestHeaders } from './request-headers.ts';

const keptHeaders = [...Object.values(headerNames), ...mediaHeaderNames];

/**
 * Creates the axios client of an endpoint. Doesn't use `axios.create`: its defaults, such as sending and parsing JSON, aren't needed
 * and take as much time as the request itself. The adapter adds the credentials to each request, so that no error of axios can
 * hold them.
 */
export function openClient(endpoint: Endpoint): Axios {
  const { origin, limits } = endpoint;
  const headers = { ...requestHeaders(endpoint), 'Accept-Encoding': 'gzip, deflate, br' };
  const adapter = httpAdapter({ origin, headers, bodyHeaders, keptHeaders, limits });
  return new Axios({ adapter });
}
