import { runsResource } from '../../../plugin/nocobase/resources.ts';
import { runsCollection } from '../../../plugin/nocobase/server/bulk/runs-table.ts';
import { type Run, Runs, stateOf } from '../../../plugin/nocobase/server/bulk/stored-run.ts';
import type { Application } from '../../../plugin/nocobase/server/nocobase.ts';
import { openDatabase } from '../open-database.ts';

// What NocoBase's database keeps of a run, for how long, and who may begin and change it.

let db: Awaited<ReturnType<typeof openDatabase>>;
let runs: Runs;

beforeAll(async () => {
  db = await openDatabase([runsCollection]);
  // Runs need no more of NocoBase than this.
  runs = new Runs({ db } as unknown as Application);
});
beforeEach(() => db.getCollection(runsResource).model.destroy({ where: {} }));

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const items: Run['items'] = [{ who: 'Ada', outcome: 'waiting' }];
const asked = { userId: '1', account: 'a', actionId: 'send-sms', button: 'B', items };
const create = (more: Partial<Run> = {}) => runs.create({ ...asked, ...more });
const keysOf = async () => {
  const rows = await db.getRepository(runsResource).find({ sort: ['createdAt'] });
  return rows.map((row) => row.get('key'));
};

/** Makes a run one that was asked about so long ago. */
const age = ({ key }: Run, milliseconds: number) =>
  db.sequelize.query(
    `update "${runsResource}" set "createdAt" = now() - interval '${milliseconds} milliseconds' where key = '${key}'`,
  );

/** Makes a run one that gave no sign of life for so long. */
const held = ({ key }: Run, milliseconds: number) =>
  db
    .getCollection(runsResource)
    .model.update({ aliveAt: Date.now() - milliseconds }, { where: { key } });

const none = { previous: null, stopped: null, startedAt: null, aliveAt: null };

test('a stored batch is found only by its user', async () => {
  const run = await create();
  expect(run).toEqual({ ...asked, key: expect.stringMatching(/^[0-9a-f-]{36}$/), state: 'asked' });
  expect(await runs.find(run.key, '1')).toMatchObject({ ...run, ...none });
  expect(await runs.find(run.key, '2')).toBeUndefined();
  expect(await runs.find('another', '1')).toBeUndefined();
});

test.each<[state: Run['state'], age: number, isKept: boolean]>([
  ['asked', hour - minute, true],
  ['asked', hour + minute, false],
  ['running', 2 * hour, true],
  ['ended', 30 * day - minute, true],
  ['ended', 30 * day + minute, false],
])('a batch in the state “%s” after %d ms is kept: %s', async (state, milliseconds, isKept) => {
  const [bystander, run] = [await create(), await create()];
  if (state !== 'asked') await runs.begin(run);
  if (state === 'ended') await runs.end(run);
  await age(run, milliseconds);
  const other = await create();
  expect((await keysOf()).sort()).toEqual(
    [bystander.key, other.key, ...(isKept ? [run.key] : [])].sort(),
  );
});

test('a button starts one batch at a time for all users, and again after its result was shown', async () => {
  const [first, second] = [await create(), await create({ userId: '2' })];
  const before = Date.now();
  const begun = await Promise.all([runs.begin(first), runs.begin(second), runs.begin(first)]);
  expect(begun.filter((has) => has)).toHaveLength(1);
  const [running, waiting] = begun[1] ? [second, first] : [first, second];
  const found = await runs.find(running.key, running.userId);
  expect(found).toMatchObject({ state: 'running', stopped: null });
  for (const time of [found?.startedAt, found?.aliveAt])
    expect(Number(time) - before).toBeLessThan(minute);
  expect(Number(found?.startedAt)).toBeGreaterThanOrEqual(before);
  expect(await runs.lastBegun(waiting)).toEqual(found);
  expect(await runs.askAgain(waiting, found)).toBe(true);
  const again = await runs.find(waiting.key, waiting.userId);
  expect(again).toMatchObject({ state: 'asked', previous: running.key });
  expect(again && (await runs.begin(again))).toBe(true);
  expect(await runs.begin(await create({ button: 'another' }))).toBe(true);
});

test('the previous batch of a button is the last one started', async () => {
  const [first, next, other] = [await create(), await create(), await create()];
  expect(await runs.lastBegun(other)).toBeUndefined();
  await runs.begin(next);
  jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + minute);
  await runs.begin({ ...first, previous: next.key });
  jest.restoreAllMocks();
  expect((await runs.lastBegun(other))?.key).toBe(first.key);
  expect((await runs.lastBegun(first))?.key).toBe(next.key);
  expect(await runs.lastBegun(await create({ button: 'another' }))).toBeUndefined();
});

test('only a running batch can be updated, stopped and ended', async () => {
  const run = await create();
  const done: Run = { ...run, items: [{ who: 'Ada', outcome: 'done' }] };
  const changes = [runs.note, runs.stop, runs.end];
  for (const change of changes) expect(await change(done)).toBe(false);
  expect(await runs.find(run.key, '1')).toMatchObject({ ...run, ...none });
  await runs.begin(run);
  expect(await runs.isStopped(run)).toBe(false);
  expect(await runs.askAgain(run, undefined)).toBe(false);
  await held(run, 10_000);
  expect(await runs.note(done)).toBe(true);
  const noted = await runs.find(run.key, '1');
  expect(noted).toMatchObject({ state: 'running', items: done.items });
  expect(Date.now() - Number(noted?.aliveAt)).toBeLessThan(minute);
  expect(await runs.stop(run)).toBe(true);
  expect(await runs.isStopped(run)).toBe(true);
  expect(await runs.end(run)).toBe(true);
  expect(await runs.find(run.key, '1')).toMatchObject({ state: 'ended', items });
  for (const change of changes) expect(await change(done)).toBe(false);
});

test('an interrupted batch cannot renew its lease and has to stop', async () => {
  const run = await create();
  await runs.begin(run);
  await held(run, 20_000);
  expect(await runs.note({ ...run, items: [] })).toBe(false);
  const found = await runs.find(run.key, '1');
  expect(found).toMatchObject({ state: 'running', items });
  expect(found && stateOf(found)).toBe('interrupted');
  expect(await runs.isStopped(run)).toBe(true);
  const ended: Run = { ...run, items: [{ who: 'Ada', outcome: 'untried' }] };
  expect(await runs.end(ended)).toBe(true);
  expect(await runs.find(run.key, '1')).toMatchObject({ state: 'ended', items: ended.items });
});

test('a deleted batch has to stop', async () => {
  const run = await create();
  expect(await runs.isStopped({ ...run, key: 'another' })).toBe(true);
});

test('a database error is thrown, not taken for a batch that is already running', async () => {
  const run = await create();
  await expect(runs.begin({ ...run, button: 'long'.repeat(100) })).rejects.toThrow();
  expect(await runs.find(run.key, '1')).toMatchObject({ state: 'asked' });
});
