import { createHash } from 'node:crypto';
import { accountsResource, storeTable } from '../../../plugin/nocobase/resources.ts';
import { accountsCollection } from '../../../plugin/nocobase/server/account/accounts-table.ts';
import { deliveryLogOf } from '../../../plugin/nocobase/server/event/delivery-logs.ts';
import {
  earlierCollection,
  moveEarlierEvents,
} from '../../../plugin/nocobase/server/event/earlier-events.ts';
import { moveEarlierPolls } from '../../../plugin/nocobase/server/event/earlier-polls.ts';
import type { Application } from '../../../plugin/nocobase/server/nocobase.ts';
import { nocobaseStore, storeCollection } from '../../../plugin/nocobase/server/store.ts';
import { pollStateOf } from '../../../src/builder.ts';
import { eventIdentity, keepsDeliveries } from '../../events/keeps-deliveries.ts';
import { keepsEntries } from '../../stores/keeps-entries.ts';
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
  keepsEntries(() => nocobaseStore(app));
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

test('moves the delivery log of 0.1.0, so that no event is delivered twice', async () => {
  const own = (text: string) =>
    createHash('sha256')
      .update(JSON.stringify(['earlier', text]))
      .digest('hex');
  app.db.collection(earlierCollection);
  const table = app.db.getCollection(earlierCollection.name);
  await table.sync();
  const at = Date.UTC(2026, 10, 20);
  const insert = (sid: string, step: number, isTold: boolean) => {
    const { key, signature, subject } = eventIdentity(sid, step);
    const turn = isTold ? null : own(subject);
    const texts = { key: own(key), signature: own(signature), subject: own(subject), turn };
    return table.model.create({ ...texts, step, isTold, account: 'earlier', at });
  };
  await insert('SM3', 1, true);
  await insert('SM3', 4, true);
  await insert('SM4', 4, false);
  await moveEarlierEvents(app);
  await moveEarlierEvents(app);
  const log = deliveryLogOf(app, 'earlier');
  expect((await log.last())?.getTime()).toBe(at);
  const known = [];
  for (const note of [
    ...[eventIdentity('SM3', 1), eventIdentity('SM3', 4), eventIdentity('SM3', 2)],
    { ...eventIdentity('SM5', 1), signature: eventIdentity('SM3', 4).signature },
    ...[eventIdentity('SM4', 4), eventIdentity('SM3', 6)],
  ])
    known.push(await log.begin(note));
  expect(known).toEqual(['delivered', 'delivered', 'stale', 'delivered', 'new', 'new']);
  await expect(query(`select 1 from "${earlierCollection.name}"`)).rejects.toThrow(
    'does not exist',
  );
});

test('moves the cursors of 0.1.0, so that no event is skipped', async () => {
  const { model } = app.db.getCollection(accountsResource);
  const askedAt = String(Date.UTC(2026, 10, 20));
  await model.create({ key: 'answered', askedAt, askedSoFar: 'the cursor' });
  await model.create({ key: 'failed', askedAt, askedSoFar: 'another', askProblem: 'No answer.' });
  await model.create({ key: 'off' });
  const kept = async (key: string) => {
    const state = pollStateOf(nocobaseStore(app), key);
    return [await state.read(), await state.cursor().read()];
  };
  await moveEarlierPolls(app);
  const begunAt = Number(askedAt);
  expect([await kept('answered'), await kept('failed'), await kept('off')]).toEqual([
    [{ begunAt, answeredAt: begunAt }, 'the cursor'],
    [{ begunAt, problem: 'No answer.' }, 'another'],
    [{ begunAt: 0 }, undefined],
  ]);
  await pollStateOf(nocobaseStore(app), 'answered').reset();
  await moveEarlierPolls(app);
  expect(await kept('answered')).toEqual([{ begunAt: 0 }, undefined]);
});
