import { startPostgres } from '../../support/start-postgres.ts';
import { startTables } from '../host.ts';

test('one of two workers on PostgreSQL has the poll lease', async () => {
  await startTables({ DATABASE_URL: await startPostgres(), SALTCORN_MULTI_NODE: 'true' });
  const { store }: typeof import('../../../plugin/saltcorn/tenant-store.ts') =
    require('../../../plugin/saltcorn/tenant-store.ts');
  const {
    pollStateOf,
  }: typeof import('../../../src/builder.ts') = require('../../../src/builder.ts');
  const state = pollStateOf(store, '');
  const none = () => false;
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
