import type { Action } from '../../generated/definition-types.ts';
import { oncePer } from '../async/once.ts';
import { firstWord } from '../status/statuses.ts';
import { inEnglish, type Said, type Sentence, sentence } from '../text/sentence.ts';
import { isMarked, type RowItem, type RowOutcome } from './row-item.ts';
import { successWord } from './row-notes.ts';

type Ended = Pick<RowItem, 'outcome' | 'isScheduled' | 'delivery'>;

/** What rows are counted as: their outcome, or that the service sends them later. */
type CountedOutcome = RowOutcome | 'scheduled';

/** How many rows of a batch are counted as what. */
export type RowCounts = Record<CountedOutcome, number>;

const countedAs = ({ outcome, isScheduled }: Ended): CountedOutcome =>
  outcome === 'done' && isScheduled ? 'scheduled' : outcome;

const words: Record<Exclude<CountedOutcome, 'done'>, Sentence> = {
  scheduled: sentence('scheduled'),
  'already-done': sentence('skipped'),
  duplicate: sentence('skipped'),
  failed: sentence('failed'),
  'opted-out': sentence('opted out'),
  unknown: sentence('unknown'),
  'not-run': sentence('not run'),
  waiting: sentence('waiting'),
};

/** Why rows are skipped. */
const skipReasons: Partial<Record<RowOutcome, Sentence>> = {
  'already-done': sentence('already sent'),
  duplicate: sentence('same message as another row'),
};

/** Returns why a row is skipped, if it is. */
export const skipReason = ({ outcome, isScheduled }: Ended): Sentence | undefined =>
  outcome === 'already-done' && isScheduled
    ? sentence('already sent or scheduled')
    : skipReasons[outcome];

const wordFor = (action: Action, counted: CountedOutcome): string =>
  counted === 'done' ? successWord(action) : words[counted].text;

/** Returns the English word for the outcome of a row, which is also its key in data. */
export const outcomeWord = (action: Action, row: Ended): string =>
  row.delivery === undefined ? wordFor(action, countedAs(row)) : firstWord(row.delivery);

/** The outcomes that are no problem. */
const good: RowOutcome[] = ['done', 'already-done', 'duplicate'];

const outcomes = ['done', ...Object.keys(words)] as CountedOutcome[];

/** Whether no row has a problem. */
export const isWithoutProblems = (items: RowItem[]) =>
  items.every(({ outcome }) => good.includes(outcome));

/** Whether a batch has rows to run, or rows for its user to decide about. */
export const isToPreview = (items: RowItem[]): boolean =>
  items.some((item) => item.outcome === 'waiting' || isMarked(item));

/** Counts the rows by outcome. */
export function countsOf(items: Ended[]): RowCounts {
  const counts = Object.fromEntries(outcomes.map((name) => [name, 0])) as RowCounts;
  for (const item of items) counts[countedAs(item)] += 1;
  return counts;
}

/** Counts the rows that the log showed to be done before. */
export const confirmedCount = (items: RowItem[]): number =>
  items.filter(({ isConfirmed }) => isConfirmed).length;

/** Counts the rows by the word for their outcome. Leaves out words without rows, except success if it has no other word. */
export function countsByWord(action: Action, counts: RowCounts) {
  const byWord = new Map<string, number>(counts.scheduled > 0 ? [] : [[successWord(action), 0]]);
  for (const outcome of outcomes) {
    const word = wordFor(action, outcome);
    if (counts[outcome] > 0) byWord.set(word, (byWord.get(word) ?? 0) + counts[outcome]);
  }
  return [...byWord];
}

/**
 * Counts an outcome: “4 failed”, for success “4 sent” or “1 call”.
 *
 * @param word the word for the outcome
 */
export function countText(action: Action, word: string, count: number): Sentence {
  const { results } = action;
  return results && word === successWord(action)
    ? { text: count === 1 ? results.one : results.other, values: { count } }
    : sentence('{count} {outcome}', { count, outcome: { text: word } });
}

/** Describes the counts: “4 sent, 1 failed”. */
export const countsSentences = (action: Action, counts: RowCounts): Sentence[] =>
  countsByWord(action, counts).map(([word, count]) => countText(action, word, count));

/** Counts the outcomes after the name of the action. */
export const resultSentence = (action: Action, counts: RowCounts): Sentence =>
  sentence('{name}: {counts}.', {
    name: { text: action.name },
    counts: countsSentences(action, counts),
  });

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
  message: Said;
}

/** The English texts of sentences: of a batch in progress, they are needed each second. */
const englishOf = oncePer((said: object) => inEnglish(said as Said));

/** Groups the rows that failed, were not run or are unknown by their reason. */
export function problemsOf(items: RowItem[]): RowProblem[] {
  const problems = new Map<string, RowProblem>();
  for (const { outcome, message = '', who } of items) {
    if (good.includes(outcome) || outcome === 'waiting') continue;
    const key = JSON.stringify([
      outcome,
      typeof message === 'string' ? message : englishOf(message),
    ]);
    const problem = problems.get(key) ?? { outcome, message, who: [] };
    problem.who.push(who);
    problems.set(key, problem);
  }
  return [...problems.values()];
}

/** How many names a sentence lists when it isn't the only record of them. */
const mostNamed = 3;

/** The names of some rows, as a value of a sentence: “Ada, Bob, Cleo”, or with more “Ada, …, Cleo and 900 more”. */
export const allNames = ({ who, more = 0 }: SomeRows): Sentence | string[] =>
  more > 0 ? sentence('{names} and {count} more', { names: who, count: more }) : who;

/** A few names, as a value of a sentence: “Ada, Bob, Cleo and 17 more”. */
export function fewNames(rows: SomeRows): Sentence | string[] {
  const more = rowCount(rows) - mostNamed;
  // Instead of “and 1 more”, the name.
  return more <= 1 ? rows.who : allNames({ who: rows.who.slice(0, mostNamed), more });
}

/** Returns why rows have a problem. */
export const problemReason = ({ outcome, message }: Omit<RowProblem, 'who'>): Said =>
  message || (outcome === 'done' ? '' : words[outcome]);

const problemSentence = (names: Sentence | string[], problem: RowProblem): Sentence =>
  sentence('{rows}: {reason}', { rows: names, reason: problemReason(problem) });

/** Describes a problem in one line, with all names. */
export const problemText = (problem: RowProblem): Sentence =>
  problemSentence(allNames(problem), problem);

/** Describes a problem in one short line, for a toast or a preview. */
export const problemInShort = (problem: RowProblem): Sentence =>
  problemSentence(fewNames(problem), problem);

/** The label of the button that starts a batch. */
export const batchLabel = ({ name, batch }: Action, count: number): Sentence =>
  batch
    ? { text: count === 1 ? batch.one : batch.other, values: { count } }
    : sentence('{name} {count, plural, one {once} other {# times}}', {
        name: { text: name },
        count,
      });
