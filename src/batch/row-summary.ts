import type { RowItem, RowOutcome } from './row-item.ts';

/** What each end of a row is called. */
export const outcomeWords: Record<RowOutcome, string> = {
  done: 'done',
  before: 'done before',
  failed: 'failed',
  unknown: 'unknown, perhaps done',
  same: 'the same as another row',
  untried: 'not tried',
  waiting: 'waiting',
};

/** Nothing is to be said of these, or nothing yet. */
const good: RowOutcome[] = ['done', 'before', 'same'];

const outcomes = Object.keys(outcomeWords) as RowOutcome[];

/** Whether nothing is to be said of any. */
export const isWithoutProblems = (items: RowItem[]) =>
  items.every(({ outcome }) => good.includes(outcome));

/** How many came to each end, by its name. */
export const countsOf = (items: RowItem[]): Record<RowOutcome, number> =>
  Object.fromEntries(
    outcomes.map((name) => [name, items.filter(({ outcome }) => outcome === name).length]),
  ) as Record<RowOutcome, number>;

/** The ends of which it is said how many came to them. */
export const shownOutcomes = (counts: Record<RowOutcome, number>): RowOutcome[] =>
  outcomes.filter((outcome) => outcome === 'done' || counts[outcome] > 0);

/** How many came to each end: “4 done, 1 failed”. */
export function countsSaid(items: RowItem[]): string {
  const counts = countsOf(items);
  return shownOutcomes(counts)
    .map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`)
    .join(', ');
}

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

/** A problem in one line. */
export const problemSaid = ({ outcome, message, who }: RowProblem): string =>
  `${who.join(', ')}: ${message || outcomeWords[outcome]}`;
