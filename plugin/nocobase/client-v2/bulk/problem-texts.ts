import { type BatchView, fewNames, problemWord, type RowProblem } from '../../../../src/builder.ts';
import { problemOf, type Translate } from '../host.ts';

function problemText(t: Translate, { outcome, message, who }: RowProblem, isPreview: boolean) {
  const reason = message || t(problemWord(outcome));
  const few = fewNames(who, (count) => t('and {{count}} more', { count }));
  if (isPreview) return `${few}: ${reason}`;
  // The next press of the button names these rows, too.
  if (outcome === 'not-run')
    return `${few}: ${reason.replace(/\.?$/, '.')} ${t('Press the button again to continue.')}`;
  return `${who.join(', ')}: ${reason}`;
}

/** Returns the problems of a batch as sentences. */
export const problemTexts = (
  t: Translate,
  { problems, state }: Pick<BatchView, 'problems' | 'state'>,
): string[] => problems.map((problem) => problemText(t, problem, state === 'preview'));

/** Returns why a step of a batch failed. Its outcome is unknown if NocoBase did not respond. */
export const failureText = (t: Translate, error: unknown): string =>
  Object(error).code === 'ERR_NETWORK'
    ? t('NocoBase did not respond. Try again: rows that were sent are skipped.')
    : problemOf(error).message;
