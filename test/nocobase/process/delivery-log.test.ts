import { storeTable } from '../../../plugin/nocobase/resources.ts';
import { accountsCollection } from '../../../plugin/nocobase/server/account/accounts-table.ts';
import { deliveryLogOf } from '../../../plugin/nocobase/server/event/delivery-logs.ts';
import type { Application } from '../../../plugin/nocobase/server/nocobase.ts';
import { nocobaseStore, storeCollection } from '../../../plugin/nocobase/server/store.ts';
import { eventIdentity, keepsDeliveries } from '../../events/keeps-deliveries.ts';
import { keepsLogs } from '../../stores/keeps-entries.ts';
import { openDatabase } from '../open-database.ts';

// The plugin's store in NocoBase's database.

const day = 24 * 3_600_000;

let app: Application;
beforeAll(async () => {
  // The parts of NocoBase that they use.
  app = { db: await openDatabase([storeCollection, accountsCollection]) } as unknown as Application;
});
const query = (sql: string) =>
  (app.db as unknown as { sequelize: { query(sql: string): Promise<unknown> } }).sequelize.query(
    sql,
  );

describe('the store', () => {
  keepsLogs(() => nocobaseStore(app));
});

describe('the delivery log', () => {
  let count = 0;
  keepsDeliveries(() => {
    count += 1;
    return deliveryLogOf(app, `account ${count}`);
  });
});

test('deletes events of its account that are older than a month, delivered or not', async () => {
  const [log, other] = [deliveryLogOf(app, 'own'), deliveryLogOf(app, 'other')];
  for (const one of [log, other]) {
    await one.begin(eventIdentity('SM1', 1));
    await one.delivered(eventIdentity('SM1', 1));
    await one.begin(eventIdentity('SM2', 1));
  }
  await query(`update "${storeTable}" set at = ${Date.now() - 31 * day}`);
  await log.begin(eventIdentity('SM3', 1));
  await log.expire();
  const known = [];
  for (const sid of ['SM1', 'SM2', 'SM3']) known.push(await log.begin(eventIdentity(sid, 1)));
  expect(known).toEqual(['new', 'new', 'in-progress']);
  expect(await other.begin(eventIdentity('SM1', 1))).toBe('delivered');
  await other.clear();
  expect(await other.begin(eventIdentity('SM1', 1))).toBe('new');
  expect(await other.last()).toBeUndefined();
});
