import type { Run } from '../../../plugin/nocobase/server/bulk/stored-run.ts';
import { viewOf } from '../../../plugin/nocobase/server/bulk/view-of.ts';
import { definitions, type RowItem } from '../../../src/index.ts';

// What a person is told of something that is done for selected rows.

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const send = action;

const now = Date.UTC(2026, 10, 22, 12);
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(now));
afterEach(() => jest.restoreAllMocks());

const values = (to: string) => ({ from: '+14155550100', to, body: 'Hello' });
const items: RowItem[] = [
  { who: 'Ada', outcome: 'done' },
  { who: 'Bob', outcome: 'failed', message: 'No number.' },
  { who: 'Cid', outcome: 'waiting', values: values('+12025550103') },
  { who: 'Dan', outcome: 'waiting', values: values('+12025550104') },
];
const run = (changes: Partial<Run> = {}): Run => ({
  ...{ key: 'K1', userId: '1', account: 'a', actionId: send.id, button: 'B' },
  ...{ state: 'running', aliveAt: now, items },
  ...changes,
});

const none = { before: 0, done: 0, failed: 0, same: 0, unknown: 0, untried: 0, waiting: 0 };
const underWay = {
  ...{ key: 'K1', state: 'running', done: ['Ada'], waiting: ['Cid', 'Dan'] },
  counts: { ...none, done: 1, failed: 1, waiting: 2 },
  example: { from: '+14155550100', to: '+12025550103', body: 'Hello' },
  problems: [{ who: ['Bob'], outcome: 'failed', message: 'No number.' }],
};

test('a running batch shows its outcomes, what waits and its problems', () => {
  expect(viewOf(send, run(), undefined)).toStrictEqual(underWay);
  expect(viewOf(send, run({ aliveAt: now - 15_000 }), undefined)).toStrictEqual(underWay);
});

test('a batch whose process ended shows waiting rows as unknown', () => {
  const view = viewOf(send, run({ aliveAt: now - 15_001 }), undefined);
  expect(view).toStrictEqual({
    ...underWay,
    ...{ state: 'interrupted', waiting: [], example: {} },
    counts: { ...none, done: 1, failed: 1, unknown: 2 },
    problems: [...underWay.problems, { who: ['Cid', 'Dan'], outcome: 'unknown', message: '' }],
  });
  expect(JSON.stringify(view)).not.toContain('Hello');
});

const cost = { segments: 2, recipients: 2, senders: ['+14155550100'] };
test.each([
  ['asked', { cost }],
  ['ended', {}],
] as const)('a batch in the state “%s” is not interrupted', (state, more) => {
  expect(viewOf(send, run({ state, aliveAt: null }), undefined)).toStrictEqual({
    ...{ ...underWay, ...more },
    state,
  });
});

test('a batch with many rows names the first ten', () => {
  const many = Array.from(
    { length: 12 },
    (_, index): RowItem => ({
      ...{ who: `P${index}`, outcome: 'waiting', values: values('+12025550103') },
    }),
  );
  const { waiting, counts } = viewOf(send, run({ items: many }), undefined);
  expect([waiting.at(-1), waiting.length, counts.waiting]).toEqual(['P9', 10, 12]);
});

test('a batch shows the previous batch of its button', () => {
  const before = run({ key: 'K0', startedAt: now - 1_000, aliveAt: now - 60_000 });
  expect(viewOf(send, run(), before).before).toStrictEqual({
    ...{ key: 'K0', state: 'interrupted', startedAt: '2026-11-22T11:59:59.000Z' },
    counts: { ...none, done: 1, failed: 1, unknown: 2 },
  });
});
