import { batchPage, definitions, type RowItem, sayIn } from '../../src/builder.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const send = action;

/** Rows of which every fifth is skipped. */
const items = Array.from(
  { length: 250 },
  (_, index): RowItem => ({ who: `P${index}`, outcome: index % 5 === 4 ? 'duplicate' : 'waiting' }),
);

test.each<[choice: object, page: object, first: string, last: string, rows: number]>([
  [{}, { outcome: '', count: 250, page: 1 }, 'P0', 'P99', 100],
  [{ page: 3 }, { outcome: '', count: 250, page: 3 }, 'P200', 'P249', 50],
  [{ page: 4 }, { outcome: '', count: 250, page: 3 }, 'P200', 'P249', 50],
  [{ page: 0 }, { outcome: '', count: 250, page: 1 }, 'P0', 'P99', 100],
  [{ page: Number.NaN }, { outcome: '', count: 250, page: 1 }, 'P0', 'P99', 100],
  [{ outcome: 'skipped' }, { outcome: 'skipped', count: 50, page: 1 }, 'P4', 'P249', 50],
  [
    { outcome: 'waiting', page: 2 },
    { outcome: 'waiting', count: 200, page: 2 },
    'P125',
    'P248',
    100,
  ],
  [{ outcome: 'failed' }, { outcome: '', count: 250, page: 1 }, 'P0', 'P99', 100],
])('the choice %j shows a page of the rows', (choice, page, first, last, count) => {
  const { shown: rows, outcomes, ...rest } = batchPage(send, items, choice);
  expect(rest).toEqual(page);
  expect([rows[0]?.who, rows.at(-1)?.who, rows.length]).toEqual([first, last, count]);
  expect(outcomes).toEqual([
    ['skipped', 50],
    ['waiting', 200],
  ]);
});

test('a row says who gets what, or why not', () => {
  const [to, sid] = ['+12025550143', 'SM1'];
  const { shown } = batchPage(
    send,
    [
      { who: 'Ada', to, outcome: 'done', sid },
      { who: 'Bob', outcome: 'failed', message: 'No number.' },
      { who: 'Cid', outcome: 'already-done' },
    ],
    {},
    sayIn((word) => word.toUpperCase()),
  );
  expect(shown).toEqual([
    { who: 'Ada', recipient: to, outcome: 'SENT', reason: '', sid },
    { who: 'Bob', recipient: '', outcome: 'FAILED', reason: 'No number.', sid: '' },
    { who: 'Cid', recipient: '', outcome: 'SKIPPED', reason: 'ALREADY SENT', sid: '' },
  ]);
});
