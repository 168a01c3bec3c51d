import { startPostgres } from '../../support/start-postgres.ts';
import { saltcorn, startTables } from '../host.ts';

const query = (sql: string) => saltcorn('data/db').query(sql);

test('one of two workers on PostgreSQL has the poll lease, and continues from an earlier version', async () => {
  await startTables({ DATABASE_URL: await startPostgres(), SALTCORN_MULTI_NODE: 'true' });
  await query(`create table telephony_polled_events (
    id integer primary key, so_far text not null, worker text not null, until bigint not null,
    begun_at bigint not null, answered_at bigint not null, problem text not null)`);
  const begunAt = Date.now() - 40_000;
  await query(`insert into telephony_polled_events values
    (1, 'the cursor', 'ended', 0, ${begunAt}, ${begunAt}, 'No answer.')`);
  const { store }: typeof import('../../../plugin/saltcorn/tenant-store.ts') =
    require('../../../plugin/saltcorn/tenant-store.ts');
  const {
    pollStateOf,
  }: typeof import('../../../src/builder.ts') = require('../../../src/builder.ts');
  const state = pollStateOf(store, '');
  const earlier = { begunAt, answeredAt: begunAt, problem: 'No answer.' };
  expect([await state.read(), await state.cursor().read()]).toEqual([earlier, 'the cursor']);
  await expect(query('select 1 from telephony_polled_events')).rejects.toThrow('does not exist');
  const none = () => false;
  expect(await state.begin('one', 60_000, none)).toBeGreaterThan(0);
  const left = await Promise.all(['one', 'other'].map((one) => state.begin(one, 30_000, none)));
  expect(left.filter((one) => one === 0)).toHaveLength(1);
  const [first, second] = left[0] === 0 ? ['one', 'other'] : ['other', 'one'];
  expect([await state.renew(first), await state.renew(second)]).toEqual([true, false]);
  await state.end(second, { problem: 'It is not mine.' });
  await state.end(first, 'succeeded');
  expect(await state.read()).toEqual({
    ...{ begunAt: expect.any(Number), answeredAt: expect.any(Number) },
  });
});
