import type { Action } from '../../generated/definition-types.ts';
import { TelephonyError } from '../telephony-error.ts';
import { oneLine } from '../text/format.ts';
import { inEnglish, type Said, type Say, type Sentence, sentence } from '../text/sentence.ts';
import { type BatchBuilder, type BatchPart, present, unknownSentence } from './batch-part.ts';
import type { RowItem } from './row-item.ts';
import {
  countsOf,
  countsSentences,
  isWithoutProblems,
  problemsOf,
  problemText,
  type RowProblem,
} from './row-summary.ts';

/** Writes the part of a batch as text, a paragraph per line. */
export function batchText({ sections }: BatchPart, say: Say = inEnglish): string {
  const pair = ([label, value]: [Sentence, Said]) =>
    sentence('{label} “{value}”', { label, value: oneLine(say(value)) });
  return sections
    .flatMap(({ sentences, names = [], example = [], lines = [] }) => [
      [...sentences.map(say), say(names), say(example.map(pair))].filter(Boolean).join(' '),
      ...lines.map(say),
    ])
    .filter(Boolean)
    .join('\n');
}

/** Joins lines. It has no translation of its own. */
const twoLines = (first: Sentence, next: Sentence): Sentence => ({
  text: '{first}\n{next}',
  values: { first, next },
});

/**
 * Returns the error of a batch that has ended; undefined if no row has a problem.
 *
 * @param builder says how to go on, if rows were not run or are unknown
 * @param describe describes rows with the same problem; if not given, with all their names
 */
export function batchError(
  action: Action,
  items: RowItem[],
  builder?: BatchBuilder,
  describe: (problem: RowProblem) => Sentence = problemText,
): TelephonyError | undefined {
  if (isWithoutProblems(items)) return undefined;
  const counts = countsOf(items);
  const { unknown, failed, 'opted-out': optedOut } = counts;
  const lines = present([
    sentence('{counts}.', { counts: countsSentences(action, counts) }),
    ...problemsOf(items).map(describe),
    builder && unknown > 0 && unknownSentence(action, builder),
    counts['not-run'] > 0 && builder?.toContinue,
  ]);
  const code = unknown > 0 ? 'unknown-outcome' : failed + optedOut > 0 ? 'rejected' : 'aborted';
  return new TelephonyError(code, lines.reduce(twoLines));
}
