import { TelephonyError } from '../../telephony-error.ts';
import type { EventContext } from './event-options.ts';
import type { FilledReply } from './reply.ts';

const waiting = new Map<string, WaitingReply>();

/** What was replied to, for whoever replies again: the newest of them, since events come for ever. */
const replied = new Set<string>();
const mostReplied = 1_000;

function noteReplied(id: string) {
  replied.add(id);
  const [oldest] = replied;
  if (replied.size > mostReplied && oldest !== undefined) replied.delete(oldest);
}

/** Waits for the reply to a delivered event, until a flow or trigger of the builder gives it. */
export class WaitingReply {
  /** Resolves to the reply, or to nothing when there will be none. */
  readonly given: Promise<FilledReply | undefined>;
  readonly #check: EventContext['checkReply'];
  #resolve: (reply?: FilledReply) => void = () => {};

  /**
   * @param id by which it is found again; no other one has it
   * @param context what the handler of the event got
   */
  constructor(
    readonly id: string,
    { signal, checkReply }: Pick<EventContext, 'signal' | 'checkReply'>,
  ) {
    this.#check = checkReply;
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
   * @param input what it is filled in with
   * @throws {TelephonyError} with code `input` for what cannot be sent
   */
  reply(form: string, input: object): void {
    // The check says what is wrong with it.
    const filled = { form, input } as FilledReply;
    this.#check(filled);
    noteReplied(this.id);
    this.end(filled);
  }

  /** Ends the wait, with a reply or without one. */
  end(reply?: FilledReply): void {
    waiting.delete(this.id);
    this.#resolve(reply);
  }
}

/**
 * What waits for a reply.
 *
 * @throws {TelephonyError} with code `input` when it waits no longer, and why
 */
export function waitingReply(id: string): WaitingReply {
  const found = waiting.get(id);
  if (found) return found;
  const why = replied.has(id)
    ? 'This event was already answered.'
    : 'The reply is too late: the service no longer waits for it.';
  throw new TelephonyError('input', `${why} Send a message instead.`);
}
