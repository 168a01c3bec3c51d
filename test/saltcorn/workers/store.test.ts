import type { Store } from '../../../src/builder.ts';
import { eventIdentity } from '../../events/keeps-deliveries.ts';
import { keepsEntries } from '../../stores/keeps-entries.ts';
import { startPostgres } from '../../support/start-postgres.ts';
import { saltcorn, startTables } from '../host.ts';

// The module's store in Saltcorn's PostgreSQL database.

type StoreModule = typeof import('../../../plugin/saltcorn/store.ts');
type LogModule = typeof import('../../../plugin/saltcorn/event/delivery-log.ts');

let open: () => Store;
let deliveryLogOf: LogModule['deliveryLogOf'];
beforeAll(async () => {
  await startTables({ DATABASE_URL: await startPostgres(), SALTCORN_MULTI_NODE: 'true' });
  const { saltcornStore }: StoreModule = require('../../../plugin/saltcorn/store.ts');
  ({ deliveryLogOf } = require('../../../plugin/saltcorn/event/delivery-log.ts'));
  open = () => saltcornStore(async () => {});
});
const db = () => saltcorn('data/db');

keepsEntries(() => open());

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

test('moves the delivery log of 0.1.0, so that no event is delivered twice', async () => {
  await db().query(`create table telephony_told_events (
    key text primary key, signature text not null unique, subject text not null, step integer not null,
    is_told integer not null, teller text not null, at bigint not null)`);
  await db().query(`insert into telephony_told_events
    select 'message-status/SM' || n || '/4', 'signature of SM' || n || ' 4', 'message-status/SM' || n, 4, 1,
      'a process', ${Date.now()} from generate_series(1, 3000) as n`);
  // Last, because polling moves the entries once the table is gone.
  await db().query('drop table telephony_store');
  await deliveryLogOf()
    .last()
    .catch(() => {});
  const known = [];
  for (const note of [
    eventIdentity('SM1', 4),
    eventIdentity('SM3000', 4),
    eventIdentity('SM7', 2),
    eventIdentity('SM7', 6),
  ])
    known.push(await deliveryLogOf().begin(note));
  expect(known).toEqual(['delivered', 'delivered', 'stale', 'new']);
  await expect(db().query('select 1 from telephony_told_events')).rejects.toThrow('does not exist');
});
