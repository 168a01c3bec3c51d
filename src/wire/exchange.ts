import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import { clientOf } from './client-of.ts';
import type { Endpoint } from './connection.ts';
import { NoResponse } from './no-response.ts';

// Other errors of axios don't say whether the request was sent, so it may have been.
function toNoResponse(error: NoResponse | { code?: string }): NoResponse {
  if (error instanceof NoResponse) return error;
  if (error.code === undefined) throw error;
  return new NoResponse(error.code, true);
}

/**
 * Sends a request once with axios. Resolves to the response, whatever its status, or to the reason why there is none. Never lets an
 * error of axios out, because it could hold credentials.
 *
 * @param endpoint where to send it
 * @param config the request, as axios takes it; `abortSignal` aborts it
 */
export async function exchange<Data>(
  endpoint: Endpoint,
  config: Omit<AxiosRequestConfig, 'signal'>,
): Promise<AxiosResponse<Data> | NoResponse> {
  const client = await clientOf(endpoint);
  return client.request<Data>(config).catch(toNoResponse);
}
