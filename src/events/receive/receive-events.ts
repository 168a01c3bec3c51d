import { checkOptions } from '../../input/check-options.ts';
import { checkSettings, type TelephonySettings } from '../../settings/check-settings.ts';
import { emitStatusEvent } from '../../status/status-events.ts';
import type { EventIdentity } from '../deliver/delivery-log.ts';
import { EventDelivery } from '../deliver/event-delivery.ts';
import type { EventOptions, EventOutcome } from '../deliver/event-options.ts';
import { rememberSignature } from '../deliver/remember-signature.ts';
import { memoryDeliveryLog } from '../deliver/stored-delivery-log.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';
import {
  busy,
  failed,
  forbidden,
  received,
  type WebhookResponse,
} from '../deliver/webhook-response.ts';
import { within } from '../deliver/within.ts';
import { writeReply } from '../deliver/write-reply.ts';
import { signatureOf } from './check-signature.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { type EventReading, eventReader } from './read-event.ts';
import { refusalMessages, type WebhookRequest, withLowerCaseHeaders } from './webhook-request.ts';

/** Takes a request and resolves to its response. Never rejects. */
export type ReceiveEvent = (request: WebhookRequest) => Promise<WebhookResponse>;

/** What the options of a handler of events must be. */
export const handlerOptions = {
  onEvent: 'function',
  deliveryLog: ['begin', 'delivered', 'release'],
  timeoutMs: 'milliseconds',
  onOutcome: 'function',
} as const;
const eventOptions = { url: 'text', authToken: 'text', ...handlerOptions } as const;

/**
 * Receives events: refuses what the service did not send, delivers each event once and each record's events in order, and responds
 * in time. Refused requests all get the same response and have no other effect. Makes no requests.
 *
 * @param settings the plugin's settings: whose events they are
 * @param options the webhook URL, the handler, and the delivery log
 * @returns a function that takes a request and resolves to the response; it never rejects
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function receiveEvents(settings: TelephonySettings, options: EventOptions): ReceiveEvent {
  const checked = checkOptions<EventOptions>(options, eventOptions, ['url', 'onEvent']);
  const {
    url,
    authToken,
    onEvent,
    deliveryLog = memoryDeliveryLog(),
    timeoutMs = 10_000,
  } = checked;
  const read = eventReader(settings, { url, authToken });
  const place = { url: url.trim(), cleanPhone: checkSettings(settings).cleanPhone };
  const underWay = new Map<string, { signature: string; answer: Promise<WebhookResponse> }>();
  /** The key of the event that has a signature, while it is delivered: the delivery log may not know it yet. */
  const keyOf = new Map<string, string>();
  const inTurn = oneAtATime();

  function onOutcome(what: EventOutcome) {
    try {
      checked.onOutcome?.(what);
    } catch {
      // A log that fails takes no event away.
    }
  }

  // Anyone can send a request: none that cannot be read may end the program.
  function readSafely(given: WebhookRequest): { reading: EventReading; signature: string } {
    try {
      const request = withLowerCaseHeaders(given);
      return { reading: read(request), signature: signatureOf(request) ?? '' };
    } catch {
      return { reading: { outcome: 'refused', reason: 'form' }, signature: '' };
    }
  }

  // The service signed it, though it is no event of ours.
  async function answerOnce(signature: string, answer: WebhookResponse) {
    try {
      await rememberSignature(deliveryLog, signature);
      return answer;
    } catch {
      return failed();
    }
  }

  // The same event may come with another signature while it is delivered.
  async function bindSignature(identity: EventIdentity, answered: Promise<WebhookResponse>) {
    const answer = await answered;
    try {
      if ((await deliveryLog.begin(identity)) === 'new') await deliveryLog.release(identity);
      return answer;
    } catch {
      return failed();
    }
  }

  function receive(event: TelephonyEvent, identity: EventIdentity): Promise<WebhookResponse> {
    const delivery = new EventDelivery(event, identity, deliveryLog, {
      ...{ onEvent, onOutcome, timeoutMs },
      writeReply: (of, reply) => writeReply(of, reply, place),
    });
    let isOver = () => {};
    const answered = new Promise<void>((resolve) => {
      isOver = resolve;
    });
    // Whoever comes next waits for the answer, not for an app that may never end.
    const told = inTurn(identity.subject, answered, () => delivery.run());
    return within(timeoutMs, told, () => delivery.giveUp()).finally(isOver);
  }

  function once(event: TelephonyEvent, identity: EventIdentity): Promise<WebhookResponse> {
    const { key, signature } = identity;
    const before = underWay.get(key);
    if (before) {
      onOutcome({ outcome: 'duplicate', event });
      return before.signature === signature
        ? before.answer
        : bindSignature(identity, before.answer);
    }
    const answer = receive(event, identity).finally(() => underWay.delete(key));
    underWay.set(key, { signature, answer });
    return answer;
  }

  return async (request) => {
    const { reading, signature } = readSafely(request);
    if (reading.outcome === 'refused') {
      const { outcome, reason } = reading;
      onOutcome({ outcome, reason, message: refusalMessages[reason] });
      return reading.isSigned ? answerOnce(signature, forbidden()) : forbidden();
    }
    if (reading.outcome === 'other') {
      onOutcome(reading);
      return answerOnce(signature, received());
    }
    const { event, identity } = reading;
    emitStatusEvent(Reflect.get(event.record, 'sid'));
    if ((keyOf.get(signature) ?? identity.key) !== identity.key) return busy();
    keyOf.set(signature, identity.key);
    try {
      return await once(event, identity);
    } finally {
      keyOf.delete(signature);
    }
  };
}
