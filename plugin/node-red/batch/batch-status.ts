import { type Action, type BatchView, countsByWord, progressOf } from '../../../src/builder.ts';
import { outcomeText, type TranslateUi } from '../locale/ui-texts.ts';
import { faultText } from '../node/fault-text.ts';
import type { Status } from '../node-red.ts';

/** The node status for a batch. */
export function batchStatus(action: Action, view: BatchView, t: TranslateUi): Status {
  const counts = countsByWord(action, view.counts)
    .map(([word, count]) => t(outcomeText(action, word, count), { count }))
    .join(', ');
  const isGood = view.problems.length === 0;
  const [ended, all] = progressOf(view);
  const waiting = t('__count__ waiting', { count: view.counts.waiting });
  const states: Record<BatchView['state'], Status> = {
    preview: { fill: 'blue', shape: 'ring', text: t('preview: __counts__', { counts: waiting }) },
    running: {
      ...{ fill: 'blue', shape: 'dot' },
      text: t('__ended__ of __all__: __counts__', { ended, all, counts }),
    },
    interrupted: {
      ...{ fill: 'yellow', shape: 'ring' },
      text: t('interrupted: __counts__', { counts }),
    },
    ended: isGood
      ? { fill: 'green', shape: 'dot', text: counts }
      : { fill: view.counts.done > 0 ? 'yellow' : 'red', shape: 'ring', text: counts },
  };
  return states[view.state];
}

/** The node status for a failed message. */
export const failedStatus = (error: unknown, t: TranslateUi): Status => ({
  ...{ fill: 'red', shape: 'ring' },
  text: t(faultText(error)),
});
