import type { Action } from '../../generated/definition-types.ts';
import type { RowItem, RowOutcome } from './row-item.ts';
import { successWord } from './row-notes.ts';

const words: Record<Exclude<RowOutcome, 'done'>, string> = {
  'already-done': 'skipped',
  duplicate: 'skipped',
  failed: 'failed',
  unknown: 'unknown',
  'not-run': 'not run',
  waiting: 'waiting',
};

/** What an outcome is called. */
export const outcomeWord = (action: Action, outcome: RowOutcome): string =>
  outcome === 'done' ? successWord(action) : words[outcome];

/** Nothing is to be said of these, or nothing yet. */
const good: RowOutcome[] = ['done', 'already-done', 'duplicate'];

const outcomes = ['done', ...Object.keys(words)] as RowOutcome[];

/** Whether nothing is to be said of any. */
export const isWithoutProblems = (items: RowItem[]) =>
  items.every(({ outcome }) => good.includes(outcome));

/** How many came to each end, by its name. */
export const countsOf = (items: RowItem[]): Record<RowOutcome, number> =>
  Object.fromEntries(
    outcomes.map((name) => [name, items.filter(({ outcome }) => outcome === name).length]),
  ) as Record<RowOutcome, number>;

/** How many rows have each outcome, by its word. Those without rows are left out, but not the first. */
export function countsByWord(action: Action, counts: Record<RowOutcome, number>) {
  const byWord = new Map([[successWord(action), 0]]);
  for (const outcome of outcomes) {
    const word = outcomeWord(action, outcome);
    if (counts[outcome] > 0) byWord.set(word, (byWord.get(word) ?? 0) + counts[outcome]);
  }
  return [...byWord];
}

/** How many rows have each outcome: “4 sent, 1 failed”. */
export const countsInWords = (action: Action, counts: Record<RowOutcome, number>): string =>
  countsByWord(action, counts)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');

/** How many of some rows have each outcome. */
export const countsSaid = (action: Action, items: RowItem[]): string =>
  countsInWords(action, countsOf(items));

/** Rows of which the same has to be said. */
export interface RowProblem {
  outcome: RowOutcome;
  message: string;
  who: string[];
}

/** What was not done, or perhaps was, and why: the rows of one reason together. */
export function problemsOf(items: RowItem[]): RowProblem[] {
  const problems = new Map<string, RowProblem>();
  for (const { outcome, message = '', who } of items) {
    if (good.includes(outcome) || outcome === 'waiting') continue;
    const key = JSON.stringify([outcome, message]);
    const problem = problems.get(key) ?? { outcome, message, who: [] };
    problem.who.push(who);
    problems.set(key, problem);
  }
  return [...problems.values()];
}

/** What a problem without a message is called. */
export const problemWord = (outcome: RowOutcome): string =>
  outcome === 'done' ? '' : words[outcome];

/** A problem in one line. */
export const problemSaid = ({ outcome, message, who }: RowProblem): string =>
  `${who.join(', ')}: ${message || problemWord(outcome)}`;

/** The label of the button that starts a batch. */
export function batchLabel({ name, batch }: Action, count: number): string {
  if (batch) return (count === 1 ? batch.one : batch.other).replace('{count}', String(count));
  return count === 1 ? `${name} once` : `${name} ${count} times`;
}
