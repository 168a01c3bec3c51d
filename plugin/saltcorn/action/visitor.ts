import { IncomingMessage } from 'node:http';

/** A request to Saltcorn. */
export interface SaltcornRequest extends IncomingMessage {
  user?: { id: number; role_id: number };
  originalUrl: string;
  body?: Record<string, unknown>;
  sessionID?: string;
  app: { get(name: 'query parser fn'): (query: string) => Record<string, unknown> };
}

/** A response to a script of a page. */
export interface JsonResponse {
  status(code: number): JsonResponse;
  json(body: object): void;
}

/**
 * The request that an action runs for. Triggers and workflows have none: Saltcorn's scheduler passes a made-up one, and
 * a row can have any value under this name, because Saltcorn spreads rows over the arguments.
 */
export const requestOf = ({ req }: { req?: object }): SaltcornRequest | undefined =>
  isRequest(req) ? req : undefined;

const isRequest = (value?: object): value is SaltcornRequest => value instanceof IncomingMessage;

// Saltcorn's pages send this header with every request.
const isProgram = ({ originalUrl, headers }: SaltcornRequest) =>
  originalUrl.startsWith('/api/') && !headers['page-load-tag'];

/**
 * Identifies the visitor who waits for the result on a page, by user or by session if not logged in. Undefined for
 * clients of Saltcorn's API and for triggers: no one waits.
 */
export function visitorOf(request: SaltcornRequest | undefined): string | undefined {
  if (!request || isProgram(request)) return undefined;
  return request.user ? `user ${request.user.id}` : `session ${request.sessionID}`;
}
