import type { AxiosRequestConfig } from 'axios';
import { oncePer } from '../once-per.ts';
import type { Endpoint } from './connection.ts';
import type { Exchanged, ExchangeRequest, MediaBody } from './exchanged.ts';
import { requestHeaders } from './request-headers.ts';

/**
 * Returns a function that sends requests to an endpoint with axios. Loads axios with the first request, because it takes more time and
 * memory to load than the rest of this package.
 *
 * The adapter adds the credentials, so that no error of axios can hold them. It returns the response as data, because axios converts headers
 * one by one.
 */
export const clientOf = oncePer(async (endpoint: Endpoint) => {
  const [{ Axios }, { nodeSender }] = await Promise.all([
    import('axios'),
    import('./node-sender.ts'),
  ]);
  const { origin, limits } = endpoint;
  const send = nodeSender({ origin, limits, headers: requestHeaders(endpoint) });
  const client = new Axios({
    adapter: async (config) => {
      const data = await send(config as ExchangeRequest & typeof config);
      return { data, status: data.status, statusText: '', headers: {}, config };
    },
  });
  return async (request: ExchangeRequest) =>
    (await client.request<Exchanged<string | MediaBody>>(request as AxiosRequestConfig)).data;
});
