import type { Action } from '../../generated/definition-types.ts';
import { isMarked, type RowItem, type RowOutcome } from './row-item.ts';
import { successWord } from './row-notes.ts';

const words: Record<Exclude<RowOutcome, 'done'>, string> = {
  'already-done': 'skipped',
  duplicate: 'skipped',
  failed: 'failed',
  'opted-out': 'opted out',
  unknown: 'unknown',
  'not-run': 'not run',
  waiting: 'waiting',
};

/** Why rows are skipped. */
export const skipReasons: Partial<Record<RowOutcome, string>> = {
  'already-done': 'already sent',
  duplicate: 'same message as another row',
};

/** Returns the word for an outcome. */
export const outcomeWord = (action: Action, outcome: RowOutcome): string =>
  outcome === 'done' ? successWord(action) : words[outcome];

/** The outcomes that are no problem. */
const good: RowOutcome[] = ['done', 'already-done', 'duplicate'];

const outcomes = ['done', ...Object.keys(words)] as RowOutcome[];

/** Whether no row has a problem. */
export const isWithoutProblems = (items: RowItem[]) =>
  items.every(({ outcome }) => good.includes(outcome));

/** Whether a batch has rows to run, or rows for its user to decide about. */
export const isToPreview = (items: RowItem[]): boolean =>
  items.some((item) => item.outcome === 'waiting' || isMarked(item));

/** Counts the rows by outcome. */
export function countsOf(items: RowItem[]): Record<RowOutcome, number> {
  const counts = Object.fromEntries(outcomes.map((name) => [name, 0])) as Record<
    RowOutcome,
    number
  >;
  for (const { outcome } of items) counts[outcome] += 1;
  return counts;
}

/** Counts the rows that the log showed to be done before. */
export const confirmedCount = (items: RowItem[]): number =>
  items.filter(({ isConfirmed }) => isConfirmed).length;

/** Counts the rows by the word for their outcome. Leaves out words without rows, except the first. */
export function countsByWord(action: Action, counts: Record<RowOutcome, number>) {
  const byWord = new Map([[successWord(action), 0]]);
  for (const outcome of outcomes) {
    const word = outcomeWord(action, outcome);
    if (counts[outcome] > 0) byWord.set(word, (byWord.get(word) ?? 0) + counts[outcome]);
  }
  return [...byWord];
}

/**
 * Returns the text that counts an outcome, with {count} instead of the number: “{count} failed”, for success “{count} sent” or “1 call”.
 *
 * @param word the word for the outcome
 */
export function countText(action: Action, word: string, count: number): string {
  const { results } = action;
  if (!results || word !== successWord(action)) return `{count} ${word}`;
  return count === 1 ? results.one : results.other;
}

/** Describes the counts: “4 sent, 1 failed”. */
export const countsInWords = (action: Action, counts: Record<RowOutcome, number>): string =>
  countsByWord(action, counts)
    .map(([word, count]) => countText(action, word, count).replace('{count}', String(count)))
    .join(', ');

/** The names of some rows, and how many more there are. */
export interface SomeRows {
  who: string[];
  more?: number;
}

/** How many names of a kind a batch's owner gets with it. They look through the others page by page. */
const mostListed = 100;

/** Returns the first of many names, and how many more there are. */
export const someRows = (who: string[]): SomeRows =>
  who.length > mostListed
    ? { who: who.slice(0, mostListed), more: who.length - mostListed }
    : { who };

/** Counts some rows and the others. */
export const rowCount = ({ who, more = 0 }: SomeRows): number => who.length + more;

/** Rows with the same problem. */
export interface RowProblem extends SomeRows {
  outcome: RowOutcome;
  message: string;
}

/** Groups the rows that failed, were not run or are unknown by their reason. */
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

/** Returns the word for a problem without a message. */
export const problemWord = (outcome: RowOutcome): string =>
  outcome === 'done' ? '' : words[outcome];

/** How many names a sentence lists when it isn't the only record of them. */
const mostNamed = 3;

const andMore = (count: number) => `and ${count} more`;

/** Lists a few names: “Ada, Bob, Cleo and 17 more”. */
export function fewNames(rows: SomeRows, more = andMore): string {
  const left = rowCount(rows) - mostNamed;
  // Instead of “and 1 more”, the name.
  if (left <= 1) return rows.who.join(', ');
  return `${rows.who.slice(0, mostNamed).join(', ')} ${more(left)}`;
}

/** Lists all known names: “Ada, Bob, Cleo”, or with more “Ada, …, Cleo and 900 more”. */
export const allNames = ({ who, more }: SomeRows, moreText = andMore): string =>
  who.join(', ') + (more ? ` ${moreText(more)}` : '');

/** Describes a problem in one line. */
export const problemText = ({ outcome, message, ...rows }: RowProblem): string =>
  `${allNames(rows)}: ${message || problemWord(outcome)}`;

/** Describes a problem in one short line, for a toast or a preview. */
export const problemInShort = ({ outcome, message, ...rows }: RowProblem): string =>
  problemText({ outcome, message, who: [fewNames(rows)] });

/** The label of the button that starts a batch. */
export function batchLabel({ name, batch }: Action, count: number): string {
  if (batch) return (count === 1 ? batch.one : batch.other).replace('{count}', String(count));
  return count === 1 ? `${name} once` : `${name} ${count} times`;
}
