import { eventDefinition } from '../../definition/operation.ts';
import { hasUnknownOutcome } from '../../response/outcome.ts';
import type { Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { sentence } from '../../text/sentence.ts';
import {
  type DeliveryLog,
  type DeliveryState,
  type EventIdentity,
  rememberSignature,
} from './delivery-log.ts';
import type { EventOptions, EventOutcome, Reply } from './event-options.ts';
import { type GivenReply, isFaultyReply, isReply } from './reply.ts';
import { namedEvent, type TelephonyEvent } from './telephony-event.ts';
import { busy, failed, received, replied, type WebhookResponse } from './webhook-response.ts';

const tooLate = new TelephonyError(
  'input',
  sentence('The reply came too late: the service no longer waits for it.'),
);
const faulty = new TelephonyError(
  'input',
  sentence('A reply must be a text, or an object with a form and its input.'),
);
const unrecorded = new TelephonyError(
  'unavailable',
  sentence('The delivery log could not record the event, so the reply could be sent again later.'),
);

const states: readonly unknown[] = ['new', 'delivered', 'in-progress', 'stale'];

/** With another state, such as nothing, the service would not send the event again, and the app would never get it. */
function assertState(state: DeliveryState): void {
  if (states.includes(state)) return;
  throw new TelephonyError(
    'input',
    `The delivery log's function begin must return one of: ${states.join(', ')}.`,
  );
}

/** A checked reply: the response to the service, or a function that sends it to an event for which the service doesn't wait. */
export type PreparedReply = string | (() => Promise<unknown>);

/** The delivery of one event to the app. */
export class EventDelivery {
  /** Whether the event was recorded, and the handler has it if it is new, so that the service need not send it again. */
  #isReceived = false;
  /** Whether its delivery failed. */
  #isFailed = false;
  #isDelivered = false;
  /** Whether the handler has ended. */
  #hasEnded = false;
  /** The reply that was counted before the handler returned it. */
  #counted: { takeBack: (() => Promise<void>) | undefined } | undefined;
  #accept = () => {};
  /** Resolves when the handler has recorded the event as delivered, before its reply is ready. */
  readonly accepted = new Promise<void>((resolve) => {
    this.#accept = resolve;
  });
  readonly late = new AbortController();
  readonly #deadline: number;

  constructor(
    private readonly event: TelephonyEvent,
    private readonly identity: EventIdentity,
    private readonly deliveryLog: DeliveryLog,
    private readonly options: Pick<EventOptions, 'onEvent'> & {
      onOutcome(outcome: EventOutcome): void;
      timeoutMs: number;
      /** Stores what the plugin keeps of the event, before the app gets it. If it rejects, the app doesn't, until it arrives again. */
      note?(event: TelephonyEvent, identity: EventIdentity): Promise<void>;
      /** Checks a reply. Throws if it can't be sent. */
      prepareReply(event: TelephonyEvent, reply: GivenReply): PreparedReply;
      /**
       * Counts a reply that the service sends. Resolves to a function that takes it back, and rejects if a limit refuses it. What an action
       * sends is counted by the action.
       */
      countReply?(
        event: TelephonyEvent,
        reply: GivenReply,
        by?: Telephony,
      ): Promise<(() => Promise<void>) | undefined>;
    },
  ) {
    this.#deadline = performance.now() + options.timeoutMs;
  }

  private fail(error: unknown): WebhookResponse {
    this.options.onOutcome({ outcome: 'failed', event: this.event, error });
    return failed();
  }

  /** Delivers the event and resolves to the response. Never rejects. */
  async run(): Promise<WebhookResponse> {
    const { event, identity, deliveryLog } = this;
    try {
      const known = await deliveryLog.begin(identity);
      assertState(known);
      if (known === 'in-progress') return busy();
      if (known === 'new') return await this.deliver();
      this.#isReceived = true;
      // A polled event has no signature of its own.
      if (known === 'stale' && identity.signature !== identity.key)
        await rememberSignature(deliveryLog, identity.signature);
      this.options.onOutcome({ outcome: known === 'delivered' ? 'duplicate' : known, event });
      return received();
    } catch (error) {
      return this.fail(error);
    }
  }

  private async recordDelivered(): Promise<void> {
    if (this.#isDelivered) return;
    await this.deliveryLog.delivered(this.identity);
    this.#isDelivered = true;
  }

  private async deliver(): Promise<WebhookResponse> {
    const { event, identity, deliveryLog, options, late } = this;
    let reply: Reply;
    try {
      await options.note?.(event, identity);
      this.#isReceived = true;
      reply = await options.onEvent(event, {
        signal: late.signal,
        deadline: this.#deadline,
        identity,
        delivered: () => this.recordDelivered().then(this.#accept),
        checkReply: (given) => void this.prepare(given),
        countReply: (given, by) => this.count(given, by),
      });
      this.#hasEnded = true;
    } catch (error) {
      this.#isFailed = true;
      this.#hasEnded = true;
      await this.#counted?.takeBack?.();
      await deliveryLog.release(identity);
      throw error;
    }
    this.options.onOutcome({ outcome: 'delivered', event });
    try {
      await this.recordDelivered();
    } catch (error) {
      // The event was delivered, even if the delivery log can't record it.
      this.fail(error);
    }
    if (isReply(reply) || this.isFaulty(reply)) return this.respond(reply);
    await this.#counted?.takeBack?.();
    return received();
  }

  private async count(reply: GivenReply, by?: Telephony): Promise<void> {
    const takeBack = await this.options.countReply?.(this.event, reply, by);
    const isTooLate = this.#hasEnded || this.late.signal.aborted;
    // Only the first counts, because one is sent.
    if (isTooLate || this.#counted) await takeBack?.();
    else this.#counted = { takeBack };
    if (isTooLate) throw tooLate;
  }

  /** Whether the handler returned an invalid reply. For an event without replies, its return value doesn't matter. */
  private isFaulty(reply: unknown): boolean {
    return eventDefinition(this.event.id).replies !== undefined && isFaultyReply(reply);
  }

  private prepare(reply: unknown): PreparedReply {
    if (isFaultyReply(reply)) throw faulty;
    return this.options.prepareReply(this.event, reply as GivenReply);
  }

  private async respond(reply: unknown): Promise<WebhookResponse> {
    const { event, late } = this;
    try {
      const prepared = this.prepare(reply);
      if (typeof prepared === 'string') {
        if (late.signal.aborted) throw tooLate;
        const takeBack = this.#counted
          ? this.#counted.takeBack
          : await this.options.countReply?.(event, reply as GivenReply);
        if (!late.signal.aborted) return replied(prepared);
        await takeBack?.();
        throw tooLate;
      }
      if (!this.#isDelivered) throw unrecorded;
      await prepared();
    } catch (error) {
      const isUnknown = hasUnknownOutcome(error);
      const outcome = isUnknown ? 'reply-unknown' : 'reply-not-sent';
      const said = isUnknown
        ? `The outcome of the reply to ${namedEvent(event)} is unknown.`
        : `The reply to ${namedEvent(event)} was not sent.`;
      const message = `${said} ${(error as Error).message}`;
      this.options.onOutcome({ outcome, event, reply, message });
    }
    return received();
  }

  /** Aborts the signal of the handler and returns the response of a delivery that takes too long. */
  timeOut(): WebhookResponse {
    // The handler has failed, and only the delivery log is slow.
    if (this.#isFailed) return failed();
    this.late.abort();
    return this.#isReceived ? received() : busy();
  }
}
