import {
  allNames,
  type BatchView,
  fewNames,
  problemWord,
  type RowProblem,
} from '../../../../src/builder.ts';
import { problemOf, type Translate } from '../host.ts';

function problemText(
  t: Translate,
  { outcome, message, ...rows }: RowProblem,
  isPreview: boolean,
): string {
  // If the batch continues, its preview names the rows that were not run.
  const names = isPreview || outcome === 'not-run' ? fewNames : allNames;
  const who = names(rows, (count) => t('and {{count}} more', { count }));
  return `${who}: ${message || t(problemWord(outcome))}`;
}

/** Returns the problems of a batch as sentences. */
export const problemTexts = (
  t: Translate,
  { problems, state }: Pick<BatchView, 'problems' | 'state'>,
): string[] => problems.map((problem) => problemText(t, problem, state === 'preview'));

/** How NocoBase shows the result of a batch. A batch that its user stopped did not fail. */
export function severityOf({ problems }: Pick<BatchView, 'problems'>) {
  if (problems.length === 0) return 'success';
  const isStopped = problems.every(({ outcome, message }) => outcome === 'not-run' && !message);
  return isStopped ? 'warning' : 'error';
}

/** Whether a batch that is over left rows to run. */
export const canContinue = ({ state, counts }: Pick<BatchView, 'state' | 'counts'>): boolean =>
  state === 'interrupted' || (state === 'ended' && counts['not-run'] > 0);

/** Returns why a step of a batch failed. Its outcome is unknown if NocoBase did not respond. */
export const failureText = (t: Translate, error: unknown): string =>
  Object(error).code === 'ERR_NETWORK'
    ? t('NocoBase did not respond. Try again: rows that were sent are skipped.')
    : problemOf(error).message;
