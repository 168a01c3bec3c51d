import type { LogStore, StoredDeliveryLog } from '../../../src/builder.ts';
import { eventIdentity, keepsDeliveries } from '../../events/keeps-deliveries.ts';
import { keepsLogs } from '../../stores/keeps-entries.ts';
import { saltcorn, startTables } from '../host.ts';

const query = (sql: string) => saltcorn('data/db').query(sql);

let deliveryLogOf: () => StoredDeliveryLog;
let openStore: () => LogStore;
beforeAll(async () => {
  // Without the plugin, whose polling would move old tables while a test fills them.
  await startTables();
  // Saltcorn reads the name of its database while loading.
  ({ deliveryLogOf } = require('../../../plugin/saltcorn/event/delivery-log.ts'));
  const { saltcornStore } = require('../../../plugin/saltcorn/store.ts');
  openStore = () => saltcornStore();
});

describe('the store', () => {
  keepsLogs(() => openStore());
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
