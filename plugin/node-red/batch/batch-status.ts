import {
  type Action,
  type BatchView,
  countsSentences,
  countText,
  progressSentence,
  type Say,
} from '../../../src/builder.ts';
import type { TranslateServer } from '../locale/server-translator.ts';
import { faultText } from '../node/fault-text.ts';
import type { Status } from '../node-red.ts';

/** The node status for a batch. */
export function batchStatus(action: Action, view: BatchView, t: TranslateServer, say: Say): Status {
  const counts = say(countsSentences(action, view.counts));
  const isGood = view.problems.length === 0;
  const waiting = say(countText(action, 'waiting', view.counts.waiting));
  const states: Record<BatchView['state'], Status> = {
    preview: { fill: 'blue', shape: 'ring', text: t('preview: __counts__', { counts: waiting }) },
    running: {
      ...{ fill: 'blue', shape: 'dot' },
      text: say(progressSentence(action, view)),
    },
    interrupted: {
      ...{ fill: 'yellow', shape: 'ring' },
      text: t('interrupted: __counts__', { counts }),
    },
    ended: isGood
      ? { fill: 'green', shape: 'dot', text: counts }
      : {
          fill: view.counts.done + view.counts.scheduled > 0 ? 'yellow' : 'red',
          shape: 'ring',
          text: counts,
        },
  };
  return states[view.state];
}

/** The node status for a failed message. */
export const failedStatus = (error: unknown, t: TranslateServer): Status => ({
  ...{ fill: 'red', shape: 'ring' },
  text: t(faultText(error)),
});

/** The node status while rows are read. */
export const readingStatus = (text: string): Status => ({ fill: 'blue', shape: 'ring', text });
