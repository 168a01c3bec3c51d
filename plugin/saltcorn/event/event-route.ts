import db from '@saltcorn/data/db';
import {
  nodeHandler,
  type ReceiveEvent,
  type ServerRequest,
  type ServerResponse,
  TelephonyError,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { eventPath } from './event-path.ts';
import { receiverOf } from './receiver.ts';

async function receiverFor(account: Account): Promise<ReceiveEvent | undefined> {
  try {
    return await receiverOf(account);
  } catch (error) {
    if (error instanceof TelephonyError) return undefined;
    throw error;
  }
}

async function receive(account: Account, request: ServerRequest, response: ServerResponse) {
  const receiver = await receiverFor(account);
  if (receiver) return nodeHandler(receiver)(request, response);
  response.writeHead(503, { 'content-type': 'text/plain' });
  response.end('Not received yet');
}

/**
 * Receives webhooks. They carry a signature, not the CSRF token of a Saltcorn page. The work runs outside of the
 * request: the results of triggers are no response to a page.
 */
export const eventRoute = (account: Account) => ({
  url: eventPath,
  method: 'post',
  noCsrf: true,
  callback: (request: ServerRequest, response: ServerResponse) =>
    db.runWithTenant(db.getTenantSchema(), () => receive(account, request, response)),
});
