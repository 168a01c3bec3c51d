import { type EventOutcome, namedEvent } from '../../../../src/builder.ts';
import type { Application } from '../nocobase.ts';

/** Writes into NocoBase's log what the owner of the app should know of events. */
export function logEvents({ logger }: Application): (report: EventOutcome) => void {
  const logged = new Set<string>();
  return (what) => {
    if (what.outcome === 'refused') {
      // Anyone can send requests: the log is not to be filled by them.
      if (!logged.has(what.reason)) logger.warn(what.sentence);
      logged.add(what.reason);
    }
    if (what.outcome === 'failed')
      logger.error(`${namedEvent(what.event)} was not delivered: ${(what.error as Error).message}`);
    if (what.outcome === 'reply-not-sent') logger.error(what.sentence);
    if (what.outcome === 'cursor-reset' || what.outcome === 'postponed') logger.warn(what.sentence);
  };
}
