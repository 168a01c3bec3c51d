import { TelephonyError } from '../../telephony-error.ts';
import type { DeliveryLog, EventIdentity } from './delivery-log.ts';
import type { EventOptions, EventOutcome, Reply } from './event-options.ts';
import { namedEvent } from './named-event.ts';
import { rememberSignature } from './remember-signature.ts';
import { type GivenReply, isReply } from './reply.ts';
import type { TelephonyEvent } from './telephony-event.ts';
import { busy, failed, received, replied, type WebhookResponse } from './webhook-response.ts';

const tooLate = new TelephonyError('input', 'It was too late: the service no longer waits for it.');
const polled = new TelephonyError('input', "An event that was polled can't be replied to.");

/** One event on its way to the app. */
export class EventDelivery {
  /** Whether it is known for good that it came, so that the service need not report it again. */
  isNoted = false;
  /** Whether its delivery failed. */
  #isFailed = false;
  readonly late = new AbortController();
  readonly #deadline: number;

  constructor(
    private readonly event: TelephonyEvent,
    private readonly note: EventIdentity,
    private readonly deliveryLog: DeliveryLog,
    private readonly options: Pick<EventOptions, 'onEvent'> & {
      onOutcome(outcome: EventOutcome): void;
      timeoutMs: number;
      /** Writes a reply; not there where the service waits for none. */
      writeReply?(event: TelephonyEvent, reply: GivenReply): string;
    },
  ) {
    this.#deadline = performance.now() + options.timeoutMs;
  }

  private fail(error: unknown): WebhookResponse {
    this.options.onOutcome({ outcome: 'failed', event: this.event, error });
    return failed();
  }

  /** Resolves when it was delivered, or to what is wrong. */
  async run(): Promise<WebhookResponse> {
    const { event, note, deliveryLog } = this;
    try {
      const known = await deliveryLog.begin(note);
      if (known === 'in-progress') return busy();
      this.isNoted = true;
      if (known === 'new') return await this.tell();
      // A polled event has no signature of its own.
      if (known === 'stale' && note.signature !== note.key)
        await rememberSignature(deliveryLog, note.signature);
      this.options.onOutcome({ outcome: known === 'delivered' ? 'duplicate' : known, event });
      return received();
    } catch (error) {
      return this.fail(error);
    }
  }

  private async tell(): Promise<WebhookResponse> {
    const { event, note, deliveryLog, options, late } = this;
    let reply: Reply;
    try {
      reply = await options.onEvent(event, {
        signal: late.signal,
        deadline: this.#deadline,
        identity: note,
        checkReply: (given) => void this.write(given),
      });
    } catch (error) {
      this.#isFailed = true;
      await deliveryLog.release(note);
      throw error;
    }
    this.options.onOutcome({ outcome: 'delivered', event });
    try {
      await deliveryLog.delivered(note);
    } catch (error) {
      // Told it is, also where that cannot be written down.
      this.fail(error);
    }
    return isReply(reply) ? this.answer(reply) : received();
  }

  private write(reply: GivenReply): string {
    const { writeReply } = this.options;
    if (!writeReply) throw polled;
    return writeReply(this.event, reply);
  }

  private answer(reply: GivenReply): WebhookResponse {
    const { event, late } = this;
    try {
      if (late.signal.aborted) throw tooLate;
      return replied(this.write(reply));
    } catch (error) {
      const message = `The reply to ${namedEvent(event)} was not sent. ${(error as Error).message}`;
      this.options.onOutcome({ outcome: 'reply-not-sent', event, reply, message });
      return received();
    }
  }

  /** The answer to give when the service has waited long enough. */
  giveUp(): WebhookResponse {
    // The memory may take its time to forget it.
    if (this.#isFailed) return failed();
    this.late.abort();
    return this.isNoted ? received() : busy();
  }
}
