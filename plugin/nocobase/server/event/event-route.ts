import { nodeHandler } from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import type { Application, Middleware } from '../nocobase.ts';
import { accountAt } from './event-path.ts';
import type { EventWorkflows } from './event-workflows.ts';
import { receivers } from './receiver.ts';

/**
 * Where the service reports events. It has no session, but a signature over what it sends: so it comes before all that reads a
 * request or asks who sent it.
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
