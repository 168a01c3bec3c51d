import {
  type EarlierStoredBatch,
  entriesOfEarlierBatches,
  type RowItem,
} from '../../../../src/builder.ts';
import { runsResource } from '../../resources.ts';
import type { Application, Model } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';
import type { BatchContext } from './batch-context.ts';

const text = (name: string) => ({ name, type: 'text' });

/** The table that versions before the store used. */
export const earlierCollection = {
  name: runsResource,
  hidden: true,
  autoGenId: false,
  fields: [
    { name: 'key', type: 'string', primaryKey: true },
    ...['userId', 'account', 'actionId', 'button', 'state'].map(text),
    { name: 'startedAt', type: 'bigInt' },
    { name: 'aliveAt', type: 'bigInt' },
    { name: 'items', type: 'json' },
  ],
};

function earlierOf(row: Model): EarlierStoredBatch<BatchContext> {
  const { key, userId, account, actionId, button, state, startedAt, aliveAt, items } = row.toJSON();
  return {
    ...{ key: String(key), owner: String(userId), actionId: String(actionId) },
    ...{ scope: String(account), button: String(button), context: { account: String(account) } },
    ...{ isRunning: state === 'running', items: items as RowItem[] },
    ...{ startedAt: Number(startedAt), at: Number(aliveAt ?? startedAt) },
  };
}

/**
 * Moves batches from the table of earlier versions to the store and deletes the table. Skips previews: another click
 * creates them again.
 */
export async function moveEarlierBatches(app: Pick<Application, 'db'>): Promise<void> {
  app.db.collection(earlierCollection);
  const table = app.db.getCollection(runsResource);
  if (!(await table.existsInDb())) return app.db.removeCollection(runsResource);
  const rows = await table.repository.find({ filter: { state: { $ne: 'asked' } } });
  await nocobaseStore(app).insertEarlier(entriesOfEarlierBatches(rows.map(earlierOf)));
  await table.removeFromDb();
}
