import { clientOf } from './client-of.ts';
import type { Connection, Endpoint } from './connection.ts';
import { exchangeWith } from './exchange-with.ts';
import { type Exchanged, type ExchangeRequest, type MediaBody, NoResponse } from './exchanged.ts';
import { headerNames } from './headers.ts';
import { readRetryAfter } from './retry.ts';

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

/** A request without its credentials. */
export interface Request {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  /** The form-encoded body; undefined for a request without one. */
  body: string | undefined;
}

/** A response of the service, whatever its status. */
export interface ServiceResponse {
  status: number;
  text: string;
  requestId: string | undefined;
  /** In seconds. */
  retryAfter: number | undefined;
}

const toServiceResponse = ({ status, data, headers }: Exchanged<string>): ServiceResponse => ({
  status,
  text: data,
  requestId: headers[headerNames.requestId],
  retryAfter: readRetryAfter(headers[headerNames.retryAfter]),
});

/**
 * Sends a request once. Resolves to the response, whatever its status, or to the reason why there is none. Follows no redirect, so
 * that the credentials reach no other host.
 *
 * @param connection the account
 * @param request the request
 * @param signal aborts it
 */
export async function sendRequest(
  connection: Connection,
  { method, url, body }: Request,
  signal: AbortSignal | undefined,
): Promise<ServiceResponse | NoResponse> {
  const sentAt = performance.now();
  const response = await exchange<string>(connection, {
    method,
    url,
    data: body,
    abortSignal: signal,
  });
  if (response instanceof NoResponse) return response;
  // An error may come from a gateway, whose clock can differ.
  if (response.status < 300)
    connection.clock.update(response.headers[headerNames.date], sentAt, performance.now());
  return toServiceResponse(response);
}
