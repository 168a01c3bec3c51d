import {
  type EventOutcome,
  eventLog,
  type ReceiveEvent,
  receiveEvents,
  TelephonyError,
} from '../../../src/builder.ts';
import type { AccountNode } from '../account/account.ts';
import type { NodeRed } from '../node-red.ts';
import { pollField, publicAddressField } from '../settings/event-place.ts';
import { deliverToFlows } from './deliver-to-flows.ts';
import { memoryOf } from './delivery-log.ts';

/** The last refused request, and why. */
export interface Refusal {
  at: Date;
  sentence: string;
}

/** Receives the webhooks of an account and delivers them to its nodes. */
export interface Receiver {
  receive: ReceiveEvent;
  refused?: Refusal;
}

// Receivers outlive nodes: a request may be in progress while an account is deployed again.
const receivers = new WeakMap<AccountNode, Receiver>();

function newReceiver(RED: NodeRed, account: AccountNode): Receiver {
  const id = account.id;
  const warn = eventLog((sentence) => account.warn(sentence));
  function report(what: EventOutcome) {
    if (what.outcome === 'refused') receiver.refused = { at: new Date(), sentence: what.message };
    warn(what);
  }
  const { label } = publicAddressField;
  const eventPlace = account.eventPlace();
  if (!eventPlace)
    throw new TelephonyError(
      'settings',
      `To receive events, set “${label}” or “${pollField.label}” in the account.`,
    );
  const receiver: Receiver = {
    receive: receiveEvents(account.settings(), {
      ...eventPlace,
      deliveryLog: memoryOf(RED, id),
      onEvent: (event, options) => deliverToFlows(RED, id, event, options, true),
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
export function receiverOf(RED: NodeRed, account: AccountNode): Receiver {
  const receiver = receivers.get(account) ?? newReceiver(RED, account);
  receivers.set(account, receiver);
  return receiver;
}
