import { IncomingMessage } from 'node:http';

/** A request to Saltcorn. */
export interface SaltcornRequest extends IncomingMessage {
  user?: { id: number; role_id: number };
  originalUrl: string;
  sessionID?: string;
  app: { get(name: 'query parser fn'): (query: string) => Record<string, unknown> };
}

/**
 * The request that an action is run for. Triggers and workflows have none: what Saltcorn's scheduler hands over in its
 * place is made up, and a row can hold anything under this name, since Saltcorn spreads rows over the arguments.
 */
export const requestOf = ({ req }: { req?: object }): SaltcornRequest | undefined =>
  isRequest(req) ? req : undefined;

const isRequest = (value?: object): value is SaltcornRequest => value instanceof IncomingMessage;

// The pages of Saltcorn send the header with all that they ask for.
const isProgram = ({ originalUrl, headers }: SaltcornRequest) =>
  originalUrl.startsWith('/api/') && !headers['page-load-tag'];

/**
 * Who clicked and waits for the result on a page: the same name for the same user, or for the same session of
 * someone who is not logged in. Undefined if no one waits: for a program that calls Saltcorn's API, and for a trigger.
 */
export function visitorOf(request: SaltcornRequest | undefined): string | undefined {
  if (!request || isProgram(request)) return undefined;
  return request.user ? `user ${request.user.id}` : `session ${request.sessionID}`;
}
