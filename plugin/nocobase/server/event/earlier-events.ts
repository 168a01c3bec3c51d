import {
  definitions,
  type EarlierDelivery,
  entriesOfEarlierDeliveries,
} from '../../../../src/builder.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';

const name = `${definitions.manifest.id}Events`;

const text = (column: string) => ({ name: column, type: 'string' });

/** The table that versions before the store used. Its texts are hashes. */
export const earlierCollection = {
  name,
  hidden: true,
  autoGenId: false,
  timestamps: false,
  fields: [
    { ...text('key'), primaryKey: true },
    ...[text('signature'), text('turn'), text('subject'), text('account')],
    { name: 'step', type: 'integer' },
    { name: 'isTold', type: 'boolean' },
    { name: 'at', type: 'bigInt' },
  ],
};

/** Moves deliveries from the table of earlier versions to the store and deletes the table. */
export async function moveEarlierEvents(app: Pick<Application, 'db'>): Promise<void> {
  app.db.collection(earlierCollection);
  const table = app.db.getCollection(name);
  if (!(await table.existsInDb())) return app.db.removeCollection(name);
  const accounts = new Map<string, EarlierDelivery[]>();
  for (const row of await table.repository.find()) {
    const { key, signature, subject, step, isTold, account, at } = row.toJSON();
    const earlier = accounts.get(String(account)) ?? [];
    accounts.set(String(account), earlier);
    earlier.push({
      ...{ key: String(key), signature: String(signature), subject: String(subject) },
      ...{ step: Number(step), at: Number(at), ...(!isTold && { by: 'earlier' }) },
    });
  }
  const { insertEarlier } = nocobaseStore(app);
  for (const [account, earlier] of accounts)
    await insertEarlier(entriesOfEarlierDeliveries(earlier, account, true));
  await table.removeFromDb();
}
