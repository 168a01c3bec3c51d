import type { Connection } from './wire/connection.ts';
import type { RequestReport } from './wire/request-report.ts';

/** Which attempt it is. */
export type About = Pick<RequestReport, 'operation' | 'request' | 'attempt'>;

/** Sends a request and reports the attempt. A report that fails changes nothing. */
export async function observed<Reply extends object>(
  { onRequest }: Connection,
  about: About,
  send: () => Promise<Reply>,
): Promise<Reply> {
  if (!onRequest) return send();
  const began = performance.now();
  const reply = await send();
  const status = 'status' in reply && typeof reply.status === 'number' ? reply.status : undefined;
  try {
    onRequest({ ...about, status, durationMs: performance.now() - began });
  } catch {
    // A log that fails ends no request.
  }
  return reply;
}
