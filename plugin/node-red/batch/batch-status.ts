import {
  type Action,
  type BatchView,
  countsInWords,
  progressOf,
  TelephonyError,
} from '../../../src/builder.ts';
import type { Status } from '../node-red.ts';

/** The status of a node for a batch, in words. */
export function batchStatus(action: Action, view: BatchView): Status {
  const text = countsInWords(action, view.counts);
  const isGood = view.problems.length === 0;
  const [ended, all] = progressOf(view);
  const states: Record<BatchView['state'], Status> = {
    asked: { fill: 'blue', shape: 'ring', text: `preview: ${view.counts.waiting} waiting` },
    running: { fill: 'blue', shape: 'dot', text: `${ended} of ${all}: ${text}` },
    interrupted: { fill: 'yellow', shape: 'ring', text: `interrupted: ${text}` },
    ended: isGood
      ? { fill: 'green', shape: 'dot', text }
      : { fill: view.counts.done > 0 ? 'yellow' : 'red', shape: 'ring', text },
  };
  return states[view.state];
}

/** The status of a node whose message failed. */
export const failedStatus = (error: unknown): Status => ({
  ...{ fill: 'red', shape: 'ring' },
  text: error instanceof TelephonyError ? error.code : 'unexpected',
});
