import { checkOptions } from '../../input/check-options.ts';
import type { TelephonySettings } from '../../settings/check-settings.ts';
import { eventMemory } from '../deliver/delivery-log.ts';
import { type EventAnswer, failed, forbidden, received } from '../deliver/event-answer.ts';
import { EventDelivery } from '../deliver/event-delivery.ts';
import type { EventNote } from '../deliver/event-memory.ts';
import type { EventOptions, EventReport } from '../deliver/event-options.ts';
import { rememberSignature } from '../deliver/remember-signature.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';
import { within } from '../deliver/within.ts';
import { signatureOf } from './check-signature.ts';
import { type EventRequest, refusalSentences } from './event-request.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { type EventReading, eventReader } from './read-event.ts';

/** Receives one request, and resolves to the answer to it. */
export type ReceiveEvent = (request: EventRequest) => Promise<EventAnswer>;

/** What the options of a handler of events must be. */
export const handlerOptions = {
  tell: 'function',
  memory: 'object',
  patience: 'number',
  report: 'function',
} as const;
const eventOptions = { address: 'text', authToken: 'text', ...handlerOptions } as const;

/**
 * Receives events: refuses what the service did not send, tells the app of each event once and of each record's events in
 * order, and answers in time. What it refuses gets one and the same answer and does nothing else.
 *
 * @param settings the plugin's settings: whose events they are
 * @param options where they come, what they are signed by, and who is told
 * @returns a function that takes a request and resolves to the answer; it never rejects
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function receiveEvents(settings: TelephonySettings, options: EventOptions): ReceiveEvent {
  checkOptions(options, eventOptions, ['address', 'tell']);
  const read = eventReader(settings, options);
  const { memory = eventMemory(), patience = 10_000, tell } = options;
  const underWay = new Map<string, Promise<EventAnswer>>();
  const inTurn = oneAtATime();

  function report(what: EventReport) {
    try {
      options.report?.(what);
    } catch {
      // A log that fails takes no event away.
    }
  }

  // Anyone can send a request: none that cannot be read may end the program.
  function readSafely(request: EventRequest): EventReading {
    try {
      return read(request);
    } catch {
      return { outcome: 'refused', reason: 'form' };
    }
  }

  // The service signed it, though it is no event of ours.
  async function answerOnce(request: EventRequest, answer: EventAnswer) {
    try {
      await rememberSignature(memory, signatureOf(request) ?? '');
      return answer;
    } catch {
      return failed();
    }
  }

  function receive(event: TelephonyEvent, note: EventNote): Promise<EventAnswer> {
    const delivery = new EventDelivery(event, note, memory, { tell, report, patience });
    let isOver = () => {};
    const answered = new Promise<void>((resolve) => {
      isOver = resolve;
    });
    // Whoever comes next waits for the answer, not for an app that may never end.
    const told = inTurn(note.subject, answered, () => delivery.run());
    return within(patience, told, () => delivery.giveUp()).finally(isOver);
  }

  return async (request) => {
    const reading = readSafely(request);
    if (reading.outcome === 'refused') {
      const { reason } = reading;
      report({ ...reading, sentence: refusalSentences[reason] });
      return reason === 'account' ? answerOnce(request, forbidden()) : forbidden();
    }
    if (reading.outcome === 'other') {
      report(reading);
      return answerOnce(request, received());
    }
    const { event, note } = reading;
    const before = underWay.get(note.key);
    if (before) {
      report({ outcome: 'repeated', event });
      return before;
    }
    const answer = receive(event, note).finally(() => underWay.delete(note.key));
    underWay.set(note.key, answer);
    return answer;
  };
}
