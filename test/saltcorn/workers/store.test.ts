import type { LogStore } from '../../../src/builder.ts';
import { keepsLogs } from '../../stores/keeps-entries.ts';
import { startPostgres } from '../../support/start-postgres.ts';
import { saltcorn, startTables } from '../host.ts';

// The module's store in Saltcorn's PostgreSQL database.

type StoreModule = typeof import('../../../plugin/saltcorn/store.ts');

let open: () => LogStore;
beforeAll(async () => {
  await startTables({ DATABASE_URL: await startPostgres(), SALTCORN_MULTI_NODE: 'true' });
  const { saltcornStore }: StoreModule = require('../../../plugin/saltcorn/store.ts');
  open = () => saltcornStore();
});
const db = () => saltcorn('data/db');

keepsLogs(() => open());

test('keeps an entry that was written during a transaction of Saltcorn that is rolled back', async () => {
  const store = open();
  const rolledBack = db().withTransaction(async () => {
    await store.insert('transaction', { key: 'a', value: 1 });
    // Visible to another process before the transaction ends.
    expect(await db().runWithTenant('public', () => open().get('transaction', 'a'))).toMatchObject({
      value: 1,
    });
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect(await store.get('transaction', 'a')).toMatchObject({ value: 1 });
});

test('20 transactions that use the store at once all end, on a pool of ten connections', async () => {
  const store = open();
  const inserted = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      db().runWithTenant('public', () =>
        db().withTransaction(async () => {
          await db().query('select pg_sleep(0.1)');
          return store.insert('at once', { key: String(index % 2), value: index });
        }),
      ),
    ),
  );
  expect(inserted.filter(Boolean)).toHaveLength(2);
});
