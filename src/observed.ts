import { notify } from './notify.ts';
import type { Connection } from './wire/connection.ts';
import type { RequestReport } from './wire/request-report.ts';

/** The operation, request and number of an attempt. */
export type Attempt = Pick<RequestReport, 'operation' | 'request' | 'attempt'>;

/** Sends a request and reports the attempt to `onRequest`. */
export async function observed<Response extends object>(
  { onRequest }: Connection,
  attempt: Attempt,
  send: () => Promise<Response>,
): Promise<Response> {
  if (!onRequest) return send();
  const startedAt = performance.now();
  const response = await send();
  const status =
    'status' in response && typeof response.status === 'number' ? response.status : undefined;
  notify(onRequest, { ...attempt, status, durationMs: performance.now() - startedAt });
  return response;
}
