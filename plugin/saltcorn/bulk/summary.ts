import type { Item, Outcome } from './plan.ts';

const words: Record<Outcome, string> = {
  done: 'done',
  before: 'done before',
  failed: 'failed',
  unknown: 'unknown, perhaps done',
  same: 'the same as another row',
  untried: 'not tried',
  waiting: 'waiting',
};

/** Nothing is to be said of these, or nothing yet. */
const good: Outcome[] = ['done', 'before', 'same'];

const outcomes = Object.keys(words) as Outcome[];

export const isGood = (items: Item[]) => items.every(({ outcome }) => good.includes(outcome));

/** How many came to each end, by its name. */
export const countsOf = (items: Item[]): Record<Outcome, number> =>
  Object.fromEntries(
    outcomes.map((name) => [name, items.filter(({ outcome }) => outcome === name).length]),
  ) as Record<Outcome, number>;

/** How many came to each end: “4 done, 1 failed”. */
export function countsSaid(items: Item[]): string {
  const counts = countsOf(items);
  return outcomes
    .filter((outcome) => outcome === 'done' || counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${words[outcome]}`)
    .join(', ');
}

/** Rows of which the same has to be said. */
export interface Problem {
  outcome: Outcome;
  message: string;
  who: string[];
}

/** What was not done, or perhaps was, and why: the rows of one reason together. */
export function problemsOf(items: Item[]): Problem[] {
  const problems = new Map<string, Problem>();
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
export const problemSaid = ({ outcome, message, who }: Problem): string =>
  `${who.join(', ')}: ${message || words[outcome]}`;
