import { runsResource } from '../../../plugin/nocobase/resources.ts';
import {
  earlierCollection,
  moveEarlierBatches,
} from '../../../plugin/nocobase/server/bulk/earlier-batches.ts';
import type { Application } from '../../../plugin/nocobase/server/nocobase.ts';
import { nocobaseStore, storeCollection } from '../../../plugin/nocobase/server/store.ts';
import { Batches } from '../../../src/builder.ts';
import { openDatabase } from '../open-database.ts';

// Batches that 0.1.0 and later versions without a store kept in their own table.

const hour = 3_600_000;
const startedAt = Date.now() - hour;
const values = { from: '+14155550100', to: '+12025550103', body: 'Hello' };
const run = {
  ...{
    userId: '1',
    account: 'a',
    actionId: 'send-sms',
    button: 'B',
    startedAt,
    aliveAt: startedAt,
  },
  items: [
    { who: 'Ada', outcome: 'done' },
    { who: 'Bob', outcome: 'waiting', digest: 'b', begun: new Date(startedAt), values },
    { who: 'Cid', outcome: 'waiting', digest: 'c', values },
    { who: 'Dan', outcome: 'before' },
    { who: 'Eve', outcome: 'same' },
    { who: 'Fay', outcome: 'untried' },
  ],
};

test('moves batches of an earlier version, so that none is lost', async () => {
  const db = await openDatabase([storeCollection, earlierCollection]);
  const app = { db } as unknown as Application;
  const create = (more: object) =>
    db.getRepository(runsResource).create({ values: { ...run, ...more } });
  await create({ key: 'K1', state: 'running' });
  await create({ key: 'K2', state: 'ended', items: [], startedAt: startedAt - hour });
  await create({ key: 'K3', state: 'asked', startedAt: null, aliveAt: null });
  await moveEarlierBatches(app);
  await moveEarlierBatches(app);
  const batches = new Batches(nocobaseStore(app));
  const press = {
    ...{ owner: '1', actionId: 'send-sms', scope: 'a', button: 'B', context: { account: 'a' } },
  };
  expect(await batches.find('K1', '1')).toMatchObject({
    ...{ ...press, key: 'K1', state: 'interrupted', startedAt },
  });
  const { items = [] } = (await batches.find('K1', '1')) ?? {};
  expect(items.map(({ who, outcome }) => `${who} ${outcome}`)).toEqual([
    ...['Ada done', 'Bob unknown', 'Cid not-run', 'Dan already-done', 'Eve duplicate'],
    'Fay not-run',
  ]);
  expect(await batches.find('K2', '1')).toMatchObject({ ...press, state: 'ended' });
  expect(await batches.find('K1', '2')).toBeUndefined();
  expect(await batches.find('K3', '1')).toBeUndefined();
  expect((await batches.previous(press)).batch?.key).toBe('K1');
  const planned = [{ who: 'Ada', outcome: 'waiting' as const, values }];
  expect(await batches.remaining(press, { items: planned })).toMatchObject([
    { outcome: 'already-done' },
  ]);
  await db.sync();
  expect(await db.sequelize.query(`select to_regclass('"${runsResource}"') as name`)).toEqual(
    expect.arrayContaining([[{ name: null }]]),
  );
});
