import {
  type Batch,
  batchPart,
  batchView,
  definitions,
  inEnglish,
  type RowItem,
  sentence,
} from '../../src/builder.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const send = action;

const values = (to: string) => ({ from: '+14155550100', to, body: 'Hello' });
const items: RowItem[] = [
  { who: 'Ada', outcome: 'done' },
  { who: 'Bob', outcome: 'failed', message: 'No number.' },
  { who: 'Cid', outcome: 'waiting', values: values('+12025550103') },
  { who: 'Dan', outcome: 'waiting', values: values('+12025550104') },
];
const run = (changes: Partial<Batch<unknown>> = {}): Batch<unknown> => ({
  ...{ key: 'K1', owner: '1', scope: 'a', context: { account: 'a' }, actionId: send.id },
  ...{ button: 'B', state: 'running', items, ...changes },
});

const none = {
  'already-done': 0,
  done: 0,
  scheduled: 0,
  failed: 0,
  'opted-out': 0,
  duplicate: 0,
  unknown: 0,
  'not-run': 0,
  waiting: 0,
};
const inProgress = {
  ...{ key: 'K1', state: 'running', done: ['Ada'], waiting: ['Cid', 'Dan'] },
  counts: { ...none, done: 1, failed: 1, waiting: 2 },
  example: { from: '+14155550100', to: '+12025550103', body: 'Hello' },
  problems: [{ who: ['Bob'], outcome: 'failed', message: 'No number.' }],
};

test('a running batch shows its outcomes, what waits and its problems', () => {
  expect(batchView(send, run(), {})).toStrictEqual(inProgress);
});

const cost = { segments: 2, recipients: 2, senders: ['+14155550100'], countries: { US: 2 } };
test.each([
  ['preview', { cost }],
  ['ended', {}],
  ['interrupted', {}],
] as const)('a batch in the state “%s” shows its rows', (state, more) => {
  expect(batchView(send, run({ state }), {})).toStrictEqual({
    ...{ ...inProgress, ...more },
    state,
  });
});

const many = (count: number, outcome: RowItem['outcome']) =>
  Array.from({ length: count }, (): RowItem => ({ who: 'P', outcome, values: {} }));

test('a batch in which most rows fail does not say how long the rest takes', () => {
  const items = [...many(10, 'done'), ...many(20, 'failed'), ...many(900, 'waiting')];
  const batch = run({ items, startedAt: Date.now() - 60_000 });
  expect(batchView(send, batch)).not.toHaveProperty('minutesLeft');
});

test.each<[sent: number, waiting: number, seconds: number, text: string]>([
  [0, 5_000, 600, '0 of 5,000: 0 sent, 5,000 waiting'],
  [100, 400, 10, '100 of 500: 100 sent, 400 waiting'],
  [100, 4_900, 4, '100 of 5,000: 100 sent, 4,900 waiting. About 3 minutes left.'],
  [100, 900, 8, '100 of 1,000: 100 sent, 900 waiting. About 1 minute left.'],
])('after %i of its rows, with %i left, a batch of %i seconds says “%s”', (...all) => {
  const [sent, waiting, seconds, text] = all;
  const items = [...many(sent, 'done'), ...many(waiting, 'waiting')];
  jest.useFakeTimers({ now: 0 });
  const batch = run({ items, startedAt: Date.now() });
  jest.setSystemTime(seconds * 1_000);
  const view = batchView(send, batch);
  jest.useRealTimers();
  const said = (more: object) => {
    const builder = { name: 'A builder', toRepeat: () => sentence('send it alone') };
    const [section] = batchPart(send, { ...view, ...more }, builder).sections;
    return section?.sentences.map(inEnglish).join(' ');
  };
  expect(said({})).toBe(text);
  expect(said({ isStopping: true })).not.toContain('left');
});

test('a preview shows which rows are repeated', () => {
  const rows: RowItem[] = [
    { who: 'Ada', outcome: 'waiting', isRepeated: true, values: values('+12025550101') },
    { who: 'Bob', outcome: 'waiting', values: values('+12025550102') },
    { who: 'Cid', outcome: 'waiting', isPending: true, values: values('+12025550103') },
    { who: 'Dan', outcome: 'waiting', values: values('12345') },
    { who: 'Eve', outcome: 'already-done', isRepeated: true },
  ];
  const notesOf = (state: Batch<unknown>['state']) => {
    const { repeated } = batchView(send, run({ items: rows, state }), {});
    return { repeated };
  };
  expect(notesOf('preview')).toEqual({ repeated: { count: 2, isSkipped: false } });
  expect(notesOf('running')).toEqual({});
});

test.each<[name: string, rows: RowItem[], more: object]>([
  [
    'skips',
    [
      { who: 'Ada', outcome: 'already-done', isChanged: true },
      { who: 'Bob', outcome: 'unknown', isChanged: true, message: 'Check the log.' },
      { who: 'Cid', outcome: 'already-done' },
    ],
    { changed: { count: 2, isSkipped: true }, alreadySent: 1 },
  ],
  [
    'includes',
    [{ who: 'Ada', outcome: 'waiting', isChanged: true, values: values('+12025550101') }],
    { changed: { count: 1, isSkipped: false } },
  ],
])('a preview %s rows that an earlier batch sent something else', (_, rows, more) => {
  const { changed, alreadySent } = batchView(send, run({ items: rows, state: 'preview' }), {});
  expect({ changed, alreadySent }).toEqual(more);
});

test.each<[what: string, outcomes: RowItem['outcome'][], isSkipped: boolean]>([
  ['skips', ['already-done', 'unknown'], true],
  ['includes some', ['already-done', 'waiting'], false],
])('a preview %s rows to which a button sent something', (_, outcomes, isSkipped) => {
  const items = outcomes.map(
    (outcome): RowItem => ({
      ...{ who: outcome, outcome, isSentSingly: true, values: values('+12025550101') },
    }),
  );
  const shown = batchView(send, run({ items, state: 'preview' }), {});
  expect(shown).toMatchObject({ sentSingly: { count: 2, isSkipped } });
  expect(shown).not.toHaveProperty('alreadySent');
});

test('a batch with many rows names the first ten', () => {
  const many = Array.from(
    { length: 12 },
    (_, index): RowItem => ({
      ...{ who: `P${index}`, outcome: 'waiting', values: values('+12025550103') },
    }),
  );
  const { waiting, counts } = batchView(send, run({ items: many }), {});
  expect([waiting.at(-1), waiting.length, counts.waiting]).toEqual(['P9', 10, 12]);
});

test('a batch with very many rows names the first hundred of each kind, and counts the others', () => {
  const many = (outcome: RowItem['outcome'], more: Partial<RowItem> = {}) =>
    Array.from({ length: 120 }, (_, index): RowItem => ({ who: `P${index}`, outcome, ...more }));
  const rows = [
    ...many('done'),
    ...many('failed', { message: 'No.' }),
    ...many('waiting', { isPending: true }),
  ];
  const { done, problems, pending, counts } = batchView(send, run({ items: rows }), {});
  const who = Array.from({ length: 100 }, (_, index) => `P${index}`);
  expect({ done, problems, pending, counts }).toEqual({
    ...{ done: who, pending: { who, more: 20 } },
    problems: [{ outcome: 'failed', message: 'No.', who, more: 20 }],
    counts: { ...none, done: 120, failed: 120, waiting: 120 },
  });
});

test('a preview shows the previous batch of its button', () => {
  const batch = run({ key: 'K0', startedAt: Date.UTC(2026, 10, 22, 12), state: 'interrupted' });
  expect(batchView(send, run(), { batch }).previous).toStrictEqual({
    ...{ key: 'K0', state: 'interrupted', startedAt: '2026-11-22T12:00:00.000Z' },
    counts: { ...none, done: 1, failed: 1, waiting: 2 },
  });
});

test('a preview shows that the previous result was deleted', () => {
  expect(batchView(send, run(), { isDeleted: true })).toStrictEqual({
    ...inProgress,
    isPreviousDeleted: true,
  });
});
