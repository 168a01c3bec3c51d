import type { Field } from '../../../generated/definition-types.ts';
import { type EventId, eventDefinition } from '../../definition/event-definition.ts';
import { fieldTypes } from '../../field-types/field-types.ts';
import { TelephonyError } from '../../telephony-error.ts';

/** The text of a reply, as builders ask for it. */
export const replyField: Field = {
  key: 'text',
  in: 'form',
  name: '',
  type: 'text',
  label: 'Text',
  help: "The text of the reply. Don't repeat the sender's text: a sender can be forged.",
  required: true,
  multiline: true,
};

const wrong = (sentence: string) =>
  new TelephonyError('input', sentence, { field: replyField.key });

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
  readonly text: Promise<string | undefined>;
  readonly #event: EventId;
  #resolve: (text?: string) => void = () => {};

  /**
   * @param id by which it is found again; no other one has it
   * @param event the id of the event
   * @param late aborts when it is too late for a reply
   */
  constructor(
    readonly id: string,
    event: EventId,
    late: AbortSignal,
  ) {
    this.#event = event;
    this.text = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    waiting.set(id, this);
    late.addEventListener('abort', () => this.end(), { once: true });
  }

  /**
   * Replies.
   *
   * @throws {TelephonyError} with code `input` for what cannot be sent
   */
  reply(typed: unknown): void {
    const { maxLength = 0 } = eventDefinition(this.#event).reply ?? {};
    const text = fieldTypes[replyField.type].clean(typed ?? '');
    if (typeof text !== 'string') throw wrong(`"${replyField.label}" must be text.`);
    if (text.trim() === '') throw wrong(`"${replyField.label}" is empty. Enter the reply.`);
    if ([...text].length > maxLength)
      throw wrong(`"${replyField.label}" is too long. Use at most ${maxLength} characters.`);
    noteReplied(this.id);
    this.end(text);
  }

  /** Ends the wait, with a reply or without one. */
  end(text?: string): void {
    waiting.delete(this.id);
    this.#resolve(text);
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
  throw wrong(`${why} Send it as a new message instead.`);
}
