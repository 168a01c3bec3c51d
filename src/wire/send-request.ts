import type { AxiosResponse } from 'axios';
import type { Request } from '../request/build-request.ts';
import type { Connection } from './connection.ts';
import { exchange } from './exchange.ts';
import { headerNames } from './header-names.ts';
import { NoAnswer } from './no-answer.ts';
import { readRetryAfter } from './retry-after.ts';

/** An answer of the service, whatever its status. */
export interface Answer {
  status: number;
  text: string;
  requestId: string | undefined;
  /** In seconds. */
  retryAfter: number | undefined;
}

const textOf = (header: unknown) => (typeof header === 'string' ? header : undefined);

const toAnswer = ({ status, data, headers }: AxiosResponse<string>): Answer => ({
  status,
  text: data,
  requestId: textOf(headers[headerNames.requestId]),
  retryAfter: readRetryAfter(headers[headerNames.retryAfter]),
});

/**
 * Sends a request once and resolves to whatever the service answers, also a refusal, or to why there is no answer.
 * Follows no redirect, so that the credentials reach no other place.
 *
 * @param connection what it is sent with
 * @param request the request
 * @param signal stops it
 */
export async function sendRequest(
  connection: Connection,
  { method, url, body }: Request,
  signal: AbortSignal | undefined,
): Promise<Answer | NoAnswer> {
  const sent = performance.now();
  const response = await exchange<string>(connection, {
    ...{ method, url, signal },
    ...(body !== undefined && { data: body }),
  });
  if (response instanceof NoAnswer) return response;
  // What stands between may have a clock of its own.
  if (response.status < 300)
    connection.clock.learn(response.headers[headerNames.date], sent, performance.now());
  return toAnswer(response);
}
