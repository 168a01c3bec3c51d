import { eventDefinition } from '../../definition/event-definition.ts';
import { busy, type EventAnswer, failed, received, replied } from './event-answer.ts';
import type { EventMemory, EventNote } from './event-memory.ts';
import type { EventOptions, EventReport, Reply } from './event-options.ts';
import { rememberSignature } from './remember-signature.ts';
import type { TelephonyEvent } from './telephony-event.ts';

/** The answer that a reply makes; undefined where it cannot be sent. */
function answerWith({ id }: TelephonyEvent, reply: string): EventAnswer | undefined {
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
  readonly #until: number;

  constructor(
    private readonly event: TelephonyEvent,
    private readonly note: EventNote,
    private readonly memory: EventMemory,
    private readonly options: Pick<EventOptions, 'tell'> & {
      report(report: EventReport): void;
      patience: number;
    },
  ) {
    this.#until = performance.now() + options.patience;
  }

  private fail(error: unknown): EventAnswer {
    this.options.report({ outcome: 'failed', event: this.event, error });
    return failed();
  }

  /** Resolves when it was delivered, or to what is wrong. */
  async run(): Promise<EventAnswer> {
    const { event, note, memory } = this;
    try {
      const known = await memory.note(note);
      if (known === 'under-way') return busy();
      this.isNoted = true;
      if (known === 'new') return await this.tell();
      // A polled event has no signature of its own.
      if (known === 'late' && note.signature !== note.key)
        await rememberSignature(memory, note.signature);
      this.options.report({ outcome: known === 'told' ? 'repeated' : known, event });
      return received();
    } catch (error) {
      return this.fail(error);
    }
  }

  private async tell(): Promise<EventAnswer> {
    const { event, note, memory, options, late } = this;
    let reply: Reply;
    try {
      reply = await options.tell(event, { signal: late.signal, until: this.#until, note });
    } catch (error) {
      this.#isFailed = true;
      await memory.forget(note);
      throw error;
    }
    this.options.report({ outcome: 'told', event });
    try {
      await memory.told(note);
    } catch (error) {
      // Told it is, also where that cannot be written down.
      this.fail(error);
    }
    return this.answer(typeof reply === 'string' && reply.trim() ? reply : undefined);
  }

  private answer(reply: string | undefined): EventAnswer {
    const { event, late } = this;
    if (reply === undefined) return received();
    const answer = late.signal.aborted ? undefined : answerWith(event, reply);
    if (!answer) this.options.report({ outcome: 'unsent', event, reply });
    return answer ?? received();
  }

  /** The answer to give when the service has waited long enough. */
  giveUp(): EventAnswer {
    // The memory may take its time to forget it.
    if (this.#isFailed) return failed();
    this.late.abort();
    return this.isNoted ? received() : busy();
  }
}
