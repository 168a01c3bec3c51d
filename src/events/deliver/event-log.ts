import type { EventOutcome } from './event-options.ts';
import { namedEvent } from './telephony-event.ts';

/** Returns the sentence for the owner of an app about an outcome; undefined if none is needed. */
export function outcomeSentence(outcome: EventOutcome): string | undefined {
  switch (outcome.outcome) {
    case 'failed':
      return `${namedEvent(outcome.event)} was not delivered: ${(outcome.error as Error).message}`;
    case 'reply-not-sent':
    case 'reply-unknown':
    case 'refused':
    case 'cursor-reset':
    case 'postponed':
    case 'unreadable':
      return outcome.message;
    default:
      return undefined;
  }
}

/**
 * Returns a function that logs the outcomes that the owner of an app should know. Logs each reason for a refusal once, because anyone can
 * send requests and fill the log.
 *
 * @param log writes a sentence
 */
export function eventLog(
  log: (sentence: string, outcome: EventOutcome) => void,
): (outcome: EventOutcome) => void {
  const logged = new Set<string>();
  return (outcome) => {
    const sentence = outcomeSentence(outcome);
    const isLogged = outcome.outcome === 'refused' && logged.has(outcome.reason);
    if (outcome.outcome === 'refused') logged.add(outcome.reason);
    if (sentence !== undefined && !isLogged) log(sentence, outcome);
  };
}
