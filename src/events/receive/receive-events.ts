import { notify } from '../../async/notify.ts';
import { within } from '../../async/within.ts';
import { eventDefinition, type Fields } from '../../definition/operation.ts';
import { noteReport, reportedOptOut } from '../../limits/opt-outs.ts';
import { checkOptions } from '../../settings/check-options.ts';
import { checkSettings, type TelephonySettings } from '../../settings/check-settings.ts';
import { emitStatusEvent } from '../../status/statuses.ts';
import { inEnglish } from '../../text/sentence.ts';
import { connectionOf } from '../../wire/connection.ts';
import { type EventIdentity, rememberSignature } from '../deliver/delivery-log.ts';
import { EventDelivery } from '../deliver/event-delivery.ts';
import { type EventOptions, type EventOutcome, handlerOptions } from '../deliver/event-options.ts';
import { countReply, writeReply } from '../deliver/reply.ts';
import { memoryDeliveryLog } from '../deliver/stored-delivery-log.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';
import {
  busy,
  failed,
  forbidden,
  received,
  type WebhookResponse,
} from '../deliver/webhook-response.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { type ReadEvent, requestReader } from './read-event.ts';
import { type GivenRequest, refusalSentences } from './webhook-request.ts';

/** Takes a request and resolves to its response. Never rejects. */
export type ReceiveEvent = (request: GivenRequest) => Promise<WebhookResponse>;

const eventOptions = {
  url: 'pasted',
  authToken: 'pasted',
  telephony: 'function',
  ...handlerOptions,
} as const;

/**
 * Receives events. Refuses requests that the service did not send, delivers each event once and the events of a record in order, and responds
 * in time. Refused requests all get the same response and have no other effect. Makes no requests.
 *
 * @param settings the plugin's settings
 * @param options the webhook URL, the handler, and the delivery log
 * @returns a function that takes a request and resolves to the response; it never rejects
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function receiveEvents(
  settings: Fields<TelephonySettings>,
  options: EventOptions,
): ReceiveEvent {
  const checked = checkOptions<EventOptions>(options, eventOptions, ['url', 'onEvent']);
  const {
    url,
    authToken,
    onEvent,
    telephony,
    deliveryLog = memoryDeliveryLog(),
    timeoutMs = 10_000,
  } = checked;
  const read = requestReader(settings, { url, authToken });
  const webhook = { url, cleanPhone: checkSettings(settings).cleanPhone };
  const inProgress = new Map<string, { signature: string; response: Promise<WebhookResponse> }>();
  /** The keys of the events in progress, by signature. The delivery log may not know them yet. */
  const keyOf = new Map<string, string>();
  const inSequence = oneAtATime();

  const onOutcome = (outcome: EventOutcome) => notify(checked.onOutcome, outcome);

  // The service signed the request, but it is no event, and no request with its signature may become one.
  async function respondOnce(signature: string, response: WebhookResponse) {
    try {
      await rememberSignature(deliveryLog, signature);
      return response;
    } catch {
      return failed();
    }
  }

  // The same event may arrive with another signature while it is being delivered.
  async function bindSignature(identity: EventIdentity, pending: Promise<WebhookResponse>) {
    const response = await pending;
    try {
      if ((await deliveryLog.begin(identity)) === 'new') await deliveryLog.release(identity);
      return response;
    } catch {
      return failed();
    }
  }

  /** Notes who opted out or in, so that batches know. */
  async function note({ id, record }: TelephonyEvent, { key }: EventIdentity): Promise<void> {
    const reported = reportedOptOut(eventDefinition(id), record);
    const connection = reported && telephony && connectionOf(await telephony());
    if (connection) await noteReport(connection, reported, key);
  }

  function receive(
    event: TelephonyEvent,
    identity: EventIdentity,
    leftMs: number,
  ): Promise<WebhookResponse> {
    const delivery = new EventDelivery(event, identity, deliveryLog, {
      ...{ onEvent, onOutcome, note, timeoutMs: leftMs },
      prepareReply: (of, reply) => writeReply(of, reply, webhook),
      countReply: async (of, reply, by) =>
        telephony && countReply(by ?? (await telephony()), of, reply, webhook.cleanPhone),
    });
    let end = () => {};
    const responded = new Promise<void>((resolve) => {
      end = resolve;
    });
    // The next event of the record waits for the response, not for the handler, which may never end.
    const delivered = inSequence(identity.subject, responded, () => delivery.run());
    return within(leftMs, delivered, () => delivery.timeOut()).finally(end);
  }

  function once(
    event: TelephonyEvent,
    identity: EventIdentity,
    leftMs = timeoutMs,
  ): Promise<WebhookResponse> {
    const { key, signature } = identity;
    const earlier = inProgress.get(key);
    if (earlier) {
      onOutcome({ outcome: 'duplicate', event });
      return earlier.signature === signature
        ? earlier.response
        : bindSignature(identity, earlier.response);
    }
    const response = receive(event, identity, leftMs).finally(() => inProgress.delete(key));
    inProgress.set(key, { signature, response });
    return response;
  }

  /** Delivers the events of a request one after another. The service sends it again if one of them failed. */
  async function all({ event, identity, also = [] }: ReadEvent & { also?: ReadEvent[] }) {
    const until = performance.now() + timeoutMs;
    let response = await once(event, identity);
    for (const one of also) {
      const left = Math.max(0, until - performance.now());
      const next = await once(one.event, one.identity, left);
      if (response.status === 200) response = next.status === 200 ? response : next;
    }
    return response;
  }

  return async (request) => {
    const { reading, signature } = read(request, new Date());
    if (reading.outcome === 'refused') {
      const { outcome, reason } = reading;
      onOutcome({ outcome, reason, message: inEnglish(refusalSentences[reason]) });
      return reading.isSigned ? respondOnce(signature, forbidden()) : forbidden();
    }
    if (reading.outcome === 'other') {
      onOutcome(reading);
      return respondOnce(signature, received());
    }
    const { event, identity } = reading;
    emitStatusEvent(Reflect.get(event.record, 'sid'));
    if ((keyOf.get(signature) ?? identity.key) !== identity.key) return busy();
    keyOf.set(signature, identity.key);
    try {
      return await all(reading);
    } finally {
      keyOf.delete(signature);
    }
  };
}
