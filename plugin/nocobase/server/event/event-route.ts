import { nodeHandler, openReceiver } from '../../../../src/builder.ts';
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
    if (account) return nodeHandler(await openReceiver(() => receiverOf(account)))(req, res);
    res.writeHead(404, { 'content-type': 'text/plain' });
    res.end('Not found');
  };
}
