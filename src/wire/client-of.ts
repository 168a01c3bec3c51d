import type { AxiosAdapter } from 'axios';
import { oncePer } from '../async/once.ts';
import type { Endpoint } from './connection.ts';
import type { Exchanged, ExchangeRequest, MediaBody } from './exchanged.ts';
import { requestHeaders } from './headers.ts';

/**
 * Returns a function that sends requests to an endpoint with axios. Loads axios with the first request, because it takes more time and
 * memory to load than the rest of this package.
 *
 * Headers and bodies go to the adapter alone, and the whole response comes back as data: no error of axios can hold the credentials,
 * and axios takes longer to copy and convert them than for everything else.
 */
export const clientOf = oncePer(async (endpoint: Endpoint) => {
  const [{ Axios }, { nodeSender }] = await Promise.all([
    import('axios'),
    import('./node-sender.ts'),
  ]);
  const { origin, limits } = endpoint;
  const send = nodeSender({ origin, limits, headers: requestHeaders(endpoint) });
  const client = new Axios({});
  return async (request: ExchangeRequest) => {
    const { method = 'GET', url } = request;
    const adapter: AxiosAdapter = async (config) => {
      const data = await send(request);
      return { data, status: data.status, statusText: '', headers: {}, config };
    };
    return (await client.request<Exchanged<string | MediaBody>>({ method, url, adapter })).data;
  };
});
