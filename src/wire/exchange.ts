import { clientOf } from './client-of.ts';
import type { Endpoint } from './connection.ts';
import { exchangeWith } from './exchange-with.ts';
import { type Exchanged, type ExchangeRequest, type MediaBody, NoResponse } from './exchanged.ts';

// Other errors of axios don't say whether the request was sent, so it may have been.
function toNoResponse(error: NoResponse | { code?: string }): NoResponse {
  if (error instanceof NoResponse) return error;
  if (error.code === undefined) throw error;
  return new NoResponse(error.code, true);
}

/**
 * Sends a request once, with axios or the program's own HTTP function. Resolves to the response, whatever its status, or to the reason why
 * there is none. Never lets an error of axios out, because it could hold credentials.
 *
 * @param endpoint where to send it
 * @param request the request
 */
export async function exchange<Data extends string | MediaBody>(
  endpoint: Endpoint,
  request: ExchangeRequest,
): Promise<Exchanged<Data> | NoResponse> {
  if (endpoint.http)
    return (await exchangeWith(endpoint.http, endpoint, request)) as Exchanged<Data> | NoResponse;
  const send = await clientOf(endpoint);
  return (send(request) as Promise<Exchanged<Data>>).catch(toNoResponse);
}
