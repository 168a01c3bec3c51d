import { eventDefinition } from '../../definition/event-definition.ts';
import type { DeliveryLog, EventIdentity } from './delivery-log.ts';
import type { EventOptions, EventOutcome, Reply } from './event-options.ts';
import { rememberSignature } from './remember-signature.ts';
import type { TelephonyEvent } from './telephony-event.ts';
import { busy, failed, received, replied, type WebhookResponse } from './webhook-response.ts';

/** The answer that a reply makes; undefined where it cannot be sent. */
function answerWith({ id }: TelephonyEvent, reply: string): WebhookResponse | undefined {
  const form = eventDefinition(id).reply;
  return form && [...reply].length <= form.maxLength ? replied(form, reply) : undefined;
}

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
    return this.answer(typeof reply === 'string' && reply.trim() ? reply : undefined);
  }

  private answer(reply: string | undefined): WebhookResponse {
    const { event, late } = this;
    if (reply === undefined) return received();
    const answer = late.signal.aborted ? undefined : answerWith(event, reply);
    if (!answer) this.options.onOutcome({ outcome: 'reply-not-sent', event, reply });
    return answer ?? received();
  }

  /** The answer to give when the service has waited long enough. */
  giveUp(): WebhookResponse {
    // The memory may take its time to forget it.
    if (this.#isFailed) return failed();
    this.late.abort();
    return this.isNoted ? received() : busy();
  }
}
