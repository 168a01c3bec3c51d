import {
  countsOf,
  countsSaid,
  isWithoutProblems,
  problemSaid,
  problemsOf,
  type RowItem,
} from '../../src/index.ts';

const mixed: RowItem[] = [
  { who: 'Ann', outcome: 'done' },
  { who: 'Bob', outcome: 'failed', message: 'No number.' },
  { who: 'Cy', outcome: 'failed', message: 'No text.' },
  { who: 'Di', outcome: 'failed', message: 'No number.' },
  { who: 'Ed', outcome: 'unknown', message: 'No number.' },
  { who: 'Flo', outcome: 'same' },
  { who: 'Gus', outcome: 'untried' },
  { who: 'Hal', outcome: 'untried' },
  { who: 'Ida', outcome: 'waiting' },
];

test('the summary counts rows by outcome', () => {
  const counts = { done: 1, before: 0, failed: 3, unknown: 1, same: 1, untried: 2, waiting: 1 };
  expect(countsOf(mixed)).toEqual(counts);
  expect(countsSaid(mixed)).toBe(
    '1 done, 3 failed, 1 unknown, perhaps done, 1 the same as another row, 2 not tried, 1 waiting',
  );
  expect(countsSaid(mixed.slice(1, 2))).toBe('0 done, 1 failed');
});

test('the summary groups failed rows by reason', () => {
  expect(problemsOf(mixed)).toEqual([
    { outcome: 'failed', message: 'No number.', who: ['Bob', 'Di'] },
    { outcome: 'failed', message: 'No text.', who: ['Cy'] },
    { outcome: 'unknown', message: 'No number.', who: ['Ed'] },
    { outcome: 'untried', message: '', who: ['Gus', 'Hal'] },
  ]);
  expect(problemsOf(mixed).map(problemSaid)).toEqual([
    'Bob, Di: No number.',
    'Cy: No text.',
    'Ed: No number.',
    'Gus, Hal: not tried',
  ]);
});

test.each(mixed)(
  'the outcome "$outcome" counts as a problem, unless it is done or same',
  (item) => {
    expect(isWithoutProblems([item])).toBe(['done', 'same'].includes(item.outcome));
    expect(isWithoutProblems([{ who: 'Ann', outcome: 'done' }, item])).toBe(
      isWithoutProblems([item]),
    );
  },
);
