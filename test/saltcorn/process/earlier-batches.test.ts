import { model, saltcorn, startTables } from '../host.ts';

// Batches that 0.1.0 and later versions without a store kept in Saltcorn's own table.

type Module = typeof import('../../../plugin/saltcorn/bulk/batches.ts');
let batches: Module['batches'];
beforeAll(async () => {
  // Without the plugin, which would move the batches while the test stores them.
  await startTables();
  ({ batches } = require('../../../plugin/saltcorn/bulk/batches.ts'));
});

const query = (sql: string) => saltcorn('data/db').query(sql);
const hour = 3_600_000;
const startedAt = new Date(Date.now() - hour).toISOString();
const values = { from: '+14155550100', to: '+12025550103', body: 'Hello' };
const notes = { outcome: 'sms', sid: 'sms_sid', time: 'sms_time' };

const body = {
  ...{ visitor: 'user 1', actionId: 'send-sms', button: 'B', tableName: 'People', startedAt },
  items: [
    { who: 'Ada', outcome: 'done' },
    { who: 'Bob', outcome: 'waiting', digest: 'b', begun: startedAt, values },
    { who: 'Cid', outcome: 'waiting', digest: 'c', values },
    { who: 'Dan', outcome: 'before' },
    { who: 'Eve', outcome: 'same' },
    { who: 'Fay', outcome: 'untried' },
  ],
};

const store = (type: string, name: string, content: object, age = hour) =>
  model('metadata').create({ type, name, body: content, written_at: new Date(Date.now() - age) });

test('moves batches of an earlier version, so that none is lost', async () => {
  await store('Telephony run', 'K1', { ...body, state: 'running' });
  await store('Telephony run', 'K2', { ...body, state: 'ended', notes, items: [] }, 2 * hour);
  await store('Telephony run', 'K3', { ...body, state: 'asked', startedAt: undefined });
  await store('Telephony run stop', 'K1', {});
  await query('drop table if exists telephony_store');
  // The first call fails because the table is gone, and the next one creates it again.
  await batches.find('K1', 'user 1').catch(() => {});
  const common = { owner: 'user 1', actionId: 'send-sms', button: 'B user 1' };
  expect(await batches.find('K1', 'user 1')).toMatchObject({
    ...{ ...common, key: 'K1', state: 'interrupted', startedAt: Date.parse(startedAt) },
    ...{ context: { tableName: 'People' }, isRecorded: false },
  });
  const { items = [] } = (await batches.find('K1', 'user 1')) ?? {};
  expect(items.map(({ who, outcome }) => `${who} ${outcome}`)).toEqual([
    ...['Ada done', 'Bob unknown', 'Cid not-run', 'Dan already-done', 'Eve duplicate'],
    'Fay not-run',
  ]);
  expect(JSON.stringify(items)).not.toContain('Hello');
  expect(await batches.find('K2', 'user 1')).toMatchObject({
    ...{ ...common, key: 'K2', state: 'ended', isRecorded: true },
    context: { tableName: 'People', columns: notes },
  });
  expect(await batches.find('K1', 'user 2')).toBeUndefined();
  expect(await batches.find('K3', 'user 1')).toBeUndefined();
  const press = { ...common, context: {} };
  expect((await batches.previous(press)).batch?.key).toBe('K1');
  const planned = [{ who: 'Ada', outcome: 'waiting' as const, values }];
  expect(await batches.remaining(press, { items: planned })).toMatchObject([
    { outcome: 'already-done' },
  ]);
  expect(
    (await query("select name from _sc_metadata where type like 'Telephony run%'")).rows,
  ).toEqual([]);
});
