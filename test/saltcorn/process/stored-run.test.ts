import type { Run } from '../../../plugin/saltcorn/bulk/stored-run.ts';
import { type Loose, model, saltcorn, startTables } from '../host.ts';

// What Saltcorn's database keeps of a run, for how long, and what is known of it by a look at the clock.

let runs: typeof import('../../../plugin/saltcorn/bulk/stored-run.ts');

beforeAll(async () => {
  await startTables();
  runs = await import('../../../plugin/saltcorn/bulk/stored-run.ts');
});
beforeEach(() => saltcorn('data/db').deleteWhere('_sc_metadata', {}));

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const press = { visitor: 'v1', userId: undefined, actionId: 'send-sms', row: undefined };
const create = (more: object = {}): Promise<Run> =>
  runs.createRun({ ...press, configuration: { rows_table: 'People' }, ...more });

/** Writes what a run is, as if it were so long ago. */
const write = (run: Run, body: object, age: number) =>
  run.update({ body: { ...run.body, ...body }, written_at: new Date(Date.now() - age) });

const kept = async (type: string): Promise<string[]> =>
  (await model('metadata').find({ type }, { orderBy: 'id' })).map(({ name }: Loose) => name);

test('only the visitor who created a run can find it', async () => {
  const run = await create({ row: { id: 1 } });
  const { name, body } = run;
  expect(await runs.findRun(name, 'v1')).toMatchObject({ name, body });
  expect(body).toEqual({
    ...{ visitor: 'v1', actionId: 'send-sms', button: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ...{ configuration: { rows_table: 'People' }, row: { id: 1 }, state: 'choosing', items: [] },
  });
  expect(await runs.findRun(name, 'v2')).toBeUndefined();
  expect(await runs.findRun(name, undefined)).toBeUndefined();
  expect(await runs.findRun('another', 'v1')).toBeUndefined();
});

test.each<[state: string, age: number, isFound: boolean]>([
  ['choosing', hour - minute, true],
  ['choosing', hour + minute, false],
  ['asked', hour - minute, true],
  ['asked', hour + minute, false],
  ['running', 2 * hour, true],
  ['ended', 30 * day - minute, true],
])('a run that is %s for %d ms is available and kept: %s', async (state, age, isFound) => {
  const [bystander, run] = [await create(), await create()];
  await write(run, { state }, age);
  expect((await runs.findRun(run.name, 'v1'))?.name).toBe(isFound ? run.name : undefined);
  const other = await create();
  expect(await kept('Telephony run')).toEqual([
    ...[bystander.name, ...(isFound ? [run.name] : []), other.name],
  ]);
});

test('deletes a run after a month and a stop request after a day', async () => {
  const [old, young] = [await create(), await create()];
  for (const run of [old, young]) await runs.stopRun(run);
  expect([await runs.isRunStopped(old), await runs.isRunStopped(young)]).toEqual([true, true]);
  await write(old, { state: 'ended' }, 30 * day + minute);
  const [ofOld, ofYoung] = await model('metadata').find({ type: 'Telephony run stop' });
  await ofOld.update({ written_at: new Date(Date.now() - day - minute) });
  await ofYoung.update({ written_at: new Date(Date.now() - day + minute) });
  const other = await create();
  expect(await kept('Telephony run')).toEqual([young.name, other.name]);
  expect(await kept('Telephony run stop')).toEqual([young.name]);
  expect(await runs.isRunStopped(other)).toBe(false);
});

test('the last run of a button is the one that started last', async () => {
  const [first, next, unbegun, asked] = [
    await create(),
    await create(),
    await create(),
    await create(),
  ];
  const begin = (run: Run, startedAt: string) => runs.noteRun(run, { state: 'running', startedAt });
  expect(await runs.lastBegun(asked)).toBeUndefined();
  await begin(first, '2026-11-02T10:00:00.000Z');
  await begin(next, '2026-11-01T10:00:00.000Z');
  expect((await runs.lastBegun(asked))?.name).toBe(first.name);
  expect((await runs.lastBegun(first))?.name).toBe(next.name);
  expect((await runs.lastBegun(unbegun))?.name).toBe(first.name);
  expect(await runs.lastBegun(await create({ visitor: 'v2' }))).toBeUndefined();
  expect(await runs.lastBegun(await create({ configuration: {} }))).toBeUndefined();
  expect(await runs.lastBegun(await create({ actionId: 'another' }))).toBeUndefined();
});

const items: Run['body']['items'] = [
  { who: 'Ada', outcome: 'done' },
  { who: 'Grace', outcome: 'waiting', message: 'Wait.' },
];
const columns = { outcome: 'a', sid: 'b', time: 'c' };

test.each<[what: string, body: Partial<Run['body']>, age: number, outcomes: object[]]>([
  ['is in progress', { state: 'running' }, 5 * second, items],
  [
    'sends no heartbeat',
    { state: 'running' },
    minute,
    [items[0] ?? {}, { who: 'Grace', outcome: 'unknown', message: '' }],
  ],
  [
    'sends no heartbeat and records outcomes',
    { state: 'running', notes: columns },
    minute,
    [items[0] ?? {}, { who: 'Grace', outcome: 'untried', message: '' }],
  ],
  ['has ended', { state: 'ended' }, day, items],
])('reports the rows of a run that %s', async (_, body, age, outcomes) => {
  const run = await create();
  await write(run, { ...body, items }, age);
  const found = await runs.findRun(run.name, 'v1');
  expect(found && runs.itemsOf(found)).toEqual(outcomes);
  expect(found && runs.isInterrupted(found)).toBe(outcomes !== items);
});

test('a run that counts as interrupted has to stop and sends no heartbeat again', async () => {
  const run = await create();
  const writtenAt = async () => Number((await runs.findRun(run.name, 'v1'))?.written_at);
  await write(run, { state: 'running', items }, 10 * second);
  expect(await runs.isRunStopped(run)).toBe(false);
  await runs.saveRun(run);
  expect(Date.now() - (await writtenAt())).toBeLessThan(10 * second);
  await write(run, { state: 'running', items }, minute);
  expect(await runs.isRunStopped(run)).toBe(true);
  await expect(runs.saveRun(run)).rejects.toThrow('interrupted for too long');
  expect(Date.now() - (await writtenAt())).toBeGreaterThanOrEqual(minute);
});
