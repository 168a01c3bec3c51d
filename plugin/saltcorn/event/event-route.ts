import db from '@saltcorn/data/db';
import {
  answerEvent,
  type EventResponse,
  type IncomingEvent,
  type ReceiveEvent,
  TelephonyError,
} from '../../../src/index.ts';
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

async function receive(account: Account, request: IncomingEvent, response: EventResponse) {
  const receiver = await receiverFor(account);
  if (receiver) return answerEvent(receiver, request, response);
  response.writeHead(503, { 'content-type': 'text/plain' });
  response.end('Not received yet');
}

/**
 * Where the service reports events. It has no token of a page of Saltcorn, but a signature. Nothing of it is done as a part of
 * the request: what triggers do is no answer to a page.
 */
export const eventRoute = (account: Account) => ({
  url: eventPath,
  method: 'post',
  noCsrf: true,
  callback: (request: IncomingEvent, response: EventResponse) =>
    db.runWithTenant(db.getTenantSchema(), () => receive(account, request, response)),
});
