import { deliveredNote, memoryStore, type RowNote, SentRows } from '../../src/builder.ts';

// A status finds the rows of its message, whichever of the two comes first.

const rows = () => new SentRows<number>(memoryStore());

test('an outcome finds the rows to which its SID was written, once each', async () => {
  const sent = rows();
  for (const row of [1, 2, 2]) expect(await sent.add('SM1', row)).toBe(undefined);
  await sent.add('SM2', 3);
  expect((await sent.find('SM1', 'delivered')).sort()).toEqual([1, 2]);
  expect(await sent.find('SM3', 'delivered')).toEqual([]);
});

test.each<[outcomes: string[], outcome: string]>([
  [['delivered'], 'delivered'],
  [['undelivered: gone', 'delivered'], 'delivered'],
  [['read', 'delivered', 'undelivered: gone'], 'read'],
])('a row that is written after the outcomes %j gets %j', async (outcomes, outcome) => {
  const sent = rows();
  for (const one of outcomes) expect(await sent.find('SM1', one)).toEqual([]);
  expect(await sent.add('SM1', 1)).toBe(outcome);
});

test('of a row and its outcome at once, one finds the other', async () => {
  const sent = rows();
  const [early, found] = await Promise.all([sent.add('SM1', 1), sent.find('SM1', 'delivered')]);
  expect(early ?? found).not.toEqual([]);
});

const at = new Date('2026-11-20T12:00:00Z');
const noted = (outcome: string, sid = 'SM1'): RowNote => ({ outcome, time: at, sid });
test.each<[note: RowNote | undefined, outcome: string, noted: string | undefined]>([
  [noted('sent'), 'delivered', 'delivered'],
  [noted('done'), 'undelivered: gone', 'undelivered: gone'],
  [noted('delivered'), 'read', 'read'],
  [noted('read'), 'delivered', undefined],
  [noted('delivered'), 'undelivered', undefined],
  [noted('undelivered: gone'), 'delivered', 'delivered'],
  [noted('undelivered: gone'), 'undelivered', undefined],
  [noted('sent', 'SM2'), 'delivered', undefined],
  [noted('in progress'), 'delivered', undefined],
  [noted('failed'), 'delivered', undefined],
  [noted('mine'), 'delivered', undefined],
  [undefined, 'delivered', undefined],
])('the note %j becomes, once its message is “%s”, %j', (note, outcome, expected) => {
  expect(deliveredNote(note, 'SM1', outcome)).toEqual(expected && noted(expected));
});
