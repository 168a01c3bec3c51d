import {
  eventLog,
  type ReceiveEvent,
  receiveEvents,
  type TelephonySettings,
  type WebhookOptions,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { authTokenOf } from '../account/auth-token.ts';
import { forSingleSends } from '../action/single-sends.ts';
import { webhookUrl } from '../settings/event-settings.ts';
import { deliverToTriggers, log } from './deliver-to-triggers.ts';
import { deliveryLogOf } from './delivery-log.ts';

function newReceiver(
  account: Account,
  settings: TelephonySettings,
  webhook: WebhookOptions,
): ReceiveEvent {
  return receiveEvents(settings, {
    ...webhook,
    telephony: forSingleSends(account).telephony,
    deliveryLog: deliveryLogOf(),
    onEvent: deliverToTriggers,
    onOutcome: eventLog(log),
  });
}

const receivers = new WeakMap<Account, ReceiveEvent>();

/**
 * Returns the webhook receiver of an account.
 *
 * @throws {TelephonyError} if its settings are incomplete
 */
export async function receiverOf(account: Account): Promise<ReceiveEvent> {
  const known = receivers.get(account);
  if (known) return known;
  const settings = await account.settings();
  const authToken = await authTokenOf();
  const address = webhookUrl(account.configuration);
  const receiver =
    receivers.get(account) ?? newReceiver(account, settings, { url: address, authToken });
  receivers.set(account, receiver);
  return receiver;
}
