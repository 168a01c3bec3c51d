import { eventLog } from '../../../../src/builder.ts';
import type { Application } from '../nocobase.ts';

/** Writes into NocoBase's log what the owner of the app should know of events. */
export const logEvents = ({ logger }: Application) =>
  eventLog((sentence, { outcome }) =>
    ['failed', 'reply-not-sent'].includes(outcome) ? logger.error(sentence) : logger.warn(sentence),
  );
