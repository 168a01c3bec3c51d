import { TelephonyError } from '../../telephony-error.ts';
import { sentence, sentences } from '../../text/sentence.ts';
import type { EventContext } from './event-options.ts';
import type { FilledReply } from './reply.ts';

const waiting = new Map<string, WaitingReply>();

/** The newest events that were replied to, so that a second reply gets the right error. */
const replied = new Set<string>();
const maxReplied = 1_000;

function rememberReplied(id: string) {
  replied.add(id);
  const [oldest] = replied;
  if (replied.size > maxReplied && oldest !== undefined) replied.delete(oldest);
}

/** The error of a reply to an event that no longer waits for one. @param isReplied whether it has a reply */
export function noLongerWaiting(isReplied: boolean): TelephonyError {
  const why = isReplied
    ? sentence('This event already has a reply.')
    : sentence('The reply is too late: the service no longer waits for it.');
  return new TelephonyError('input', sentences(why, sentence('Send a message instead.')));
}

/** Waits until a flow or trigger of the builder replies to a delivered event. */
export class WaitingReply {
  /** Resolves to the reply, or to undefined if there will be none. */
  readonly given: Promise<FilledReply | undefined>;
  readonly #check: EventContext['checkReply'];
  readonly #count: EventContext['countReply'];
  #hasEnded = false;
  #resolve: (reply?: FilledReply) => void = () => {};

  /**
   * @param id a unique id, with which `waitingReply` finds it
   * @param context the second argument of the event's handler
   */
  constructor(
    readonly id: string,
    context: Pick<EventContext, 'signal' | 'checkReply' | 'countReply'>,
  ) {
    const { signal, checkReply, countReply } = context;
    this.#check = checkReply;
    this.#count = countReply;
    this.given = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    waiting.set(id, this);
    signal.addEventListener('abort', () => this.end(), { once: true });
  }

  /**
   * Replies.
   *
   * @param form the id of one of the event's forms
   * @param input the values of its fields
   * @throws {TelephonyError} with code `input` if the reply can't be sent, or `limit-reached`
   */
  async reply(form: string, input: object): Promise<void> {
    // The check rejects an unknown form and wrong values.
    const filled = { form, input } as FilledReply;
    this.#check(filled);
    // Another reply that comes while this one is counted is the second.
    waiting.delete(this.id);
    rememberReplied(this.id);
    try {
      await this.#count(filled);
    } catch (error) {
      replied.delete(this.id);
      if (!this.#hasEnded) waiting.set(this.id, this);
      throw error;
    }
    this.end(filled);
  }

  /** Ends the wait, with a reply or without one. */
  end(reply?: FilledReply): void {
    waiting.delete(this.id);
    this.#hasEnded = true;
    this.#resolve(reply);
  }
}

/**
 * Returns the event that waits for a reply.
 *
 * @throws {TelephonyError} with code `input` if it no longer waits, with the reason
 */
export function waitingReply(id: string): WaitingReply {
  const found = waiting.get(id);
  if (found) return found;
  throw noLongerWaiting(replied.has(id));
}
