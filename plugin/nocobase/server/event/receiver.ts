import { oncePer, type ReceiveEvent, receiveEvents } from '../../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { settingsOf } from '../account/stored-account.ts';
import { forSingleSends } from '../action/single-sends.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';
import { deliveryLogOf } from './delivery-logs.ts';
import type { EventWorkflows } from './event-workflows.ts';
import { logEvents } from './log-events.ts';
import { webhookOf } from './webhook.ts';

function newReceiver(
  app: Application,
  account: Account,
  workflows: EventWorkflows,
): ReceiveEvent | undefined {
  const webhook = webhookOf(account);
  return (
    webhook &&
    receiveEvents(settingsOf(account), {
      ...webhook,
      telephony: () => forSingleSends(account, nocobaseStore(app)),
      deliveryLog: deliveryLogOf(app, account.key),
      onOutcome: logEvents(app),
      onEvent: (event, options) => workflows.deliver(account, event, options),
    })
  );
}

/**
 * Returns the webhook receiver of an account, one per version of its settings; undefined if the account receives no
 * webhooks.
 *
 * @throws {TelephonyError} if its settings are invalid
 */
export const receivers = (app: Application, workflows: EventWorkflows) =>
  oncePer((account: Account) => newReceiver(app, account, workflows));
