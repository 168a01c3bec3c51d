import {
  type EventOutcome,
  eventLog,
  oncePer,
  type ReceiveEvent,
  receiveEvents,
  refusalSentences,
  type Said,
  sentence,
  TelephonyError,
} from '../../../src/builder.ts';
import type { AccountNode } from '../account/account.ts';
import { forSingleSends } from '../batch/batch-store.ts';
import type { NodeRed } from '../node-red.ts';
import { pollField, publicAddressField } from '../settings/event-settings.ts';
import { deliverToFlows } from './deliver-to-flows.ts';
import { deliveryLogOf } from './delivery-log.ts';

/** The last refused request, and why. */
export interface Refusal {
  at: Date;
  said: Said;
}

/** Receives the webhooks of an account and delivers them to its nodes. */
export interface Receiver {
  receive: ReceiveEvent;
  refused?: Refusal;
}

function newReceiver(account: AccountNode, RED: NodeRed): Receiver {
  const id = account.id;
  const warn = eventLog((text) => account.warn(text));
  function report(what: EventOutcome) {
    if (what.outcome === 'refused')
      receiver.refused = { at: new Date(), said: refusalSentences[what.reason] };
    warn(what);
  }
  const { label } = publicAddressField;
  const webhook = account.webhook();
  if (!webhook)
    throw new TelephonyError(
      'settings',
      sentence('To receive events, set “{label}” or “{other}” in the account.', {
        ...{ label: { text: label }, other: { text: pollField.label } },
      }),
    );
  const receiver: Receiver = {
    receive: receiveEvents(account.settings(), {
      ...webhook,
      telephony: () => forSingleSends(RED, id, account.telephony()),
      deliveryLog: deliveryLogOf(id, RED),
      onEvent: (event, options) => deliverToFlows(RED, id, event, options),
      onOutcome: report,
    }),
  };
  return receiver;
}

/**
 * Returns the webhook receiver of an account.
 *
 * @throws {TelephonyError} if its settings are incomplete
 */
export const receiverOf = oncePer(newReceiver);
