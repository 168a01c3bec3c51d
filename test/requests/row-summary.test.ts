import { recordedState } from '../../src/batch/row-notes.ts';
import {
  type Action,
  countsOf,
  countsSentences,
  definitions,
  inEnglish,
  isWithoutProblems,
  problemInShort,
  problemsOf,
  problemText,
  type RowItem,
  successWord,
} from '../../src/builder.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];
const { batch: _, ...other } = action;

const mixed: RowItem[] = [
  { who: 'Ann', outcome: 'done' },
  { who: 'Bob', outcome: 'failed', message: 'No number.' },
  { who: 'Cy', outcome: 'failed', message: 'No text.' },
  { who: 'Di', outcome: 'failed', message: 'No number.' },
  { who: 'Ed', outcome: 'unknown', message: 'No number.' },
  { who: 'Flo', outcome: 'duplicate' },
  { who: 'Gus', outcome: 'not-run' },
  { who: 'Hal', outcome: 'not-run' },
  { who: 'Ida', outcome: 'waiting' },
  { who: 'Jo', outcome: 'opted-out', message: 'Unsubscribed.' },
];

test('the summary counts rows by outcome', () => {
  const counts = {
    ...{
      done: 1,
      scheduled: 0,
      'already-done': 0,
      failed: 3,
      'opted-out': 1,
      unknown: 1,
      duplicate: 1,
    },
    ...{ 'not-run': 2, waiting: 1 },
  };
  expect(countsOf(mixed)).toEqual(counts);
  expect(inEnglish(countsSentences(action, countsOf(mixed)))).toBe(
    '1 sent, 1 skipped, 3 failed, 1 opted out, 1 unknown, 2 not run, 1 waiting',
  );
  expect(inEnglish(countsSentences(action, countsOf(mixed.slice(1, 2))))).toBe('0 sent, 1 failed');
});

test('the summary counts rows that the service sends later apart', () => {
  const later: RowItem = { who: 'Kim', outcome: 'done', isScheduled: true };
  const texts = [[later], [...mixed.slice(0, 2), later]].map((rows) =>
    inEnglish(countsSentences(action, countsOf(rows))),
  );
  expect(texts).toEqual(['1 scheduled', '1 sent, 1 scheduled, 1 failed']);
});

test('the summary groups failed rows by reason', () => {
  expect(problemsOf(mixed)).toEqual([
    { outcome: 'failed', message: 'No number.', who: ['Bob', 'Di'] },
    { outcome: 'failed', message: 'No text.', who: ['Cy'] },
    { outcome: 'unknown', message: 'No number.', who: ['Ed'] },
    { outcome: 'not-run', message: '', who: ['Gus', 'Hal'] },
    { outcome: 'opted-out', message: 'Unsubscribed.', who: ['Jo'] },
  ]);
  expect(problemsOf(mixed).map(problemText).map(inEnglish)).toEqual([
    'Bob, Di: No number.',
    'Cy: No text.',
    'Ed: No number.',
    'Gus, Hal: not run',
    'Jo: Unsubscribed.',
  ]);
});

const names = ['Ann', 'Bob', 'Cy', 'Di', 'Ed', 'Flo'];
test.each([
  [1, 'Ann: No text.'],
  [4, 'Ann, Bob, Cy, Di: No text.'],
  [5, 'Ann, Bob, Cy and 2 more: No text.'],
])('a short summary of %d rows names at most four', (count, said) => {
  const problem = { outcome: 'failed', message: 'No text.', who: names.slice(0, count) } as const;
  expect(inEnglish(problemInShort(problem))).toBe(said);
});

test.each(mixed)(
  'the outcome "$outcome" counts as a problem, unless it is done or duplicate',
  (item) => {
    expect(isWithoutProblems([item])).toBe(['done', 'duplicate'].includes(item.outcome));
    expect(isWithoutProblems([{ who: 'Ann', outcome: 'done' }, item])).toBe(
      isWithoutProblems([item]),
    );
  },
);

test.each<[word: string, state: string | undefined]>([
  ['in progress', 'in progress'],
  ['sent', 'done'],
  ['done', 'done'],
  ['failed', 'failed'],
  ['unknown', 'unknown'],
  ['under way', undefined],
  ['no thanks', undefined],
  ['', undefined],
  ['constructor', undefined],
  ['Sent', undefined],
])('reads %p in a column that records outcomes as %p', (outcome, state) => {
  expect(recordedState({ outcome })).toBe(state);
});

const [call] = definitions.actions.filter(({ id }) => id === 'make-a-call') as [Action];

test.each<[kind: string, of: Action, word: string, ...summaries: string[]]>([
  ['messages', action, 'sent', '0 sent, 2 failed', '1 sent, 2 failed', '2 sent, 2 failed'],
  ['calls', call, 'done', '0 calls, 2 failed', '1 call, 2 failed', '2 calls, 2 failed'],
  ['another action', other, 'done', '0 done, 2 failed', '1 done, 2 failed', '2 done, 2 failed'],
])('the summary of %s names what was done', (_, of, word, ...summaries) => {
  const items = (outcome: RowItem['outcome'], count: number): RowItem[] =>
    Array.from({ length: count }, () => ({ who: 'Ann', outcome }));
  const ended = [0, 1, 2].map((count) => [...items('done', count), ...items('failed', 2)]);
  expect(ended.map((one) => inEnglish(countsSentences(of, countsOf(one))))).toEqual(summaries);
  expect(successWord(of)).toBe(word);
});
