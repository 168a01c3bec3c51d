import { eventLog } from '../../../../src/builder.ts';
import type { Application } from '../nocobase.ts';

/** Logs the event outcomes that the app's owner should know of. */
export const logEvents = ({ logger }: Application) =>
  eventLog((sentence, { outcome }) =>
    ['failed', 'reply-not-sent', 'reply-unknown'].includes(outcome)
      ? logger.error(sentence)
      : logger.warn(sentence),
  );
