import {
  type NewEntry,
  type Store,
  type StoreRow,
  storeEntry,
  storeHash,
  storeIndex,
  storeRow,
} from '../../../src/builder.ts';
import { storeTable } from '../resources.ts';
import { isTaken } from './is-taken.ts';
import type { Application, Model } from './nocobase.ts';

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

/** Rows per insert statement, whose size databases limit. */
const rowsPerInsert = 500;

/** Names the columns of a row. */
const columnsOf = ({ index, ...row }: StoreRow) => ({ ...row, findBy: index });

const entryOf = (row: Model) => storeEntry(row.toJSON() as unknown as StoreRow);

/** A store in a table of NocoBase's database. */
export function nocobaseStore({ db }: Pick<Application, 'db'>) {
  const table = () => db.getCollection(storeTable);

  async function insertRow(row: StoreRow): Promise<boolean> {
    try {
      await table().model.create(columnsOf(row));
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
  }

  return {
    async get(kind, key) {
      const filter = { id: storeHash(kind, key) };
      const row = await table().repository.findOne({ filter });
      return row ? entryOf(row) : undefined;
    },
    insert: (kind, entry) => insertRow(storeRow(kind, entry)),
    async swap(kind, read, value) {
      const { id, body, version, at } = storeRow(kind, { ...read, value });
      const where = { id, version: read.version };
      const [changed] = await table().model.update({ body, version, at }, { where });
      return changed > 0;
    },
    async find(kind, index) {
      const rows = await table().repository.find({ filter: { findBy: storeIndex(kind, index) } });
      return rows.map(entryOf);
    },
    async expire(kind, before) {
      const { model, repository } = table();
      const filter = { kind: storeHash(kind), at: { $lt: before } };
      // One statement. NocoBase's own `destroy` reads every row and lists each one in it.
      await model.destroy({ where: repository.buildQueryOptions({ filter }).where });
    },
    /** Inserts entries that earlier versions stored elsewhere. Existing entries stay. */
    async insertEarlier(entries: [kind: string, entry: NewEntry, at: number][]) {
      const rows = entries.map((one) => columnsOf(storeRow(...one)));
      while (rows.length > 0)
        await table().model.bulkCreate(rows.splice(0, rowsPerInsert), { ignoreDuplicates: true });
    },
  } satisfies Store & { insertEarlier: unknown };
}
