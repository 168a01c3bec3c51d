import Crash from '@saltcorn/data/models/crash';
import {
  type EventOptions,
  type EventPlace,
  type EventReport,
  eventDefinition,
  namedEvent,
  type ReceiveEvent,
  receiveEvents,
  type TelephonySettings,
  WaitingReply,
} from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { authTokenOf } from '../account/auth-token.ts';
import { eventAddress } from '../settings/event-place.ts';
import { emitEvent } from './emit-event.ts';
import { eventPath } from './event-path.ts';
import { replyId } from './reply-id.ts';
import { toldEvents } from './told-events.ts';

const ignore = () => {};

const log = (sentence: string) =>
  void Crash.create(new Error(sentence), { url: eventPath, headers: {} }).catch(ignore);

/** Has the triggers of an event run, and resolves to the reply of one of them. */
const tell: EventOptions['tell'] = async (event, { signal, note }) => {
  const definition = eventDefinition(event.id);
  const waiting = definition.reply
    ? new WaitingReply(replyId(definition, { ...event.record }), event.id, signal)
    : undefined;
  // From then on the service believes that it was received.
  signal.addEventListener('abort', () => toldEvents.told(note).catch(ignore), { once: true });
  const emitted = emitEvent(event).then(() => waiting?.end());
  return waiting ? waiting.text : emitted;
};

function newReceiver(settings: TelephonySettings, place: EventPlace): ReceiveEvent {
  const logged = new Set<string>();
  function report(what: EventReport) {
    if (what.outcome === 'refused') {
      // Anyone can send requests: the log is not to be filled by them.
      if (!logged.has(what.reason)) log(what.sentence);
      logged.add(what.reason);
    }
    if (what.outcome === 'failed')
      log(`${namedEvent(what.event)} could not be told: ${(what.error as Error).message}`);
    if (what.outcome === 'unsent')
      log(`The reply to ${namedEvent(what.event)} came too late and was not sent.`);
  }
  return receiveEvents(settings, { ...place, memory: toldEvents, tell, report });
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
