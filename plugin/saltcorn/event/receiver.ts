import {
  type EventPlace,
  type EventReport,
  type ReceiveEvent,
  receiveEvents,
  type TelephonySettings,
} from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { authTokenOf } from '../account/auth-token.ts';
import { eventAddress } from '../settings/event-place.ts';
import { log, reportTold, tellTriggers } from './tell-triggers.ts';
import { toldEvents } from './told-events.ts';

function newReceiver(settings: TelephonySettings, place: EventPlace): ReceiveEvent {
  const logged = new Set<string>();
  function report(what: EventReport) {
    if (what.outcome === 'refused') {
      // Anyone can send requests: the log is not to be filled by them.
      if (!logged.has(what.reason)) log(what.sentence);
      logged.add(what.reason);
    }
    reportTold(what);
  }
  return receiveEvents(settings, {
    ...place,
    memory: toldEvents(),
    tell: tellTriggers(true),
    report,
  });
}

const receivers = new WeakMap<Account, ReceiveEvent>();

/**
 * Receives the events of an account.
 *
 * @throws {TelephonyError} when its settings do not say all that is needed for that
 */
export async function receiverOf(account: Account): Promise<ReceiveEvent> {
  const known = receivers.get(account);
  if (known) return known;
  const settings = await account.settings();
  const authToken = await authTokenOf();
  const address = eventAddress(account.configuration);
  const receiver = receivers.get(account) ?? newReceiver(settings, { address, authToken });
  receivers.set(account, receiver);
  return receiver;
}
