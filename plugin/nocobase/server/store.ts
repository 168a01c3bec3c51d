import { rowStore, type StoreRow } from '../../../src/builder.ts';
import { storeTable } from '../resources.ts';
import { isTaken } from './is-taken.ts';
import type { Application } from './nocobase.ts';

/** The store's collection. All processes share its table. */
export const storeCollection = {
  name: storeTable,
  hidden: true,
  autoGenId: false,
  timestamps: false,
  dumpRules: { group: 'log' },
  fields: [
    { name: 'id', type: 'string', primaryKey: true },
    { name: 'kind', type: 'string', index: true },
    { name: 'findBy', type: 'string', index: true },
    { name: 'body', type: 'text', length: 'long' },
    { name: 'version', type: 'string' },
    { name: 'at', type: 'bigInt' },
  ],
};

/** A store in a table of NocoBase's database. */
export function nocobaseStore({ db }: Pick<Application, 'db'>) {
  const table = () => db.getCollection(storeTable);

  async function insert(row: StoreRow): Promise<boolean> {
    try {
      await table().model.create(row);
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
  }

  return rowStore({
    get: async (id) => (await table().repository.findOne({ filter: { id } }))?.toJSON(),
    insert,
    async swap({ id, body, version, at }, read) {
      const where = { id, version: read };
      const [changed] = await table().model.update({ body, version, at }, { where });
      return changed > 0;
    },
    async find(findBy) {
      const rows = await table().repository.find({ filter: { findBy } });
      return rows.map((row) => row.toJSON());
    },
    async clear(findBy) {
      await table().model.destroy({ where: { findBy } });
    },
    async expire(kind, before) {
      const { model, repository } = table();
      const filter = { kind, at: { $lt: before } };
      // One statement. NocoBase's own `destroy` reads every row and lists each one in it.
      await model.destroy({ where: repository.buildQueryOptions({ filter }).where });
    },
  });
}
