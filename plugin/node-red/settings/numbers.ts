import { type NumbersView, numberPress, numberWebhooks } from '../../../src/builder.ts';
import { runningAccount } from '../account/account.ts';
import { storeOf } from '../event/account-store.ts';
import { notDeployed } from '../event/event-report.ts';
import type { Handler, NodeRed, Request } from '../node-red.ts';
import { takesJsonOnly } from './connection-test.ts';
import { numbersPath } from './numbers-path.ts';

function numbersOf(RED: NodeRed, { params, body }: Request): Promise<NumbersView> {
  const account = runningAccount(params.account ?? '');
  if (!account) return Promise.resolve({ numbers: [], problem: notDeployed });
  const open = () => ({
    ...{ telephony: account.telephony(), settings: account.settings(), url: '' },
    ...account.webhook(),
    store: storeOf(account.id, RED),
  });
  return numberWebhooks(open, numberPress(body));
}

/**
 * Serves the numbers of deployed accounts with where their SMS and calls go, and the presses of their buttons. Requires the right to change
 * flows, like the connection test.
 */
export function registerNumbers(RED: NodeRed) {
  const handler: Handler = (request, response, next) => {
    numbersOf(RED, request).then((view) => response.json(view), next);
  };
  const guards = [RED.auth.needsPermission('flows.write'), takesJsonOnly];
  RED.httpAdmin.post(`${numbersPath}/:account`, ...guards, handler);
}
