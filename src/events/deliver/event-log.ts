import type { EventOutcome } from './event-options.ts';
import { namedEvent } from './named-event.ts';

/** What the owner of an app should know of an event; undefined for nothing. */
export function outcomeSentence(what: EventOutcome): string | undefined {
  switch (what.outcome) {
    case 'failed':
      return `${namedEvent(what.event)} was not delivered: ${(what.error as Error).message}`;
    case 'reply-not-sent':
    case 'refused':
    case 'cursor-reset':
    case 'postponed':
      return what.message;
    default:
      return undefined;
  }
}

/**
 * Writes into a builder's log what the owner of an app should know of events. Anyone can send requests: each reason to refuse some is
 * logged once, not to fill the log.
 *
 * @param log writes a sentence
 */
export function eventLog(
  log: (sentence: string, what: EventOutcome) => void,
): (what: EventOutcome) => void {
  const logged = new Set<string>();
  return (what) => {
    const sentence = outcomeSentence(what);
    const isKnown = what.outcome === 'refused' && logged.has(what.reason);
    if (what.outcome === 'refused') logged.add(what.reason);
    if (sentence !== undefined && !isKnown) log(sentence, what);
  };
}
