import { limitLabel } from '../settings/spending.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import type { Usage } from './usage.ts';

/** Says what an account has sent, for the people who set its limits. */
export const usageSentence = ({ messages, calls }: Usage): Sentence =>
  sentence(
    'Messages in the last hour: {hour}, in the last 24 hours: {day}. Calls in the last hour: {calls}.',
    { hour: messages.lastHour, day: messages.lastDay, calls: calls.lastHour },
  );

/**
 * Says which limits an account has reached, and what to do; empty if it has reached none. The times may also be as JSON has them: a browser
 * writes them in its own way.
 */
export function reachedSentences({ reached }: Usage): Sentence[] {
  if (reached.length === 0) return [];
  return [
    ...reached.map(({ limit, most, until }) =>
      sentence('The limit “{limit}” ({most}) is reached until {until}.', {
        ...{ limit: { text: limitLabel(limit) }, most, until: new Date(until) },
      }),
    ),
    sentence("If you didn't expect that, turn on “{stop}” and find out what is sending.", {
      stop: { text: limitLabel('stopped') },
    }),
  ];
}
