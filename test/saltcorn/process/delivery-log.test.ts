import type { Store, StoredDeliveryLog } from '../../../src/builder.ts';
import { eventIdentity, keepsDeliveries } from '../../events/keeps-deliveries.ts';
import { keepsEntries } from '../../stores/keeps-entries.ts';
import { saltcorn, startTables } from '../host.ts';

const query = (sql: string) => saltcorn('data/db').query(sql);

let deliveryLogOf: () => StoredDeliveryLog;
let openStore: () => Store;
beforeAll(async () => {
  // Without the plugin, whose polling would move old tables while a test fills them.
  await startTables();
  // Saltcorn reads the name of its database while loading.
  ({ deliveryLogOf } = require('../../../plugin/saltcorn/event/delivery-log.ts'));
  const { saltcornStore } = require('../../../plugin/saltcorn/store.ts');
  openStore = () => saltcornStore(async () => {});
});

describe('the store', () => {
  keepsEntries(() => openStore());
});

describe('the delivery log', () => {
  keepsDeliveries(async () => {
    await deliveryLogOf().begin(eventIdentity('SM0', 0));
    await query('delete from telephony_store');
    return deliveryLogOf();
  });
});

test('an event that an ended process was delivering is new again', async () => {
  expect(await deliveryLogOf().begin(eventIdentity('SM1', 4))).toBe('new');
  await query(`update telephony_store set body = replace(body, '"by":"', '"by":"another ')`);
  expect(await deliveryLogOf().begin(eventIdentity('SM1', 4))).toBe('new');
});

test('moves the delivery log of 0.1.0, so that no event is delivered twice', async () => {
  await query(`create table telephony_told_events (
    key text primary key, signature text not null unique, subject text not null, step integer not null,
    is_told integer not null, teller text not null, at bigint not null)`);
  const at = Date.UTC(2026, 10, 20);
  const insert = (
    { key, signature, subject, step }: ReturnType<typeof eventIdentity>,
    isTold: number,
  ) =>
    query(`insert into telephony_told_events values
      ('${key}', '${signature}', '${subject}', ${step}, ${isTold}, 'a process', ${at})`);
  await insert(eventIdentity('SM3', 1), 1);
  await insert(eventIdentity('SM3', 4), 1);
  await insert(eventIdentity('SM4', 4), 0);
  for (let index = 0; index < 1_000; index += 1)
    await insert(eventIdentity(`SMmany${index}`, 1), 1);
  await query('drop table telephony_store');
  // The first call fails because the table is gone, and the next one creates it again.
  await deliveryLogOf()
    .last()
    .catch(() => {});
  expect((await deliveryLogOf().last())?.getTime()).toBe(at);
  const known = [];
  for (const note of [
    ...[
      eventIdentity('SM3', 1),
      eventIdentity('SM3', 4),
      eventIdentity('SMmany999', 1),
      eventIdentity('SM3', 2),
    ],
    { ...eventIdentity('SM5', 1), signature: eventIdentity('SM3', 4).signature },
    ...[eventIdentity('SM4', 4), eventIdentity('SM3', 6)],
  ])
    known.push(await deliveryLogOf().begin(note));
  expect(known).toEqual([
    'delivered',
    'delivered',
    'delivered',
    'stale',
    'delivered',
    'new',
    'new',
  ]);
  const tables = await query(
    "select name from sqlite_master where name in ('telephony_told_events', 'telephony_store')",
  );
  expect(tables.rows).toEqual([{ name: 'telephony_store' }]);
});
