import db from '@saltcorn/data/db';
import {
  nodeHandler,
  openReceiver,
  type ServerRequest,
  type ServerResponse,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { eventPath } from './event-path.ts';
import { receiverOf } from './receiver.ts';

async function receive(account: Account, request: ServerRequest, response: ServerResponse) {
  const receiver = await openReceiver(() => receiverOf(account));
  return nodeHandler(receiver)(request, response);
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
