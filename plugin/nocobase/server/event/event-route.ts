import { nodeHandler } from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import type { Application, Middleware } from '../nocobase.ts';
import { accountAt } from './event-path.ts';
import type { EventWorkflows } from './event-workflows.ts';
import { receivers } from './receiver.ts';

/**
 * Receives webhooks. They carry a signature over the raw request and no session, so this middleware runs before any
 * that read the body or authenticate.
 */
export function eventRoute(
  app: Application,
  accounts: Accounts,
  workflows: EventWorkflows,
): Middleware {
  const receiverOf = receivers(app, workflows);
  return async (context, next) => {
    const key = accountAt(context.path);
    if (key === undefined) return next();
    const { req, res } = context;
    context.respond = false;
    const account = key === '' ? undefined : await accounts.find(key);
    const receiver = account && receiverOf(account);
    if (receiver) return nodeHandler(receiver)(req, res);
    res.writeHead(account ? 503 : 404, { 'content-type': 'text/plain' });
    res.end(account ? 'Not received yet' : 'Not found');
  };
}
